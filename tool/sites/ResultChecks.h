// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls whose result is looked at: `rc = MPI_Send(...)`, `int rc = MPI_Send(...)`, `if
// (MPI_Send(...) != MPI_SUCCESS) ...`, or a block of such a statement followed by checks. Without
// an error, nothing else happens there.

#ifndef SENDWRIGHT_TOOL_SITES_RESULTCHECKS_H
#define SENDWRIGHT_TOOL_SITES_RESULTCHECKS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace sendwright {

struct CheckedCall {
  const clang::CallExpr *call = nullptr;
  bool usesResult = false;
  const clang::VarDecl *result = nullptr; ///< the variable that gets the result, if any
};

/// The call that a statement consists of, apart from what becomes of its result; without a call
/// where it is something else. Linear in the statement.
CheckedCall callIn(const clang::Stmt *statement, const clang::ASTContext &context);

/// Whether a statement only acts where the variable holds an error: `if (rc) ...`, `if (rc !=
/// MPI_SUCCESS) ...`, without an else.
bool isCheckOf(const clang::Stmt *statement, const clang::VarDecl *result,
               const clang::ASTContext &context);

} // namespace sendwright

#endif
