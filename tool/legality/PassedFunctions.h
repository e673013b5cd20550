// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a call through a parameter leads: static double sum(double (*value)(int)) { ... value(i) }.
// No other unit can call a function of internal linkage whose address is not taken. So its
// parameters are what the unit's own calls of it pass; where these name functions, they are known.

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

  /// All that a call through a pointer may lead to, or null where that is not known: functions of
  /// the program or of MPI, and of libraries those that end and wait for nothing. Owned by this.
  /// The first time linear in the unit, then in the calls of the function around the call.
  const std::vector<const clang::FunctionDecl *> *targetsOf(const clang::CallExpr &call);

private:
  struct State;
  clang::ASTContext &context;
  std::unique_ptr<State> state; // once asked
};

} // namespace sendwright

#endif
