// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a loop sends by itself, or only through loops inside it: problems with the sends are
// reported at the inner loop.

#ifndef SENDWRIGHT_TOOL_SITES_OWNSENDS_H
#define SENDWRIGHT_TOOL_SITES_OWNSENDS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace sendwright {

/// True where `loop`, or a function whose body is visible, calls an MPI send outside of any loop
/// inside it. Linear in the code reached.
bool sendsByItself(const clang::Stmt &loop, const clang::ASTContext &context);

} // namespace sendwright

#endif
