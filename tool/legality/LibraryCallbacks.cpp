// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/LibraryCallbacks.h"

#include "tool/legality/LibraryFunctions.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace sendwright {

namespace {

class Finder {
public:
  Finder(LibraryCallbacks &found, const ASTContext &context) : found(found), context(context) {}

  void arguments(const Expr *site) {
    if (const auto *call = dyn_cast_or_null<CallExpr>(site))
      for (const Expr *argument : call->arguments())
        passed(*argument);
    else if (const auto *construction = dyn_cast_or_null<CXXConstructExpr>(site))
      for (const Expr *argument : construction->arguments())
        passed(*argument);
  }

  // A function type among a class's template arguments is called by the class, wherever it got it.
  void classArguments(const FunctionDecl &callee) {
    const auto *method = dyn_cast<CXXMethodDecl>(&callee);
    if (!method)
      return;
    // A nested class works with the template arguments of its enclosing classes.
    for (const DeclContext *owner = method->getParent(); owner; owner = owner->getParent())
      if (const auto *specialization = dyn_cast<ClassTemplateSpecializationDecl>(owner)) {
        bool ownsPointee = specialization->getName().contains("_ptr");
        for (const TemplateArgument &argument : specialization->getTemplateArgs().asArray())
          templateArgument(argument, true, ownsPointee);
      }
  }

  void functionArguments(const FunctionDecl &callee) {
    if (const TemplateArgumentList *list = callee.getTemplateSpecializationArgs())
      for (const TemplateArgument &argument : list->asArray())
        templateArgument(argument, false, false);
  }

private:
  void passed(const Expr &argument) {
    if (argument.isTypeDependent())
      return;
    const Expr *value = argument.IgnoreParenCasts();
    if (const auto *address = dyn_cast<UnaryOperator>(value);
        address && address->getOpcode() == UO_AddrOf)
      value = address->getSubExpr()->IgnoreParenCasts();
    if (const auto *reference = dyn_cast<DeclRefExpr>(value))
      if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl())) {
        add(function);
        return;
      }
    QualType type = argument.getType().getNonReferenceType();
    bool callable = type->isFunctionPointerType() || type->isMemberFunctionPointerType() ||
                    type->isFunctionType() || type->isBlockPointerType();
    if (callable && !value->isNullPointerConstant(const_cast<ASTContext &>(context),
                                                  Expr::NPC_ValueDependentIsNotNull))
      unknown("calls through a function pointer");
    if (const auto *record = type->getAsCXXRecordDecl())
      callOperators(*record);
  }

  void templateArgument(const TemplateArgument &argument, bool ofClass, bool ownsPointee) {
    if (argument.getKind() == TemplateArgument::Pack) {
      for (const TemplateArgument &element : argument.pack_elements())
        templateArgument(element, ofClass, ownsPointee);
      return;
    }
    if (argument.getKind() == TemplateArgument::Declaration) {
      if (const auto *function = dyn_cast<FunctionDecl>(argument.getAsDecl()))
        add(function);
      return;
    }
    if (argument.getKind() != TemplateArgument::Type)
      return;
    QualType type = argument.getAsType().getNonReferenceType();
    if (ofClass && type->isFunctionType())
      unknown("calls through a std::function");
    else if (ofClass && (type->isFunctionPointerType() || type->isMemberFunctionPointerType()))
      unknown("calls through a function pointer");
    if (const auto *record = type->getAsCXXRecordDecl())
      operations(*record, ownsPointee);
  }

  // Everything that a container or algorithm may do with an object of a class. Classes of the
  // program are read directly, classes of the library through their arguments.
  void operations(const CXXRecordDecl &record, bool ownsPointee) {
    if (!record.hasDefinition() || !seen.insert(record.getCanonicalDecl()).second)
      return;
    if (isStandardLibrary(record, context)) {
      if (const auto *inner = dyn_cast<ClassTemplateSpecializationDecl>(&record)) {
        bool innerOwns = inner->getName().contains("_ptr");
        for (const TemplateArgument &argument : inner->getTemplateArgs().asArray())
          templateArgument(argument, true, innerOwns);
      }
      return;
    }
    const CXXRecordDecl &definition = *record.getDefinition();
    for (const CXXConstructorDecl *constructor : definition.ctors())
      add(constructor);
    if (const CXXDestructorDecl *destructor = definition.getDestructor()) {
      if (ownsPointee && destructor->isVirtual() && !definition.isEffectivelyFinal())
        unknown("may delete an object through the virtual destructor of '" +
                definition.getNameAsString() + "'");
      else
        add(destructor);
    }
    callOperators(definition);
    freeOperators(definition);
  }

  void callOperators(const CXXRecordDecl &record) {
    if (!record.hasDefinition() || isStandardLibrary(record, context))
      return;
    for (const Decl *member : record.getDefinition()->decls()) {
      if (const auto *method = dyn_cast<CXXMethodDecl>(member)) {
        if (method->isOverloadedOperator())
          add(method);
      } else if (const auto *pattern = dyn_cast<FunctionTemplateDecl>(member)) {
        if (pattern->getTemplatedDecl()->isOverloadedOperator())
          for (const FunctionDecl *instance : pattern->specializations())
            add(instance);
      }
    }
  }

  // Operators declared beside the class, such as operator<.
  void freeOperators(const CXXRecordDecl &record) {
    for (OverloadedOperatorKind kind :
         {OO_Less, OO_Greater, OO_EqualEqual, OO_Spaceship, OO_Plus}) {
      DeclarationName name =
          const_cast<ASTContext &>(context).DeclarationNames.getCXXOperatorName(kind);
      for (const NamedDecl *declaration : record.getEnclosingNamespaceContext()->lookup(name))
        if (const auto *function = dyn_cast<FunctionDecl>(declaration))
          for (const ParmVarDecl *parameter : function->parameters()) {
            const auto *type = parameter->getType().getNonReferenceType()->getAsCXXRecordDecl();
            if (type && type->getCanonicalDecl() == record.getCanonicalDecl())
              add(function);
          }
    }
  }

  void add(const FunctionDecl *function) {
    if (!function->isDeleted() && !function->isTrivial())
      found.functions.push_back(function);
  }

  void unknown(std::string reason) {
    if (!found.unknown)
      found.unknown = std::move(reason);
  }

  LibraryCallbacks &found;
  const ASTContext &context;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> seen;
};

// A method of an iterator, or the comparison of two.
bool worksOnContainerIterator(const FunctionDecl &callee) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(&callee))
    return isContainerIterator(*method->getParent());
  if (!callee.isOverloadedOperator() || callee.param_empty())
    return false;
  const auto *record =
      callee.getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return record && isContainerIterator(*record);
}

} // namespace

LibraryCallbacks libraryCallbacks(const FunctionDecl &callee, const Expr *site,
                                  const ASTContext &context) {
  LibraryCallbacks found;
  const auto *method = dyn_cast<CXXMethodDecl>(&callee);
  if ((method && isAccessor(callee)) || worksOnContainerIterator(callee))
    return found;
  Finder finder(found, context);
  finder.arguments(site);
  finder.classArguments(callee);
  finder.functionArguments(callee);
  return found;
}

} // namespace sendwright
