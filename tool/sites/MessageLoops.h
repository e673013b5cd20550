// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that send to each rank or receive from each rank, and single sends and receives: the parts
// of which hand-written collective operations consist.

#ifndef SENDWRIGHT_TOOL_SITES_MESSAGELOOPS_H
#define SENDWRIGHT_TOOL_SITES_MESSAGELOOPS_H

#include "tool/sites/LoopSites.h"

#include "tool/sites/ResultChecks.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// MPI_Send, MPI_Isend, MPI_Recv or MPI_Irecv, or one half of MPI_Sendrecv, with its arguments.
struct MessageCall {
  const clang::CallExpr *call = nullptr;
  const clang::Stmt *statement = nullptr; ///< that consists of the call (ResultChecks.h)
  bool sends = false, blocking = false;
  bool usesResult = false;                ///< its result is kept or checked
  const clang::VarDecl *result = nullptr; ///< the variable that gets the result, if any
  const clang::Expr *buffer = nullptr, *count = nullptr, *datatype = nullptr, *peer = nullptr,
                    *tag = nullptr, *communicator = nullptr;
  const clang::Expr *request = nullptr; ///< of a nonblocking call
  const clang::Expr *status = nullptr;  ///< of a blocking receive
};

/// for (variable = first; variable < end; ++variable) with one such call for each rank.
struct MessageLoop {
  const clang::ForStmt *loop = nullptr;
  const clang::VarDecl *variable = nullptr;
  bool declaresVariable = false;
  const clang::Expr *first = nullptr, *end = nullptr;
  bool inclusive = false;                ///< of `end`
  const clang::Expr *excluded = nullptr; ///< the rank that is left out, if any
  MessageCall message;
  const clang::VarDecl *counter = nullptr;    ///< counts the requests, if there is a counter
  bool fromAny = false;                       ///< the peer is any source, not the variable
  std::vector<const clang::Stmt *> others;    ///< what else the loop does for each rank
  std::vector<const clang::VarDecl *> locals; ///< declared in its body without a value

  /// The first variable declared in the body that the expression names (nothing outside of the loop
  /// can name it); null where there is none.
  const clang::VarDecl *localIn(const clang::Expr &expression) const;
};

/// The message that a statement sends or receives; nothing where the statement does anything else.
std::optional<MessageCall> messageOf(const clang::Stmt *statement,
                                     const clang::ASTContext &context);

/// The halves of the MPI_Sendrecv that a statement consists of.
struct PairwiseCall {
  MessageCall sent, received;
};
std::optional<PairwiseCall> pairwiseCallOf(const clang::Stmt *statement,
                                           const clang::ASTContext &context);

/// The head of a loop `for (variable = first; variable < end; ++variable)` with any body; nothing
/// for other statements.
std::optional<MessageLoop> loopHeadOf(const clang::Stmt *statement,
                                      const clang::ASTContext &context);

/// The loop over ranks that a statement is; nothing for other statements.
std::optional<MessageLoop> messageLoopOf(const clang::Stmt *statement,
                                         const clang::ASTContext &context);

/// The call of MPI_Waitall or MPI_Wait that a statement is; without a call for other statements.
CheckedCall waitIn(const clang::Stmt *statement, const clang::ASTContext &context);
const clang::CallExpr *waitOf(const clang::Stmt *statement, const clang::ASTContext &context);

/// Whether a status, or an array of statuses, is MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE.
bool ignoresStatus(const clang::Expr &status, const clang::ASTContext &context);

/// The statements of a block, or the one statement that stands for it.
std::vector<const clang::Stmt *> statementsOf(const clang::Stmt *block);

} // namespace sendwright

#endif
