// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is printed about the machine that predictions rest on.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNMACHINE_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNMACHINE_H

#include "analysis/machine/Machine.h"

#include <cstdio>

namespace sendwright {

/// Prints one line with the names of the figures that varied while they were measured; nothing
/// where no figure did, or where the machine file does not say.
void printUnstableFigures(std::FILE *out, const Machine &machine);

} // namespace sendwright

#endif
