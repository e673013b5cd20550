// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/Surroundings.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace sendwright {

using namespace clang;

void forEachChild(const Stmt *statement, llvm::function_ref<void(const Stmt *)> visit) {
  const auto visitIfAny = [&](const Stmt *child) {
    if (child)
      visit(child);
  };
  if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) {
    for (const Expr *init : lambda->capture_inits())
      visitIfAny(init);
  } else if (const auto *captured = dyn_cast<CapturedStmt>(statement)) {
    visitIfAny(captured->getCapturedStmt());
  } else if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement)) {
    if (directive->hasAssociatedStmt())
      visitIfAny(directive->getRawStmt());
  } else {
    for (const Stmt *child : statement->children())
      visitIfAny(child);
  }
}

bool contains(const Stmt &outer, const Stmt *inner) {
  if (&outer == inner)
    return true;
  bool found = false;
  forEachChild(&outer, [&](const Stmt *child) { found = found || contains(*child, inner); });
  return found;
}

std::string functionObstacle(const FunctionDecl *function) {
  if (function->hasAttr<CUDAGlobalAttr>() ||
      (function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>()))
    return "the function runs on a device";
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  const bool lambda = method && method->getParent()->isLambda();
  // A lambda is constexpr wherever it can be, even if the user did not ask for it.
  if (function->isConsteval() || (function->isConstexpr() && !lambda))
    return "the function is constexpr";
  return "";
}

/// The inserted text names an object of the file, which a default clause may forbid or make
/// private.
std::string regionObstacle(const OMPExecutableDirective *directive, const std::string &what) {
  if (isOpenMPTargetExecutionDirective(directive->getDirectiveKind()))
    return what + " runs on a device";
  for (const OMPClause *clause : directive->clauses())
    if (const auto *defaults = dyn_cast<OMPDefaultClause>(clause);
        defaults && defaults->getDefaultKind() != llvm::omp::OMP_DEFAULT_shared)
      return what + " stands in an OpenMP region with a default clause";
  return "";
}

} // namespace sendwright
