// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a loop sends by itself, or leaves that to loops inside it: what goes wrong there is said
// at the inner loop.

#ifndef SENDWRIGHT_TOOL_SITES_OWNSENDS_H
#define SENDWRIGHT_TOOL_SITES_OWNSENDS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace sendwright {

/// True where `loop`, or a function whose body is visible, calls an MPI send outside of any loop
/// inside it. Linear in the code that is reached.
bool sendsByItself(const clang::Stmt &loop, const clang::ASTContext &context);

} // namespace sendwright

#endif
