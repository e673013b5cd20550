// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options whose value is a list of whole numbers (analysis/file/NumberList.h).

#ifndef SENDWRIGHT_TOOL_COMMAND_BASE_NUMBERLISTOPTION_H
#define SENDWRIGHT_TOOL_COMMAND_BASE_NUMBERLISTOPTION_H

#include <cstdint>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sendwright {

struct NumberListSyntax {
  const char *shown;    ///< in the help: "LIST|@FILE"
  const char *expected; ///< in messages: "numbers of buffers"
  std::uint64_t largest;
};

/// Adds an option that parseNumberList() reads. Words that are not numbers are wrong usage. The
/// command itself reads a file and reports its errors as a wrong file.
CLI::Option *addNumberListOption(CLI::App &command, const std::string &name, std::string &value,
                                 const std::string &description, const NumberListSyntax &syntax);

} // namespace sendwright

#endif
