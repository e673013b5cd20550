// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/LoopObstacles.h"

#include "tool/sites/Surroundings.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace sendwright {

namespace {

using namespace clang;

/// The jumps and labels in a stretch of code.
struct Jumps {
  llvm::SmallPtrSet<const LabelDecl *, 4> labels;
  llvm::SmallVector<const LabelDecl *, 4> targets;          // of goto, one entry for each
  llvm::SmallPtrSet<const SwitchCase *, 4> cases, ownCases; // own: of switches within the stretch
  bool computed = false;                                    // goto *p, or asm goto
  bool addressTaken = false;
  bool suspends = false;

  explicit Jumps(const Stmt *statement) { add(statement); }

private:
  void add(const Stmt *statement) {
    note(statement);
    forEachChild(statement, [this](const Stmt *child) { add(child); });
  }

  void note(const Stmt *statement) {
    if (const auto *label = dyn_cast<LabelStmt>(statement))
      labels.insert(label->getDecl());
    else if (const auto *jump = dyn_cast<GotoStmt>(statement))
      targets.push_back(jump->getLabel());
    else if (const auto *label = dyn_cast<SwitchCase>(statement))
      cases.insert(label);
    else if (const auto *branch = dyn_cast<SwitchStmt>(statement))
      for (const SwitchCase *label = branch->getSwitchCaseList(); label;
           label = label->getNextSwitchCase())
        ownCases.insert(label);
    else if (const auto *assembly = dyn_cast<GCCAsmStmt>(statement))
      computed |= assembly->isAsmGoto();
    else if (isa<IndirectGotoStmt>(statement))
      computed = true;
    else if (isa<AddrLabelExpr>(statement))
      addressTaken = true;
    else if (isa<CoroutineSuspendExpr, DependentCoawaitExpr>(statement))
      suspends = true;
  }
};

std::string jumpObstacle(const Stmt *loop, const Jumps &whole) {
  const Jumps inside(loop);
  for (const SwitchCase *label : inside.cases)
    if (!inside.ownCases.contains(label))
      return "a case label of a switch around the loop stands in it";
  for (const LabelDecl *label : inside.labels)
    if (llvm::count(whole.targets, label) != llvm::count(inside.targets, label))
      return "a goto outside the loop jumps into it";
  if (inside.computed || ((whole.computed || whole.addressTaken) && !inside.labels.empty()))
    return "a computed goto may enter or leave the loop";
  if (inside.suspends)
    return "the loop suspends a coroutine";
  return "";
}

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
    return jumpObstacle(loop, whole);
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
