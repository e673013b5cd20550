// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over the code that runs when a statement or function runs, and over every call in it:
// written calls, constructors, destructors of variables and temporaries, default arguments, the
// hidden parts of a range-for. It skips what only looks like code: operands of sizeof and decltype,
// branches of _Generic that were not chosen, bodies of local classes. The body of a lambda does not
// run where it is written, so it is not walked; derived classes are told of the lambda instead.
//
// Derived classes define
//   void onCall(const FunctionDecl &callee, const Expr *site, SourceLocation where);
//   void onUnknownCall(const std::string &reason, SourceLocation where);
//   void onLambda(const LambdaExpr &lambda);
// and any Visit function that this class leaves free. `site` is null for destructors. A call
// through a pointer to a function or member, or of a virtual function, is an unknown call unless
// the derived class defines
//   void onIndirectCall(const CallExpr &call);

#ifndef SENDWRIGHT_TOOL_LEGALITY_EVALUATEDCODE_H
#define SENDWRIGHT_TOOL_LEGALITY_EVALUATEDCODE_H

#include "tool/legality/LibraryFunctions.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace sendwright {

/// The method that a call certainly runs; null where the object's dynamic type decides.
const clang::CXXMethodDecl *certainMethod(const clang::CXXMethodDecl &method,
                                          const clang::MemberExpr *member);

/// The destructor that runs at the end of an object of this type (or of an array of such objects),
/// or null.
const clang::CXXDestructorDecl *destructorOf(clang::QualType type);

/// The pointer to a member function through which a call is made, or null.
const clang::Expr *memberPointerOf(const clang::CallExpr &call);

/// True for a call through a pointer or reference to a function, or a pointer to a member.
bool isIndirect(const clang::CallExpr &call);

/// The virtual function that a call names, where the object's dynamic type decides which one runs;
/// else null.
const clang::CXXMethodDecl *virtualCallee(const clang::CallExpr &call);

/// Why the callee of a call is not known.
std::string unknownCallReason(const clang::CallExpr &call);

template <typename Derived> class EvaluatedCode : public clang::RecursiveASTVisitor<Derived> {
  using Base = clang::RecursiveASTVisitor<Derived>;

  Derived &derived() { return *static_cast<Derived *>(this); }

  void destructor(clang::QualType type, clang::SourceLocation where) {
    if (const clang::CXXDestructorDecl *callee = destructorOf(type))
      derived().onCall(*callee, nullptr, where);
  }

public:
  /// Walks everything that runs when `definition` (a function with its body) is called.
  void walkFunction(const clang::FunctionDecl &definition) {
    if (const auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&definition))
      for (const clang::CXXCtorInitializer *initializer : constructor->inits())
        derived().TraverseStmt(initializer->getInit());
    derived().TraverseStmt(definition.getBody());
    if (const auto *own = dyn_cast<clang::CXXDestructorDecl>(&definition)) {
      for (const clang::FieldDecl *field : own->getParent()->fields())
        destructor(field->getType(), own->getLocation());
      for (const clang::CXXBaseSpecifier &base : own->getParent()->bases())
        destructor(base.getType(), own->getLocation());
    }
  }
  void walkStatement(const clang::Stmt *statement) {
    derived().TraverseStmt(const_cast<clang::Stmt *>(statement));
  }

  bool shouldVisitImplicitCode() const { return true; }
  void onIndirectCall(const clang::CallExpr &call) {
    derived().onUnknownCall(unknownCallReason(call), call.getExprLoc());
  }

  // Code that is written here but does not run here.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) { return true; }
  bool TraverseCXXTypeidExpr(clang::CXXTypeidExpr *) { return true; }
  bool TraverseRequiresExpr(clang::RequiresExpr *) { return true; }
  bool TraverseConceptSpecializationExpr(clang::ConceptSpecializationExpr *) { return true; }
  // Newer versions of Clang also say whether to visit the qualifier.
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc, bool = true) { return true; }
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc, bool = true) { return true; }
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr *selection) {
    return selection->isResultDependent() || derived().TraverseStmt(selection->getResultExpr());
  }
  bool TraverseChooseExpr(clang::ChooseExpr *choice) {
    return choice->isConditionDependent() || derived().TraverseStmt(choice->getChosenSubExpr());
  }
  bool TraverseDecl(clang::Decl *declaration) {
    return !llvm::isa_and_nonnull<clang::VarDecl>(declaration) || Base::TraverseDecl(declaration);
  }
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    for (clang::Expr *capture : lambda->capture_inits())
      derived().TraverseStmt(capture);
    derived().onLambda(*lambda);
    return true;
  }
  bool TraverseCapturedStmt(clang::CapturedStmt *region) {
    return derived().TraverseStmt(region->getCapturedStmt());
  }
  bool TraverseBlockExpr(clang::BlockExpr *block) {
    return derived().TraverseStmt(block->getBlockDecl()->getBody());
  }

  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr *argument) {
    return derived().TraverseStmt(argument->getExpr());
  }
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr *initializer) {
    return derived().TraverseStmt(initializer->getExpr());
  }

  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee)) {
      const auto *member = dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
      callee = certainMethod(*method, member);
    }
    if (callee)
      derived().onCall(*callee, call, call->getExprLoc());
    else if (isIndirect(*call) || virtualCallee(*call))
      derived().onIndirectCall(*call);
    else if (!isa<clang::CXXPseudoDestructorExpr>(call->getCallee()->IgnoreParens()))
      derived().onUnknownCall(unknownCallReason(*call), call->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construction) {
    derived().onCall(*construction->getConstructor(), construction, construction->getExprLoc());
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(clang::CXXInheritedCtorInitExpr *construction) {
    derived().onCall(*construction->getConstructor(), construction, construction->getExprLoc());
    return true;
  }
  bool VisitCXXNewExpr(clang::CXXNewExpr *creation) {
    if (const clang::FunctionDecl *callee = creation->getOperatorNew())
      derived().onCall(*callee, creation, creation->getExprLoc());
    return true;
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr *deletion) {
    clang::SourceLocation where = deletion->getExprLoc();
    if (const clang::FunctionDecl *callee = deletion->getOperatorDelete())
      derived().onCall(*callee, deletion, where);
    clang::QualType type = deletion->getDestroyedType();
    if (type.isNull())
      derived().onUnknownCall("deletes an object whose type depends on a template parameter",
                              where);
    else if (const clang::CXXDestructorDecl *callee = destructorOf(type)) {
      if (callee->isVirtual() && !callee->getParent()->isEffectivelyFinal())
        derived().onUnknownCall("deletes an object through the virtual destructor of '" +
                                    callee->getParent()->getNameAsString() + "'",
                                where);
      else
        derived().onCall(*callee, nullptr, where);
    }
    return true;
  }
  bool VisitCXXUnresolvedConstructExpr(clang::CXXUnresolvedConstructExpr *construction) {
    derived().onUnknownCall("constructs an object whose type depends on a template parameter",
                            construction->getExprLoc());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    if (variable->hasLocalStorage())
      destructor(variable->getType(), variable->getLocation());
    if (const auto *cleanup = variable->template getAttr<clang::CleanupAttr>())
      derived().onCall(*cleanup->getFunctionDecl(), nullptr, variable->getLocation());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr *temporary) {
    if (const clang::CXXDestructorDecl *callee = temporary->getTemporary()->getDestructor())
      derived().onCall(*callee, nullptr, temporary->getExprLoc());
    return true;
  }
};

} // namespace sendwright

#endif
