// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/source/SyntaxWalk.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace sendwright {

class SyntaxWalk::Recursion : public RecursiveASTVisitor<Recursion> {
  using Base = RecursiveASTVisitor<Recursion>;

public:
  explicit Recursion(SyntaxWalk &walk) : walk(walk) {}

  bool shouldVisitTemplateInstantiations() const {
    return walk.shouldVisitTemplateInstantiations();
  }
  bool shouldVisitImplicitCode() const { return walk.shouldVisitImplicitCode(); }

  bool TraverseDecl(Decl *declaration) { return walk.TraverseDecl(declaration); }
  // Newer versions of Clang also say whether to visit the qualifier.
  template <typename... Qualifier>
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc type, Qualifier... qualifier) {
    return !walk.entersTypes() || Base::TraverseDecltypeTypeLoc(type, qualifier...);
  }
  template <typename... Qualifier>
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc type, Qualifier... qualifier) {
    return !walk.entersTypes() || Base::TraverseTypeOfExprTypeLoc(type, qualifier...);
  }
  bool dataTraverseStmtPre(Stmt *statement) { return walk.enters(*statement); }
  bool dataTraverseStmtPost(Stmt *statement) {
    walk.leaves(*statement);
    return true;
  }

#define SENDWRIGHT_NODE(Kind)                                                                      \
  bool Visit##Kind(Kind *node) { return walk.Visit##Kind(node); }
  SENDWRIGHT_WALKED_NODES(SENDWRIGHT_NODE)
#undef SENDWRIGHT_NODE
  bool VisitOpenACCConstructStmt(OpenAccConstruct *construct) {
    return walk.VisitOpenACCConstructStmt(construct);
  }

private:
  SyntaxWalk &walk;
};

bool SyntaxWalk::TraverseDecl(Decl *declaration) {
  Recursion recursion(*this);
  return recursion.RecursiveASTVisitor<Recursion>::TraverseDecl(declaration);
}

bool SyntaxWalk::TraverseStmt(Stmt *statement) { return Recursion(*this).TraverseStmt(statement); }

} // namespace sendwright
