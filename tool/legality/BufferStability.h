// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether blocking sends in a loop may be deferred without a copy: nothing in the loop may
// overwrite what any of them sends. Proved for loops that change only variables which cannot be a
// buffer (running pointers, counters) or certainly are another one; a posted receive, the end of a
// variable's life and free() count as stores. What is not proved costs a copy, no more.

#ifndef SENDWRIGHT_TOOL_LEGALITY_BUFFERSTABILITY_H
#define SENDWRIGHT_TOOL_LEGALITY_BUFFERSTABILITY_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

#include <functional>

namespace sendwright {

/// What a called function may do to buffers that others send from.
struct CalleeStores {
  bool writesMemory = true;
  bool maySend = true; ///< from buffers that are not seen here
};
using CalleeStoresOracle = std::function<CalleeStores(const clang::FunctionDecl &)>;

/// True where the unit opens memory to other ranks, who then write to it when they like: nothing is
/// proved there. Linear in the unit.
bool createsWindows(clang::ASTContext &context);

/// True where it is proved that `loop` of `function` overwrites no buffer of a blocking send in it.
/// The oracle is asked of definitions and of functions of other units. Linear in the function.
bool hasStableBuffers(const clang::Stmt &loop, const clang::FunctionDecl &function,
                      clang::ASTContext &context, const CalleeStoresOracle &oracle);

} // namespace sendwright

#endif
