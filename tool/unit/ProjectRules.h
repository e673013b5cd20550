// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user knows about a program and the compiler cannot know: functions that never
// communicate, and files to leave alone. It stands in a file `.sendwright` in a folder above the
// source, or in arguments:
//
//     # one kind of fact a line; patterns with *, ? and [...]
//     no-communication  cblas_* solver::factorize
//     leave-out         third_party/* generated.c

#ifndef SENDWRIGHT_TOOL_UNIT_PROJECTRULES_H
#define SENDWRIGHT_TOOL_UNIT_PROJECTRULES_H

#include "tool/unit/Options.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sendwright {

class ProjectRules {
public:
  /// Reads the nearest `.sendwright` in the folder of `source` or above it, and adds what `options`
  /// say. Throws FormatError for a file or an argument that cannot be understood.
  static ProjectRules forSource(llvm::StringRef source, const Options &options);

  /// Whether a function, given by its qualified name without template arguments, neither
  /// communicates nor waits for anything that does; it may write to what its arguments lead to.
  bool neverCommunicates(llvm::StringRef qualifiedName) const;
  bool namesFunctions() const { return !functions.empty(); }

  /// Whether the loops of a file stay as they are. A pattern without a slash applies to the file's
  /// name; other patterns apply to its path relative to the folder of the `.sendwright` file (for
  /// arguments: to the working directory).
  bool leavesOut(llvm::StringRef file) const;

  /// The file that was read; empty: no file.
  const std::string &file() const { return name; }

private:
  struct FilePattern {
    std::string pattern;
    bool ofName; ///< applies to the name, not the path
    std::string folder;
  };
  std::string name;
  std::vector<std::string> functions; ///< patterns
  std::vector<FilePattern> files;

  void readFile(llvm::StringRef path);
  void addWord(llvm::StringRef keyword, llvm::StringRef word, llvm::StringRef folder,
               const std::string &where);
};

} // namespace sendwright

#endif
