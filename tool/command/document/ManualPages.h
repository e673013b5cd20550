// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manual pages in the macros of man(7).

#ifndef SENDWRIGHT_TOOL_COMMAND_DOCUMENT_MANUALPAGES_H
#define SENDWRIGHT_TOOL_COMMAND_DOCUMENT_MANUALPAGES_H

#include "tool/command/document/CommandLine.h"

#include <string>

namespace sendwright {

/// The name of a command's page, without its section: "sendwright-trace-matrix".
std::string manualName(const DocumentedCommand &command);

/// The page of one command. `all`: the whole command line, for the pages to see also.
std::string manualPage(const DocumentedCommand &command, const DocumentedCommand &all,
                       const std::string &version);

} // namespace sendwright

#endif
