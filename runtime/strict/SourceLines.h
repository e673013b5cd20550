// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source lines of addresses, for a message that ends the program. A rank gives an address as its
// module and an offset in the module; addr2line, run as a child process, finds the line, if it is
// installed and the module has debug information.

#ifndef SENDWRIGHT_RUNTIME_STRICT_SOURCELINES_H
#define SENDWRIGHT_RUNTIME_STRICT_SOURCELINES_H

#include <map>
#include <string>

namespace sendwright::strict {

/// "path of the module\n0x12" for a return address: the call's place in the file. Empty for null.
std::string moduleAndOffset(const void *returnAddress);

class SourceLines {
public:
  /// "file.c:12" for a result of moduleAndOffset(); "module+0x12" if no line is known. A text that
  /// is a line already stays unchanged.
  std::string of(const std::string &address);

private:
  std::map<std::string, std::string> known;
};

} // namespace sendwright::strict

#endif
