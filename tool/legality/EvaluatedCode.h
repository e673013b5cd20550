// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over the code that runs when a statement or function runs, and over every call in it:
// written calls, constructors, destructors of variables and temporaries, default arguments, the
// hidden parts of a range-for. It skips what only looks like code: operands of sizeof and decltype,
// branches of _Generic that were not chosen, bodies of local classes. The body of a lambda does not
// run where it is written, so it is not walked; derived classes are told of the lambda instead.
//
// Derived classes are told of calls, and define any Visit function that this class leaves free.
// `site` is null for destructors. A call through a pointer to a function or member, or of a virtual
// function, is an unknown call unless the derived class overrides onIndirectCall().

#ifndef SENDWRIGHT_TOOL_LEGALITY_EVALUATEDCODE_H
#define SENDWRIGHT_TOOL_LEGALITY_EVALUATEDCODE_H

#include "tool/source/SyntaxWalk.h"

#include <string>

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

class EvaluatedCode : public SyntaxWalk {
public:
  virtual void onCall(const clang::FunctionDecl &callee, const clang::Expr *site,
                      clang::SourceLocation where) = 0;
  virtual void onUnknownCall(const std::string &reason, clang::SourceLocation where) = 0;
  virtual void onLambda(const clang::LambdaExpr &lambda) = 0;
  virtual void onIndirectCall(const clang::CallExpr &call) {
    onUnknownCall(unknownCallReason(call), call.getExprLoc());
  }

  /// Walks everything that runs when `definition` (a function with its body) is called.
  void walkFunction(const clang::FunctionDecl &definition);
  void walkStatement(const clang::Stmt *statement) {
    TraverseStmt(const_cast<clang::Stmt *>(statement));
  }

  bool shouldVisitImplicitCode() const final { return true; }
  bool entersTypes() const final { return false; }
  /// A derived class that overrides it also returns false where this one does.
  bool enters(clang::Stmt &statement) override;
  bool TraverseDecl(clang::Decl *declaration) final {
    return !llvm::isa_and_nonnull<clang::VarDecl>(declaration) ||
           SyntaxWalk::TraverseDecl(declaration);
  }

  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr *argument) final;
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr *initializer) final;
  bool VisitCallExpr(clang::CallExpr *call) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construction) final;
  bool VisitCXXInheritedCtorInitExpr(clang::CXXInheritedCtorInitExpr *construction) final;
  bool VisitCXXNewExpr(clang::CXXNewExpr *creation) final;
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr *deletion) final;
  bool VisitCXXUnresolvedConstructExpr(clang::CXXUnresolvedConstructExpr *construction) final;
  bool VisitVarDecl(clang::VarDecl *variable) final;
  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr *temporary) final;

protected:
  ~EvaluatedCode() = default;

private:
  void destructor(clang::QualType type, clang::SourceLocation where);
};

} // namespace sendwright

#endif
