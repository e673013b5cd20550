// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/completion/NamedMemory.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/sites/Surroundings.h"
#include "tool/sites/VariableUses.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <initializer_list>

using namespace clang;

namespace sendwright {

namespace {

bool isOneOf(llvm::StringRef name, std::initializer_list<llvm::StringRef> names) {
  return llvm::is_contained(names, name);
}

/// The arguments of the template in namespace std that a type is made from; null for another type.
const TemplateArgumentList *argumentsOf(QualType type, llvm::StringRef name) {
  const auto *record = type->getAsCXXRecordDecl();
  const auto *made = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  return made && qualifiedName(*made) == name ? &made->getTemplateArgs() : nullptr;
}

bool isVector(QualType type);
bool isArray(QualType type);

bool holdsNumbers(QualType type) {
  return (type->isArithmeticType() && !type->isBooleanType()) || type->isPointerType() ||
         isVector(type) || isArray(type);
}

/// A vector with an allocator of the program might get its memory anywhere.
bool isVector(QualType type) {
  const TemplateArgumentList *arguments = argumentsOf(type, "std::vector");
  return arguments && arguments->size() == 2 && holdsNumbers(arguments->get(0).getAsType()) &&
         argumentsOf(arguments->get(1).getAsType(), "std::allocator");
}

bool isArray(QualType type) {
  const TemplateArgumentList *arguments = argumentsOf(type, "std::array");
  return arguments && holdsNumbers(arguments->get(0).getAsType());
}

/// Whether objects of the type hold their values themselves.
bool isFlat(QualType type, const ASTContext &context) {
  return context.getBaseElementType(type).isTriviallyCopyableType(context);
}

/// A library member that changes how many elements its container has, and nothing else.
bool resizes(const CXXMethodDecl &method) {
  return method.getIdentifier() &&
         isOneOf(method.getName(), {"resize", "reserve", "clear", "assign"});
}

bool asksSize(const CXXMethodDecl &method) {
  return method.getIdentifier() && isOneOf(method.getName(), {"size", "empty"});
}

bool isJump(const Stmt &code) {
  return isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, ReturnStmt, CXXThrowExpr,
             CXXTryStmt, LabelStmt>(code);
}

/// Whether an argument is neither a container nor a function that could be called.
bool isHarmlessArgument(const Expr &argument) {
  const auto *record = argument.IgnoreParenImpCasts()->getType()->getAsCXXRecordDecl();
  return record ? isContainerIterator(*record)
                : !argument.getType()->isFunctionType() &&
                      !argument.getType()->isFunctionPointerType();
}

/// Whether a call can neither change which memory a container has nor call the program.
bool leavesContainers(const CallExpr &call, const ASTContext &context) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return false;
  const KnownFunction known = classifyFunction(*callee, context);
  if (known.kind == KnownFunction::Mpi)
    return true;
  const auto *member = dyn_cast<CXXMemberCallExpr>(&call);
  const bool isHarmless =
      isAccessor(*callee) ||
      (llvm::all_of(call.arguments(), [](const Expr *one) { return isHarmlessArgument(*one); }) &&
       (!member || isHarmlessArgument(*member->getImplicitObjectArgument())));
  return known.kind == KnownFunction::Library && isHarmless;
}

/// Whether making the object cannot take the memory of a container or call the program.
bool leavesContainers(const CXXConstructExpr &made, const ASTContext &context) {
  return isStandardLibrary(*made.getConstructor(), context) &&
         llvm::all_of(made.arguments(), [](const Expr *one) {
           return isa<CXXDefaultArgExpr>(one) || isHarmlessArgument(*one);
         });
}

} // namespace

const Expr *containerOf(const CallExpr &call) {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(call.getDirectCallee());
  if (!method)
    return nullptr;
  const Expr *object = nullptr;
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call))
    object = method->getIdentifier() &&
                     isOneOf(method->getName(), {"data", "front", "back", "size", "empty"})
                 ? member->getImplicitObjectArgument()
                 : nullptr;
  else if (const auto *operation = dyn_cast<CXXOperatorCallExpr>(&call))
    object = operation->getOperator() == OO_Subscript ? operation->getArg(0) : nullptr;
  if (!object)
    return nullptr;
  const QualType type = object->IgnoreParenImpCasts()->getType();
  return isVector(type) || isArray(type) ? object->IgnoreParenImpCasts() : nullptr;
}

bool isPlain(QualType type) {
  return !type.isVolatileQualified() && !type->isAtomicType() && !type->isReferenceType();
}

std::string quoted(const ValueDecl &value) { return "'" + value.getNameAsString() + "'"; }

NamedMemory::NamedMemory(const FunctionDecl &definition, const ASTContext &ast)
    : function(definition), context(ast) {
  TraverseStmt(definition.getBody());
}

bool NamedMemory::VisitCallExpr(CallExpr *call) {
  calls.push_back(call);
  const Expr *container = containerOf(*call);
  if (container && call->getType()->isScalarType())
    asContainer.insert(container);
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  const CXXMethodDecl *method = member ? member->getMethodDecl() : nullptr;
  if (method && (resizes(*method) || asksSize(*method))) {
    sized.insert(member->getImplicitObjectArgument()->IgnoreParenImpCasts());
    asContainer.insert(member->getImplicitObjectArgument()->IgnoreParenImpCasts());
  }
  return true;
}

bool NamedMemory::VisitDeclRefExpr(DeclRefExpr *name) {
  if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
    names[variable].push_back(name);
  return true;
}

bool NamedMemory::VisitCastExpr(CastExpr *cast) {
  if (cast->getCastKind() == CK_LValueToRValue)
    read.insert(cast->getSubExpr()->IgnoreParens());
  return true;
}

