// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/EvaluatedCode.h"

#include "clang/AST/ExprConcepts.h"

using namespace clang;

namespace sendwright {

const CXXMethodDecl *certainMethod(const CXXMethodDecl &method, const MemberExpr *member) {
  if (!method.isVirtual() || !member || member->hasQualifier())
    return &method;
  return method.getDevirtualizedMethod(member->getBase(), false);
}

const CXXDestructorDecl *destructorOf(QualType type) {
  if (type.isNull() || type->isReferenceType() || type->isDependentType())
    return nullptr;
  const CXXRecordDecl *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
    return nullptr;
  return record->getDestructor();
}

const Expr *memberPointerOf(const CallExpr &call) {
  const auto *access = dyn_cast<BinaryOperator>(call.getCallee()->IgnoreParens());
  return access && access->isPtrMemOp() && !access->isTypeDependent() &&
                 !access->getRHS()->isTypeDependent() &&
                 access->getRHS()->getType()->isMemberFunctionPointerType()
             ? access->getRHS()->IgnoreImpCasts()
             : nullptr;
}

bool isIndirect(const CallExpr &call) {
  if (memberPointerOf(call))
    return true;
  if (call.getStmtClass() != Stmt::CallExprClass || call.getDirectCallee() ||
      call.getCallee()->isTypeDependent())
    return false;
  // The callee may also be written as an object that converts to a pointer.
  const QualType type = call.getCallee()->IgnoreParenImpCasts()->getType();
  return type->isFunctionPointerType() || type->isFunctionType() || type->isFunctionReferenceType();
}

const CXXMethodDecl *virtualCallee(const CallExpr &call) {
  const auto *member = dyn_cast<MemberExpr>(call.getCallee()->IgnoreParens());
  const auto *method = member ? dyn_cast<CXXMethodDecl>(member->getMemberDecl()) : nullptr;
  return isa<CXXMemberCallExpr>(call) && method && !isa<CXXDestructorDecl>(method) &&
                 !certainMethod(*method, member)
             ? method
             : nullptr;
}

std::string unknownCallReason(const CallExpr &call) {
  const Expr *callee = call.getCallee()->IgnoreParenImpCasts();
  if (const FunctionDecl *function = call.getDirectCallee())
    return "calls the virtual function '" + function->getNameAsString() +
           "', whose target is not known";
  if (const auto *name = dyn_cast<OverloadExpr>(callee))
    return "calls '" + name->getName().getAsString() + "', which depends on a template parameter";
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(callee))
    return "calls '" + member->getMember().getAsString() +
           "', which depends on a template parameter";
  if (callee->isTypeDependent())
    return "makes a call that depends on a template parameter";
  return memberPointerOf(call) ? "calls through a pointer to a member"
                               : "calls through a function pointer";
}

void EvaluatedCode::destructor(QualType type, SourceLocation where) {
  if (const CXXDestructorDecl *callee = destructorOf(type))
    onCall(*callee, nullptr, where);
}

void EvaluatedCode::walkFunction(const FunctionDecl &definition) {
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&definition))
    for (const CXXCtorInitializer *initializer : constructor->inits())
      TraverseStmt(initializer->getInit());
  TraverseStmt(definition.getBody());
  if (const auto *own = dyn_cast<CXXDestructorDecl>(&definition)) {
    for (const FieldDecl *field : own->getParent()->fields())
      destructor(field->getType(), own->getLocation());
    for (const CXXBaseSpecifier &base : own->getParent()->bases())
      destructor(base.getType(), own->getLocation());
  }
}

