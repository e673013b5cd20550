// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What in the syntax of a function prevents a scope around one of its loops: the program would not
// compile any more, or a pragma or attribute would apply to something else.

#ifndef SENDWRIGHT_TOOL_SITES_LOOPOBSTACLES_H
#define SENDWRIGHT_TOOL_SITES_LOOPOBSTACLES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <string>

namespace sendwright {

/// for, range-for, while and do; but not do ... while (0), by which macros spell a block.
bool isLoop(const clang::Stmt *statement);

/// Calls `visit` for every loop of the function's own body (not of lambdas in it), outermost first,
/// with the reason why no scope can be put around it, or "". Linear in the body, times the depth of
/// its loops.
void forEachLoop(const clang::FunctionDecl *function,
                 const std::function<void(const clang::Stmt *, const std::string &)> &visit);

} // namespace sendwright

#endif
