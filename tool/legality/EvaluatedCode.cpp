// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/EvaluatedCode.h"

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

} // namespace sendwright
