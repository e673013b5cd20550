// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --method: how messages are shared, the same for plan and analyze sharing.

#ifndef SENDWRIGHT_TOOL_COMMAND_BASE_METHODOPTION_H
#define SENDWRIGHT_TOOL_COMMAND_BASE_METHODOPTION_H

#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sendwright {

/// Adds --method to `command`. `method` gets one of the names of
/// analysis/sharing/search/SharingMethod.h; other words are wrong usage.
CLI::Option *addMethodOption(CLI::App &command, std::string &method,
                             const std::string &description);

} // namespace sendwright

#endif
