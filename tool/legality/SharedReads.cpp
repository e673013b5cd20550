// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/SharedReads.h"

#include "tool/legality/LibraryFunctions.h"

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace sendwright {

namespace {

// The name of the object that an expression designates, as far as it has a name.
std::string objectName(const Expr *expression) {
  while (expression) {
    expression = expression->IgnoreParenCasts();
    if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
      return " '" + reference->getDecl()->getNameAsString() + "'";
    if (const auto *member = dyn_cast<MemberExpr>(expression))
      return " '" + member->getMemberDecl()->getNameAsString() + "'";
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression))
      expression = element->getBase();
    else if (const auto *operation = dyn_cast<UnaryOperator>(expression))
      expression = operation->getSubExpr();
    else
      break;
  }
  return " object";
}

std::optional<std::string> describeObject(const Expr *object) {
  if (object->isTypeDependent())
    return std::nullopt;
  if (object->getType()->isAtomicType())
    return "reads the atomic" + objectName(object);
  if (object->getType().isVolatileQualified())
    return "reads the volatile" + objectName(object);
  return std::nullopt;
}

bool asksOutside(LibraryEffect effect) {
  return effect == LibraryEffect::ReadsShared || effect == LibraryEffect::AsksSystem;
}

std::optional<std::string> describeCall(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return std::nullopt;
  KnownFunction known = classifyFunction(*callee, callee->getASTContext());
  if (known.kind != KnownFunction::Library || !asksOutside(known.effect))
    return std::nullopt;
  if (known.effect == LibraryEffect::AsksSystem)
    return "asks the operating system through " + qualifiedName(*callee);
  const Expr *object = nullptr;
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call))
    object = member->getImplicitObjectArgument();
  else if (call.getNumArgs() > 0)
    object = call.getArg(0);
  return "reads the atomic" + objectName(object);
}

// What an argument passes by reference or by its address; null where the argument is a pointer.
const Expr *handedOver(const Expr *argument) {
  if (argument->isLValue())
    return argument;
  const auto *address = dyn_cast<UnaryOperator>(argument->IgnoreParenCasts());
  return address && address->getOpcode() == UO_AddrOf ? address->getSubExpr() : nullptr;
}

// The atomic object comes first; the other arguments are values, or addresses for results.
std::vector<const Expr *> outputs(const AtomicExpr &atomic) {
  std::vector<const Expr *> found;
  for (const Stmt *child : atomic.children())
    if (const auto *argument = dyn_cast_or_null<Expr>(child);
        argument && argument != atomic.getPtr() && !argument->isLValue())
      if (const Expr *lvalue = handedOver(argument))
        found.push_back(lvalue);
  return found;
}

bool isStream(QualType type) {
  const auto *alias = type->getAs<TypedefType>();
  return alias && alias->getDecl()->getName() == "FILE";
}

std::vector<const Expr *> outputs(const CallExpr &call) {
  std::vector<const Expr *> found;
  const FunctionDecl *callee = call.getDirectCallee();
  if (!describeCall(call) || isa<CXXOperatorCallExpr>(call))
    return found;
  KnownFunction known = classifyFunction(*callee, callee->getASTContext());
  bool objectFirst = known.effect == LibraryEffect::ReadsShared && !isa<CXXMemberCallExpr>(call);
  for (unsigned i = objectFirst ? 1 : 0; i < call.getNumArgs() && i < callee->getNumParams(); ++i) {
    QualType pointee = callee->getParamDecl(i)->getType()->getPointeeType();
    if (!pointee.isNull() && !pointee.isConstQualified() && !isStream(pointee))
      found.push_back(handedOver(call.getArg(i)));
  }
  return found;
}

} // namespace

std::optional<std::string> describeSharedRead(const Stmt &node) {
  if (const auto *cast = dyn_cast<CastExpr>(&node)) {
    if (cast->getCastKind() == CK_LValueToRValue || cast->getCastKind() == CK_AtomicToNonAtomic)
      return describeObject(cast->getSubExpr());
  } else if (const auto *operation = dyn_cast<UnaryOperator>(&node)) {
    if (operation->isIncrementDecrementOp())
      return describeObject(operation->getSubExpr());
  } else if (const auto *assignment = dyn_cast<CompoundAssignOperator>(&node)) {
    return describeObject(assignment->getLHS());
  } else if (const auto *atomic = dyn_cast<AtomicExpr>(&node)) {
    return "reads the atomic" + objectName(atomic->getPtr());
  } else if (const auto *call = dyn_cast<CallExpr>(&node)) {
    return describeCall(*call);
  }
  return std::nullopt;
}

std::vector<const Expr *> storedSharedReads(const Stmt &node) {
  if (const auto *atomic = dyn_cast<AtomicExpr>(&node))
    return outputs(*atomic);
  if (const auto *call = dyn_cast<CallExpr>(&node))
    return outputs(*call);
  return {};
}

void DiscardedValues::add(const Stmt *statement) {
  const auto *expression = dyn_cast_or_null<Expr>(statement);
  if (const auto *full = dyn_cast_or_null<FullExpr>(expression))
    expression = full->getSubExpr();
  if (expression)
    discarded.insert(expression->IgnoreParens());
}

void DiscardedValues::note(const Stmt &node) {
  if (const auto *block = dyn_cast<CompoundStmt>(&node)) {
    for (const Stmt *statement : block->body())
      add(statement);
  } else if (const auto *loop = dyn_cast<ForStmt>(&node)) {
    add(loop->getInit());
    add(loop->getInc());
    add(loop->getBody());
  } else if (const auto *range = dyn_cast<CXXForRangeStmt>(&node)) {
    add(range->getBody());
  } else if (const auto *repeat = dyn_cast<WhileStmt>(&node)) {
    add(repeat->getBody());
  } else if (const auto *repeat = dyn_cast<DoStmt>(&node)) {
    add(repeat->getBody());
  } else if (const auto *branch = dyn_cast<IfStmt>(&node)) {
    add(branch->getThen());
    add(branch->getElse());
  } else if (const auto *operation = dyn_cast<BinaryOperator>(&node)) {
    if (operation->isCommaOp())
      add(operation->getLHS());
  }
}

} // namespace sendwright
