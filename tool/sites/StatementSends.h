// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a statement does with messages: how often it sends outside of loops, whether it sends in a
// loop, and whether it calls MPI in a way that ends a batch. Functions whose bodies the unit has
// count with what they do.

#ifndef SENDWRIGHT_TOOL_SITES_STATEMENTSENDS_H
#define SENDWRIGHT_TOOL_SITES_STATEMENTSENDS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace sendwright {

struct StatementSends {
  unsigned sends = 0; ///< calls that a batch may capture, outside of loops
  bool sendsInLoop = false;
  bool startsSeveral = false; ///< an MPI_Startall of its own, outside of loops
  bool endsBatch = false;     ///< a call that waits, receives or synchronises, wherever it stands
  bool callsUnknown = false;  ///< a call of a function that the unit does not have, which may do so
  /// What says where the sends go, outside of loops: the destination, the request of a persistent
  /// send, or a whole call of a function that sends.
  std::vector<const clang::Expr *> destinations;
};

/// The answers for one unit. Functions are looked at once.
class SendingStatements {
public:
  explicit SendingStatements(const clang::ASTContext &context) : context(context) {}

  /// Linear in the statement, and in the functions that it reaches for the first time.
  StatementSends of(const clang::Stmt &statement);

  /// Notes all functions that the loop calls, also through others, and the templates that they are
  /// instantiations of: what they send belongs to the loop. Linear in the loop and the functions
  /// reached for the first time.
  void noteSendLoop(const clang::Stmt &loop);
  bool isCalledFromSendLoop(const clang::FunctionDecl &function) const {
    return belowLoops.contains(&function);
  }

private:
  class Walk;
  class Callees;
  const StatementSends &ofFunction(const clang::FunctionDecl &definition);

  const clang::ASTContext &context;
  llvm::DenseMap<const clang::FunctionDecl *, StatementSends> functions;
  llvm::DenseSet<const clang::FunctionDecl *> belowLoops;
};

} // namespace sendwright

#endif
