// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What shells need to complete a command line of Sendwright: commands, options, their values, and
// names of files.

#ifndef SENDWRIGHT_TOOL_COMMAND_DOCUMENT_COMPLETIONS_H
#define SENDWRIGHT_TOOL_COMMAND_DOCUMENT_COMPLETIONS_H

#include "tool/command/document/CommandLine.h"

#include <string>

namespace sendwright {

/// A file for bash's folder of completions. Needs nothing else of bash-completion.
std::string bashCompletion(const DocumentedCommand &all);

/// A function for a folder of zsh's fpath.
std::string zshCompletion(const DocumentedCommand &all);

} // namespace sendwright

#endif
