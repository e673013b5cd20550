// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of a compilation, reduced to reading the unit.

#ifndef SENDWRIGHT_TOOL_UNIT_QUIETINVOCATION_H
#define SENDWRIGHT_TOOL_UNIT_QUIETINVOCATION_H

#include "clang/Frontend/CompilerInvocation.h"

namespace sendwright {

/// Removes everything that writes a file or starts a plugin: what is left reads the unit as the
/// compilation would.
void keepOnlyReading(clang::CompilerInvocation &invocation);

} // namespace sendwright

#endif
