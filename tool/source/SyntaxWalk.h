// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over a syntax tree, as Clang's RecursiveASTVisitor does it, but with virtual functions:
// that template takes seconds to compile for each class that derives from it, and here it is
// compiled once.

#ifndef SENDWRIGHT_TOOL_SOURCE_SYNTAXWALK_H
#define SENDWRIGHT_TOOL_SOURCE_SYNTAXWALK_H

#include "tool/source/ClangCompatibility.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

/// The nodes that derived classes can be told of: more are added here.
#define SENDWRIGHT_WALKED_NODES(NODE)                                                              \
  NODE(Decl)                                                                                       \
  NODE(NamedDecl)                                                                                  \
  NODE(DeclaratorDecl)                                                                             \
  NODE(FunctionDecl)                                                                               \
  NODE(VarDecl)                                                                                    \
  NODE(CXXRecordDecl)                                                                              \
  NODE(FileScopeAsmDecl)                                                                           \
  NODE(Stmt)                                                                                       \
  NODE(AsmStmt)                                                                                    \
  NODE(GCCAsmStmt)                                                                                 \
  NODE(MSAsmStmt)                                                                                  \
  NODE(AttributedStmt)                                                                             \
  NODE(CompoundStmt)                                                                               \
  NODE(CoroutineBodyStmt)                                                                          \
  NODE(CXXCatchStmt)                                                                               \
  NODE(CXXForRangeStmt)                                                                            \
  NODE(DoStmt)                                                                                     \
  NODE(ForStmt)                                                                                    \
  NODE(GotoStmt)                                                                                   \
  NODE(IndirectGotoStmt)                                                                           \
  NODE(WhileStmt)                                                                                  \
  NODE(OMPExecutableDirective)                                                                     \
  NODE(ArraySubscriptExpr)                                                                         \
  NODE(AtomicExpr)                                                                                 \
  NODE(BinaryOperator)                                                                             \
  NODE(CallExpr)                                                                                   \
  NODE(CastExpr)                                                                                   \
  NODE(CompoundLiteralExpr)                                                                        \
  NODE(CoroutineSuspendExpr)                                                                       \
  NODE(CXXBindTemporaryExpr)                                                                       \
  NODE(CXXConstructExpr)                                                                           \
  NODE(CXXDefaultArgExpr)                                                                          \
  NODE(CXXDefaultInitExpr)                                                                         \
  NODE(CXXDeleteExpr)                                                                              \
  NODE(CXXInheritedCtorInitExpr)                                                                   \
  NODE(CXXNewExpr)                                                                                 \
  NODE(CXXUnresolvedConstructExpr)                                                                 \
  NODE(DeclRefExpr)                                                                                \
  NODE(DependentCoawaitExpr)                                                                       \
  NODE(ImplicitCastExpr)                                                                           \
  NODE(LambdaExpr)                                                                                 \
  NODE(MaterializeTemporaryExpr)                                                                   \
  NODE(MemberExpr)                                                                                 \
  NODE(UnaryOperator)

namespace sendwright {

/// Functions have the names and meanings of RecursiveASTVisitor's; a result of false ends the walk.
/// A node comes before what is in it.
class SyntaxWalk {
public:
  SyntaxWalk() = default;
  SyntaxWalk(const SyntaxWalk &) = delete;
  SyntaxWalk &operator=(const SyntaxWalk &) = delete;

  /// Null is an empty walk.
  virtual bool TraverseDecl(clang::Decl *declaration);
  bool TraverseStmt(clang::Stmt *statement);

  virtual bool shouldVisitTemplateInstantiations() const { return false; }
  virtual bool shouldVisitImplicitCode() const { return false; }
  /// Whether to walk the expressions in types such as decltype.
  virtual bool entersTypes() const { return true; }
  /// Whether to visit a statement or expression and what is in it. Called once for each.
  virtual bool enters(clang::Stmt &) { return true; }
  /// It has been walked, with all that is in it, unless the walk has ended.
  virtual void leaves(clang::Stmt &) {}

#define SENDWRIGHT_NODE(Kind)                                                                      \
  virtual bool Visit##Kind(clang::Kind *) { return true; }
  SENDWRIGHT_WALKED_NODES(SENDWRIGHT_NODE)
#undef SENDWRIGHT_NODE
  virtual bool VisitOpenACCConstructStmt(OpenAccConstruct *) { return true; }

protected:
  ~SyntaxWalk() = default;

private:
  class Recursion;
};

} // namespace sendwright

#endif