/// Leaves out code that is written here but does not run here.
bool EvaluatedCode::enters(Stmt &statement) {
  if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, RequiresExpr,
          ConceptSpecializationExpr>(statement))
    return false;
  if (const auto *selection = dyn_cast<GenericSelectionExpr>(&statement)) {
    if (!selection->isResultDependent())
      walkStatement(selection->getResultExpr());
    return false;
  }
  if (const auto *choice = dyn_cast<ChooseExpr>(&statement)) {
    if (!choice->isConditionDependent())
      walkStatement(choice->getChosenSubExpr());
    return false;
  }
  if (auto *lambda = dyn_cast<LambdaExpr>(&statement)) {
    for (Expr *capture : lambda->capture_inits())
      TraverseStmt(capture);
    onLambda(*lambda);
    return false;
  }
  if (const auto *region = dyn_cast<CapturedStmt>(&statement)) {
    walkStatement(region->getCapturedStmt());
    return false;
  }
  if (const auto *block = dyn_cast<BlockExpr>(&statement)) {
    TraverseStmt(block->getBlockDecl()->getBody());
    return false;
  }
  return true;
}

bool EvaluatedCode::VisitCXXDefaultArgExpr(CXXDefaultArgExpr *argument) {
  return TraverseStmt(argument->getExpr());
}

bool EvaluatedCode::VisitCXXDefaultInitExpr(CXXDefaultInitExpr *initializer) {
  return TraverseStmt(initializer->getExpr());
}

bool EvaluatedCode::VisitCallExpr(CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee)) {
    const auto *member = dyn_cast<MemberExpr>(call->getCallee()->IgnoreParens());
    callee = certainMethod(*method, member);
  }
  if (callee)
    onCall(*callee, call, call->getExprLoc());
  else if (isIndirect(*call) || virtualCallee(*call))
    onIndirectCall(*call);
  else if (!isa<CXXPseudoDestructorExpr>(call->getCallee()->IgnoreParens()))
    onUnknownCall(unknownCallReason(*call), call->getExprLoc());
  return true;
}

bool EvaluatedCode::VisitCXXConstructExpr(CXXConstructExpr *construction) {
  onCall(*construction->getConstructor(), construction, construction->getExprLoc());
  return true;
}

bool EvaluatedCode::VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *construction) {
  onCall(*construction->getConstructor(), construction, construction->getExprLoc());
  return true;
}

bool EvaluatedCode::VisitCXXNewExpr(CXXNewExpr *creation) {
  if (const FunctionDecl *callee = creation->getOperatorNew())
    onCall(*callee, creation, creation->getExprLoc());
  return true;
}

bool EvaluatedCode::VisitCXXDeleteExpr(CXXDeleteExpr *deletion) {
  const SourceLocation where = deletion->getExprLoc();
  if (const FunctionDecl *callee = deletion->getOperatorDelete())
    onCall(*callee, deletion, where);
  const QualType type = deletion->getDestroyedType();
  if (type.isNull())
    onUnknownCall("deletes an object whose type depends on a template parameter", where);
  else if (const CXXDestructorDecl *callee = destructorOf(type)) {
    if (callee->isVirtual() && !callee->getParent()->isEffectivelyFinal())
      onUnknownCall("deletes an object through the virtual destructor of '" +
                        callee->getParent()->getNameAsString() + "'",
                    where);
    else
      onCall(*callee, nullptr, where);
  }
  return true;
}

bool EvaluatedCode::VisitCXXUnresolvedConstructExpr(CXXUnresolvedConstructExpr *construction) {
  onUnknownCall("constructs an object whose type depends on a template parameter",
                construction->getExprLoc());
  return true;
}

bool EvaluatedCode::VisitVarDecl(VarDecl *variable) {
  if (variable->hasLocalStorage())
    destructor(variable->getType(), variable->getLocation());
  if (const auto *cleanup = variable->getAttr<CleanupAttr>())
    onCall(*cleanup->getFunctionDecl(), nullptr, variable->getLocation());
  return true;
}

bool EvaluatedCode::VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *temporary) {
  if (const CXXDestructorDecl *callee = temporary->getTemporary()->getDestructor())
    onCall(*callee, nullptr, temporary->getExprLoc());
  return true;
}

} // namespace sendwright
