// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edits of each file of a unit, or of a program, and the two texts that come of them (Edit.h).

#ifndef SENDWRIGHT_TOOL_SOURCE_EDITS_H
#define SENDWRIGHT_TOOL_SOURCE_EDITS_H

#include "tool/source/Edit.h"

#include "clang/Basic/FileEntry.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sendwright {

struct EditedFile {
  clang::FileEntryRef file;
  std::string name;     ///< named as the compiler does
  std::string original; ///< the text before the edits
  std::vector<Edit> edits;

  /// What is compiled.
  std::string compiled() const { return edited(original, edits, &Edit::compiled); }
  /// What is read: with lines in front that include the runtime's headers.
  std::string readable() const;
};

class Edits {
public:
  /// Adds edits of a file; of the same edit again the first stays.
  void add(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
           std::vector<Edit> edits);
  /// The same for a file of a unit. A buffer without a file is left as it is: false.
  bool add(const clang::SourceManager &sources, clang::FileID file, std::vector<Edit> edits);
  const std::vector<EditedFile> &files() const { return editedFiles; }
  bool empty() const { return editedFiles.empty(); }

private:
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
