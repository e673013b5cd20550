// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over ranks that send to each, or receive from each, and single sends and receives: the
// pieces that collective operations are spelled with.

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
  const clang::Stmt *statement = nullptr; ///< that the call is all of (ResultChecks.h)
  bool sends = false, blocking = false;
  bool usesResult = false;                ///< what it returns is kept or checked
  const clang::VarDecl *result = nullptr; ///< the variable that gets it, where one does
  const clang::Expr *buffer = nullptr, *count = nullptr, *datatype = nullptr, *peer = nullptr,
                    *tag = nullptr, *communicator = nullptr;
  const clang::Expr *request = nullptr; ///< of one that does not block
  const clang::Expr *status = nullptr;  ///< of a blocking receive
};

/// for (variable = first; variable < end; ++variable) with one such call for each rank.
struct MessageLoop {
  const clang::ForStmt *loop = nullptr;
  const clang::VarDecl *variable = nullptr;
  bool declaresVariable = false;
  const clang::Expr *first = nullptr, *end = nullptr;
  bool inclusive = false;                ///< of `end`
  const clang::Expr *excluded = nullptr; ///< the rank that is left out, where there is one
  MessageCall message;
  const clang::VarDecl *counter = nullptr;    ///< of the requests, where there is one
  bool fromAny = false;                       ///< the peer is not the variable but any source
  std::vector<const clang::Stmt *> others;    ///< what it does besides, for each rank
  std::vector<const clang::VarDecl *> locals; ///< declared in its body, and not set there

  /// The first of the body's own variables that the expression names, which nothing outside of the
  /// loop can name; null: none.
  const clang::VarDecl *localIn(const clang::Expr &expression) const;
};

/// The message that a statement sends or receives and does nothing else; nothing for others.
std::optional<MessageCall> messageOf(const clang::Stmt *statement,
                                     const clang::ASTContext &context);

/// The halves of the MPI_Sendrecv that a statement does, and nothing else; nothing for others.
struct ExchangeCall {
  MessageCall sent, received;
};
std::optional<ExchangeCall> exchangeOf(const clang::Stmt *statement,
                                       const clang::ASTContext &context);

/// The head of a loop `for (variable = first; variable < end; ++variable)`, whatever is in it;
/// nothing for others.
std::optional<MessageLoop> loopHeadOf(const clang::Stmt *statement,
                                      const clang::ASTContext &context);

/// The loop over ranks that a statement is; nothing for others.
std::optional<MessageLoop> messageLoopOf(const clang::Stmt *statement,
                                         const clang::ASTContext &context);

/// The call of MPI_Waitall or MPI_Wait that a statement is; none for others.
CheckedCall waitIn(const clang::Stmt *statement, const clang::ASTContext &context);
const clang::CallExpr *waitOf(const clang::Stmt *statement, const clang::ASTContext &context);

/// Whether a status, or an array of them, is MPI's word for none.
bool ignoresStatus(const clang::Expr &status, const clang::ASTContext &context);

/// The statements of a block, or the one statement that stands for it.
std::vector<const clang::Stmt *> statementsOf(const clang::Stmt *block);

} // namespace sendwright

#endif
