// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/ResultChecks.h"

#include "tool/sites/MessageLoops.h"

namespace sendwright {

namespace {

using namespace clang;

/// A call, or an assignment of its result.
CheckedCall callOrAssignment(const Expr *expression) {
  CheckedCall found;
  expression = expression->IgnoreParenCasts();
  if (const auto *assignment = dyn_cast<BinaryOperator>(expression);
      assignment && assignment->getOpcode() == BO_Assign) {
    found.usesResult = true;
    if (const auto *name = dyn_cast<DeclRefExpr>(assignment->getLHS()->IgnoreParens()))
      found.result = dyn_cast<VarDecl>(name->getDecl());
    expression = assignment->getRHS()->IgnoreParenCasts();
  }
  found.call = dyn_cast<CallExpr>(expression);
  return found;
}

/// The expression that a branch tests for an error; null for other statements.
const Expr *testedForError(const Stmt *statement, const ASTContext &context) {
  const auto *branch = dyn_cast<IfStmt>(statement);
  if (!branch || branch->getElse() || branch->hasInitStorage() || branch->hasVarStorage())
    return nullptr;
  const Expr *condition = branch->getCond()->IgnoreParenImpCasts();
  const auto *comparison = dyn_cast<BinaryOperator>(condition);
  if (!comparison || comparison->isAssignmentOp())
    return condition;
  if (comparison->getOpcode() != BO_NE)
    return nullptr;
  const auto isSuccess = [&](const Expr *expression) {
    Expr::EvalResult number;
    return !expression->isValueDependent() && expression->EvaluateAsInt(number, context) &&
           number.Val.getInt() == 0;
  };
  return isSuccess(comparison->getRHS())   ? comparison->getLHS()->IgnoreParenImpCasts()
         : isSuccess(comparison->getLHS()) ? comparison->getRHS()->IgnoreParenImpCasts()
                                           : nullptr;
}

/// The statements of a block, also of a block that a macro spells as `do ... while (0)`.
std::vector<const Stmt *> blockIn(const Stmt *statement, const ASTContext &context) {
  if (const auto *once = dyn_cast<DoStmt>(statement)) {
    Expr::EvalResult again;
    return !once->getCond()->isValueDependent() && once->getCond()->EvaluateAsInt(again, context) &&
                   again.Val.getInt() == 0
               ? statementsOf(once->getBody())
               : std::vector<const Stmt *>();
  }
  return isa<CompoundStmt>(statement) ? statementsOf(statement) : std::vector<const Stmt *>();
}

/// Whether the statement only declares variables without a value.
bool declaresOnly(const Stmt *statement) {
  const auto *declaration = dyn_cast<DeclStmt>(statement);
  return declaration && llvm::all_of(declaration->decls(), [](const Decl *one) {
           const auto *variable = dyn_cast<VarDecl>(one);
           return variable && variable->hasLocalStorage() && !variable->getInit() &&
                  !variable->getType()->isRecordType();
         });
}

} // namespace

CheckedCall callIn(const Stmt *statement, const ASTContext &context) {
  if (const auto *expression = dyn_cast<Expr>(statement))
    return callOrAssignment(expression);
  if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
    const auto *variable =
        declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
    if (!variable || !variable->getInit() || !variable->hasLocalStorage())
      return {};
    const auto *call = dyn_cast<CallExpr>(variable->getInit()->IgnoreParenCasts());
    return {call, true, variable};
  }
  if (const Expr *tested = testedForError(statement, context)) {
    CheckedCall found = callOrAssignment(tested);
    found.usesResult = true;
    return found;
  }
  CheckedCall found;
  for (const Stmt *part : blockIn(statement, context)) {
    if (isa<NullStmt>(part) ||
        (found.call ? isCheckOf(part, found.result, context) : declaresOnly(part)))
      continue;
    if (found.call)
      return {};
    found = callIn(part, context);
    if (!found.call)
      return {};
  }
  return found;
}

bool isCheckOf(const Stmt *statement, const VarDecl *result, const ASTContext &context) {
  const Expr *tested = result ? testedForError(statement, context) : nullptr;
  const auto *name = dyn_cast_or_null<DeclRefExpr>(tested);
  return name && name->getDecl() == result;
}

} // namespace sendwright
