// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of a unit's text: scopes around loops, checks around callees in them, calls before MPI
// calls or in place of statements, and statements in place of directives. They give two texts: one
// for the compiler, in which no line is added or removed, and one for a person, in which scopes
// have their own lines and say what the plan does there.

#ifndef SENDWRIGHT_TOOL_SOURCE_EDITS_H
#define SENDWRIGHT_TOOL_SOURCE_EDITS_H

#include "clang/Basic/FileEntry.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sendwright {

struct ScopeEdit {
  unsigned begin = 0;               ///< offset of the loop's first character
  unsigned end = 0;                 ///< offset past its last character
  std::string opening;              ///< the statement that opens the scope
  std::vector<std::string> comment; ///< lines for the reader, of any text
};

/// A callee, or the object of a callee, that the runtime must see.
struct CalleeEdit {
  unsigned begin = 0; ///< offset of its first character
  unsigned end = 0;   ///< offset past its last character
  std::string call;   ///< its text becomes the last argument of this call: "name(", or "name(1, "
};

/// An MPI call that the runtime must be told of beforehand.
struct CallEdit {
  unsigned begin = 0;               ///< offset of the first character, of the call or of its
                                    ///< statement
  unsigned end = 0;                 ///< offset past the call's last character
  bool isStatement = false;         ///< of a block: the runtime's call can be a separate statement
                                    ///< before it
  std::string before;               ///< the runtime's call
  std::vector<std::string> comment; ///< lines for the reader, of any text
};

/// Statements that are skipped if a call says that it has done their work.
struct GuardEdit {
  unsigned begin = 0;               ///< offset of the first statement's first character
  unsigned end = 0;                 ///< offset past the last statement's last character
  std::string call;                 ///< an expression, not 0 if the statements are skipped
  std::string otherwise;            ///< statements that run if the others are skipped, or ""
  std::vector<std::string> comment; ///< lines for the reader, of any text

  /// The text in front of the statements, and after them. It has its own braces, so that an else
  /// around them stays with its if.
  std::string opening() const { return "{ if (!" + call + ") {"; }
  std::string closing() const;
};

/// A directive that becomes statements.
struct ReplacementEdit {
  unsigned begin = 0; ///< offset of its first character
  unsigned end = 0;   ///< offset past its last character, perhaps some lines later
  std::vector<std::string> statements;
  std::vector<std::string> comment; ///< lines for the reader, of any text
};

struct EditedFile {
  clang::FileEntryRef file;
  std::string name;     ///< named as the compiler does
  std::string original; ///< the text before the edits
  std::vector<ScopeEdit> scopes;
  std::vector<CalleeEdit> callees;
  std::vector<CallEdit> calls;
  std::vector<GuardEdit> guards;
  std::vector<ReplacementEdit> replacements;

  /// The text to compile: edits stay on the lines of what they surround.
  std::string compiled() const;
  /// The text to read: a line that includes the runtime's header, comments, scopes on their own
  /// lines.
  std::string readable() const;
};

class Edits {
public:
  /// Puts a scope around a loop. Here and below, a second edit of the same place changes nothing.
  void addScope(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                ScopeEdit scope);
  /// Puts a check around a callee in a scope of the file.
  void addCallee(clang::FileEntryRef file, CalleeEdit callee);
  /// Puts something before a call of MPI.
  void addCall(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
               CallEdit call);
  /// Puts a call in front of statements.
  void addGuard(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                GuardEdit guard);
  /// Puts statements in place of a directive.
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
/// their relative path, others their name, or their whole path if another file has that name. The
/// first line names the source. Each file is written beside its target and renamed. It is an error
/// if the target is the source itself, or a file that Sendwright did not write. Returns the error,
/// or "".
std::string writeReadable(const std::vector<EditedFile> &files, const std::string &directory);

} // namespace sendwright

#endif
