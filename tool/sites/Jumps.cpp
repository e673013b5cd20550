// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/Jumps.h"

#include "tool/sites/Surroundings.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace sendwright {

using namespace clang;

Jumps::Jumps(const Stmt *statement) { add(statement); }

void Jumps::add(const Stmt *statement) {
  note(statement);
  forEachChild(statement, [this](const Stmt *child) { add(child); });
}

void Jumps::note(const Stmt *statement) {
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
  else if (const auto *attributed = dyn_cast<AttributedStmt>(statement))
    tailCall |= llvm::any_of(attributed->getAttrs(),
                             [](const Attr *attribute) { return isa<MustTailAttr>(attribute); });
  else if (isa<CoroutineSuspendExpr, DependentCoawaitExpr>(statement))
    suspends = true;
}

std::string jumpObstacle(const Stmt *statement, const Jumps &whole, const std::string &what) {
  const Jumps inside(statement);
  for (const SwitchCase *label : inside.cases)
    if (!inside.ownCases.contains(label))
      return "a case label of a switch around " + what + " stands in it";
  for (const LabelDecl *label : inside.labels)
    if (llvm::count(whole.targets, label) != llvm::count(inside.targets, label))
      return "a goto outside " + what + " jumps into it";
  if (inside.computed || ((whole.computed || whole.addressTaken) && !inside.labels.empty()))
    return "a computed goto may enter or leave " + what;
  if (inside.suspends)
    return what + " suspends a coroutine";
  if (inside.tailCall)
    return what + " ends with a call that must be the last of its function";
  return "";
}

} // namespace sendwright
