// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a call of MPI_Wait or MPI_Waitall may move behind the statements that follow it in its
// block: over statements that end without calling MPI or the program's functions, and provably use
// neither the wait's requests nor memory that its messages use.
//
// The proof knows memory by name (NamedMemory.h): all memory that a passed statement touches, and
// all buffers of the wait, must have such names.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_COMPLETION_WAITMOTION_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_COMPLETION_WAITMOTION_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

#include <string>

namespace sendwright {

struct WaitMotion {
  unsigned begin = 0, end = 0; ///< the wait's statement, with its semicolon
  unsigned behind = 0;         ///< offset behind the last statement that it passes
  unsigned statements = 0;     ///< that it passes; 0: it stays where it is
  std::string obstacle;        ///< what is in the way of a longer move: "line 40 uses 'halo', which
                               ///< it receives"; empty: nothing, it stands at the end of its block
};

/// How far `wait`, a call of MPI_Wait or MPI_Waitall, may move. Linear in its function.
WaitMotion findMotion(const clang::CallExpr &wait, clang::ASTContext &context);

} // namespace sendwright

#endif
