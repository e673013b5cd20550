// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/LoopObstacles.h"

#include "tool/sites/Jumps.h"
#include "tool/sites/Surroundings.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

namespace sendwright {

namespace {

using namespace clang;

class LoopWalk {
public:
  LoopWalk(const FunctionDecl *function,
           const std::function<void(const Stmt *, const std::string &)> &visit)
      : whole(function->getBody()), visit(visit) {
    around = functionObstacle(function);
    walk(function->getBody(), nullptr);
  }

private:
  Jumps whole;
  const std::function<void(const Stmt *, const std::string &)> &visit;
  std::string around;         // an obstacle for all loops at this place
  unsigned loopsOfOpenMP = 0; // following loops that an OpenMP directive has taken over

  void walk(const Stmt *statement, const Stmt *parent) {
    if (isLoop(statement))
      visit(statement, obstacle(statement, parent));
    const unsigned outerLoops = loopsOfOpenMP;
    const std::string outer = around;
    if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement);
        directive && around.empty())
      around = regionObstacle(directive, "the loop");
    if (const auto *directive = dyn_cast<OMPLoopBasedDirective>(statement))
      loopsOfOpenMP = directive->getLoopsNumber();
    else if (loopsOfOpenMP > 0 && isa<ForStmt, CXXForRangeStmt>(statement))
      --loopsOfOpenMP;
    forEachChild(statement, [&](const Stmt *child) { walk(child, statement); });
    loopsOfOpenMP = outerLoops;
    around = outer;
  }

  std::string obstacle(const Stmt *loop, const Stmt *parent) const {
    if (!around.empty())
      return around;
    if (loopsOfOpenMP > 0 || isa_and_nonnull<OMPExecutableDirective, CapturedStmt>(parent))
      return "a pragma applies to the loop";
    if (const auto *attributed = dyn_cast_or_null<AttributedStmt>(parent))
      for (const Attr *attribute : attributed->getAttrs())
        if (!isa<LikelyAttr, UnlikelyAttr>(attribute))
          return "an attribute or pragma applies to the loop";
    return jumpObstacle(loop, whole, "the loop");
  }
};

} // namespace

bool isLoop(const Stmt *statement) {
  if (const auto *loop = dyn_cast<DoStmt>(statement)) {
    const Expr *condition = loop->getCond()->IgnoreParenImpCasts();
    if (const auto *number = dyn_cast<IntegerLiteral>(condition))
      return number->getValue() != 0;
    const auto *truth = dyn_cast<CXXBoolLiteralExpr>(condition);
    return !truth || truth->getValue();
  }
  return isa<ForStmt, WhileStmt, CXXForRangeStmt>(statement);
}

void forEachLoop(const FunctionDecl *function,
                 const std::function<void(const Stmt *, const std::string &)> &visit) {
  LoopWalk(function, visit);
}

} // namespace sendwright
