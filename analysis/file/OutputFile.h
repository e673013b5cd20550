// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that appears whole or not at all. It is written without a name where the file system
// allows that (nothing remains even if the process is killed), and otherwise under a temporary name
// beside its target; it is renamed once it is complete.

#ifndef SENDWRIGHT_ANALYSIS_FILE_OUTPUTFILE_H
#define SENDWRIGHT_ANALYSIS_FILE_OUTPUTFILE_H

#include <cstdio>
#include <string>
#include <string_view>

namespace sendwright {

/// "-" is standard output. Standard output and files that are not regular (a device, a pipe)
/// receive the bytes at the end. All members throw FormatError with the name and the system's
/// reason. Not thread-safe.
class OutputFile {
public:
  explicit OutputFile(const std::string &name);
  ~OutputFile(); ///< discards what was written unless commit() succeeded
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Appends.
  void write(std::string_view bytes);
  /// Overwrites bytes that were written at the start.
  void rewriteStart(std::string_view bytes);
  /// Makes the file durable and gives it its name, replacing any file of that name.
  void commit();

private:
  void open();
  void nameTemporary();
  void copyToTarget();
  [[noreturn]] void fail() const;

  std::string name;      // as given, for messages
  std::string target;    // with symbolic links resolved
  std::string temporary; // empty while the file has no name
  std::FILE *file = nullptr;
  bool rename = true;
};

/// Writes a whole file through OutputFile.
void writeWholeFile(const std::string &name, std::string_view bytes);

} // namespace sendwright

#endif
