// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a call through a parameter leads: static double sum(double (*value)(int)) { ... value(i) }.
// No other unit can call a function of internal linkage whose address is not taken. So its
// parameters hold what the unit's own calls pass; where these calls name functions, the targets are
// known.

#ifndef SENDWRIGHT_TOOL_LEGALITY_PASSEDFUNCTIONS_H
#define SENDWRIGHT_TOOL_LEGALITY_PASSEDFUNCTIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <memory>
#include <vector>

namespace sendwright {

class PassedFunctions {
public:
  /// The context must outlive this.
  explicit PassedFunctions(clang::ASTContext &context);
  ~PassedFunctions();

  /// Everything that a call through a pointer may lead to: functions of the program or of MPI, and
  /// library functions that return without waiting. Null where the targets are not known. Owned by
  /// this. The first call is linear in the unit, later ones in the calls of the function around
  /// `call`.
  const std::vector<const clang::FunctionDecl *> *targetsOf(const clang::CallExpr &call);

private:
  struct State;
  clang::ASTContext &context;
  std::unique_ptr<State> state; // built by the first question
};

} // namespace sendwright

#endif