bool NamedMemory::VisitBinaryOperator(BinaryOperator *operation) {
  if (operation->getOpcode() == BO_Assign)
    assigned.insert(operation->getLHS()->IgnoreParens());
  return true;
}

bool NamedMemory::VisitCXXForRangeStmt(CXXForRangeStmt *loop) {
  const VarDecl *variable = loop->getLoopVariable();
  const Expr *range = loop->getRangeInit()->IgnoreParenImpCasts();
  const QualType type = range->getType();
  if (!isVector(type) && !isArray(type) && !type->isArrayType())
    return true;
  asContainer.insert(range);
  if (variable->getType()->isReferenceType() &&
      variable->getType().getNonReferenceType()->isArithmeticType())
    elements[variable] = range;
  return true;
}

const ValueDecl *NamedMemory::rootOf(const Expr *expression) const {
  for (;;) {
    expression = expression->IgnoreParens();
    if (const auto *name = dyn_cast<DeclRefExpr>(expression)) {
      const auto *variable = dyn_cast<VarDecl>(name->getDecl());
      const auto element = elements.find(variable);
      if (element == elements.end())
        return variable;
      expression = element->second;
    } else if (const auto *cast = dyn_cast<CastExpr>(expression)) {
      if (cast->getCastKind() == CK_LValueToRValue &&
          !isa<DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
        return nullptr;
      expression = cast->getSubExpr();
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression)) {
      expression = element->getBase();
    } else if (const auto *operation = dyn_cast<UnaryOperator>(expression);
               operation &&
               (operation->getOpcode() == UO_AddrOf || operation->getOpcode() == UO_Deref)) {
      expression = operation->getSubExpr();
    } else if (const auto *sum = dyn_cast<BinaryOperator>(expression); sum && sum->isAdditiveOp()) {
      expression = sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS();
    } else if (const auto *member = dyn_cast<MemberExpr>(expression)) {
      if (isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
        return dyn_cast<FieldDecl>(member->getMemberDecl());
      if (member->isArrow())
        return nullptr;
      expression = member->getBase();
    } else if (const auto *call = dyn_cast<CallExpr>(expression)) {
      expression = containerOf(*call);
      if (!expression)
        return nullptr;
    } else {
      return nullptr;
    }
  }
}

const ValueDecl *NamedMemory::rootOfElement(const VarDecl &variable) const {
  const auto element = elements.find(&variable);
  return element == elements.end() ? nullptr : rootOf(element->second);
}

/// A local pointer to memory of its own, or a restricted pointer.
bool NamedMemory::isPointerName(const VarDecl &variable) const {
  const bool isRestricted = variable.getType().isRestrictQualified() && isa<ParmVarDecl>(variable);
  if (!isRestricted && !ownsItsMemory(variable, function, context))
    return false;
  const auto found = names.find(&variable);
  return found == names.end() || llvm::all_of(found->second, [&](const DeclRefExpr *name) {
           return read.contains(name) || (!isRestricted && assigned.contains(name));
         });
}

bool NamedMemory::isName(const ValueDecl &value) const {
  const QualType type = value.getType();
  if (!isPlain(type))
    return false;
  const auto *variable = dyn_cast<VarDecl>(&value);
  if (type->isPointerType())
    return variable && isPointerName(*variable);
  if (const auto *field = dyn_cast<FieldDecl>(&value))
    return !field->getParent()->isUnion();
  const QualType element = context.getBaseElementType(type);
  if (!element->isRecordType() || isVector(element) || isArray(element))
    return true;
  // The object of a method may be part of a variable that does not belong to the method.
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  return variable->hasLocalStorage() || !method || method->isStatic();
}

/// Whether a local vector is used for its elements alone, and perhaps resized.
bool NamedMemory::onlyGivesElements(const VarDecl &variable) const {
  const auto found = names.find(&variable);
  return variable.hasLocalStorage() &&
         (found == names.end() || llvm::all_of(found->second, [&](const DeclRefExpr *name) {
            return asContainer.contains(name);
          }));
}

bool NamedMemory::mayMoveAtAll(const ValueDecl &value) const {
  const auto *variable = dyn_cast<VarDecl>(&value);
  return !value.getType()->isPointerType() && !isFlat(value.getType(), context) &&
         !(variable && onlyGivesElements(*variable));
}

std::string NamedMemory::whyMemoryMayMove(const ValueDecl &value, llvm::ArrayRef<Stmt *> statements,
                                          const Stmt **line) const {
  if (!mayMoveAtAll(value))
    return "";
  std::string problem;
  const auto look = [&](const Stmt &code, const auto &lookInto) -> void {
    const auto *call = dyn_cast<CallExpr>(&code);
    const auto *made = dyn_cast<CXXConstructExpr>(&code);
    if (isJump(code))
      problem = "may leave the block before the messages are complete";
    else if (isa<LambdaExpr, CXXDeleteExpr>(code) || (call && !leavesContainers(*call, context)) ||
             (made && !leavesContainers(*made, context)))
      problem = "calls " +
                (call && call->getDirectCallee() ? quoted(*call->getDirectCallee())
                                                 : std::string("a function")) +
                ", which may exchange " + quoted(value) + " for another";
    if (problem.empty())
      forEachChild(&code, [&](const Stmt *child) {
        if (problem.empty())
          lookInto(*child, lookInto);
      });
  };
  for (const Stmt *statement : statements) {
    look(*statement, look);
    if (!problem.empty()) {
      *line = statement;
      return problem;
    }
  }
  return "";
}

} // namespace sendwright
