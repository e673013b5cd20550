// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source lines of addresses, for a message that ends the program. A rank names an address by its
// module and the offset there; addr2line, run as a child, says the line, if it is installed and the
// module has debug information.

#ifndef SENDWRIGHT_RUNTIME_STRICT_SOURCELINES_H
#define SENDWRIGHT_RUNTIME_STRICT_SOURCELINES_H

#include <map>
#include <string>

namespace sendwright::strict {

/// "path of the module\n0x12" of a return address: where in the file the call is. Empty for null.
std::string moduleAndOffset(const void *returnAddress);

class SourceLines {
public:
  /// "file.c:12" of what moduleAndOffset() gave; "module+0x12" where no line is known. What
  /// is a line already stays it.
  std::string of(const std::string &address);

private:
  std::map<std::string, std::string> known;
};

} // namespace sendwright::strict

#endif
