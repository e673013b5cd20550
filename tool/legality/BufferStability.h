// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether blocking sends in a loop may be deferred without a copy: nothing in the loop may
// overwrite what any of them sends. The proof succeeds where each variable that the loop changes
// either cannot be a buffer (running pointers, counters) or is certainly a different one. A posted
// receive, the end of a variable's life and free() count as stores. Where the proof fails, the only
// cost is a copy.

#ifndef SENDWRIGHT_TOOL_LEGALITY_BUFFERSTABILITY_H
#define SENDWRIGHT_TOOL_LEGALITY_BUFFERSTABILITY_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

#include <functional>

namespace sendwright {

/// What a called function may do to buffers that other functions send from.
struct CalleeStores {
  bool writesMemory = true;
  bool maySend = true; ///< from buffers that are not seen here
};
using CalleeStoresOracle = std::function<CalleeStores(const clang::FunctionDecl &)>;

/// Whether the unit opens memory to other ranks, which may then write to it at any time: nothing
/// can be proved in such a unit. Linear in the unit.
bool createsWindows(clang::ASTContext &context);

/// True where `loop` of `function` provably overwrites no buffer of a blocking send in it. The
/// oracle is asked about functions defined here and functions of other units. Linear in the
/// function.
bool hasStableBuffers(const clang::Stmt &loop, const clang::FunctionDecl &function,
                      clang::ASTContext &context, const CalleeStoresOracle &oracle);

} // namespace sendwright

#endif
