// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user knows of a program and the compiler cannot: functions that never communicate, files
// to keep out of. It stands in a file `.sendwright` upward from the source, or in arguments:
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

  /// A function, by its qualified name without template arguments, that neither communicates nor
  /// waits for what does; it may write what its arguments lead to.
  bool neverCommunicates(llvm::StringRef qualifiedName) const;
  bool namesFunctions() const { return !functions.empty(); }

  /// Whether the loops of a file stay as they are. A pattern without a slash is for the file's
  /// name, others for its path from the folder of the `.sendwright` file (of arguments: from the
  /// working directory) on.
  bool leavesOut(llvm::StringRef file) const;

  /// The file that was read; empty: there is none.
  const std::string &file() const { return name; }

private:
  struct FilePattern {
    std::string pattern;
    bool ofName; ///< not of the path
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
