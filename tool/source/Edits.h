// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes to be put around loops, checks around what is called in them, what is to be done before
// calls of MPI or in the place of statements, statements in the place of directives, and the two
// texts that come of them: one for the compiler, in which no line is added or removed, and one for
// a person, in which the scope has its own lines and says what the plan does there.

#ifndef SENDWRIGHT_TOOL_SOURCE_EDITS_H
#define SENDWRIGHT_TOOL_SOURCE_EDITS_H

#include "clang/Basic/FileEntry.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sendwright {

struct ScopeEdit {
  unsigned begin = 0;               ///< offset of the loop's first character
  unsigned end = 0;                 ///< offset past its last one
  std::string opening;              ///< the statement that opens the scope
  std::vector<std::string> comment; ///< lines for the reader, of any text
};

/// A callee, or the object of one, that the runtime is to see.
struct CalleeEdit {
  unsigned begin = 0; ///< offset of its first character
  unsigned end = 0;   ///< offset past its last one
  std::string call;   ///< what it becomes the last argument of: "name(", or "name(1, "
};

/// A call of MPI before which the runtime is called.
struct CallEdit {
  unsigned begin = 0;               ///< offset of its first character; or of that of its statement
  unsigned end = 0;                 ///< offset past the call's last one
  bool isStatement = false;         ///< of a block: the runtime's call can be another before it
  std::string before;               ///< the runtime's call
  std::vector<std::string> comment; ///< lines for the reader, of any text
};

/// Statements that are left out where a call says that it has done what they do.
struct GuardEdit {
  unsigned begin = 0;               ///< offset of the first one's first character
  unsigned end = 0;                 ///< offset past the last one's last character
  std::string call;                 ///< an expression, not 0 where they are left out
  std::string otherwise;            ///< statements that run then, or ""
  std::vector<std::string> comment; ///< lines for the reader, of any text

  /// The text in front of the statements, and behind them. In brackets of their own, so that an
  /// else around them stays with its if.
  std::string opening() const { return "{ if (!" + call + ") {"; }
  std::string closing() const;
};

/// A directive that becomes statements.
struct ReplacementEdit {
  unsigned begin = 0; ///< offset of its first character
  unsigned end = 0;   ///< offset past its last one, perhaps some lines later
  std::vector<std::string> statements;
  std::vector<std::string> comment; ///< lines for the reader, of any text
};

struct EditedFile {
  clang::FileEntryRef file;
  std::string name;     ///< as the compiler names it
  std::string original; ///< the text before
  std::vector<ScopeEdit> scopes;
  std::vector<CalleeEdit> callees;
  std::vector<CallEdit> calls;
  std::vector<GuardEdit> guards;
  std::vector<ReplacementEdit> replacements;

  /// What is compiled: edits stay on the lines of what they surround.
  std::string compiled() const;
  /// What is read: a line that includes the runtime's header, comments, scopes on their own lines.
  std::string readable() const;
};

class Edits {
public:
  /// Puts a scope around a loop; the same place twice is one edit.
  void addScope(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                ScopeEdit scope);
  /// Puts a check around a callee in a scope of the file; the same place twice is one edit.
  void addCallee(clang::FileEntryRef file, CalleeEdit callee);
  /// Puts something before a call of MPI; the same place twice is one edit.
  void addCall(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
               CallEdit call);
  /// Puts a call in front of statements; the same place twice is one edit.
  void addGuard(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                GuardEdit guard);
  /// Puts statements in the place of a directive; the same place twice is one edit.
  void addReplacement(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                      ReplacementEdit replacement);
  const std::vector<EditedFile> &files() const { return editedFiles; }
  bool empty() const { return editedFiles.empty(); }

private:
  std::vector<EditedFile>::iterator find(clang::FileEntryRef file);
  EditedFile &findOrAdd(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original);

  std::vector<EditedFile> editedFiles;
};

/// Writes the readable text of each file into `directory`: files below the working directory keep
/// their relative path, others their name, or their whole path where another file has that name.
/// The first line says which source it is. Written beside and renamed; a file that is not ours is
/// never replaced, and that the target would be the source itself is an error. Returns the error,
/// or "".
std::string writeReadable(const std::vector<EditedFile> &files, const std::string &directory);

} // namespace sendwright

#endif
