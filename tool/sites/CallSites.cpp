// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/CallSites.h"

#include "analysis/epochs/steps/SynchronizationSteps.h"
#include "tool/legality/LibraryFunctions.h"
#include "tool/sites/LoopText.h"
#include "tool/sites/RepeatedExpressions.h"
#include "tool/sites/ResultChecks.h"
#include "tool/sites/Surroundings.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace sendwright {

namespace {

using namespace clang;

/// A call that goes past the runtime (PMPI_Send) is no step.
const MpiFunction *stepFunction(const NamedDecl *callee, const ASTContext &context) {
  const auto *function = dyn_cast_or_null<FunctionDecl>(callee);
  if (!function || !function->getDeclName().isIdentifier() ||
      !function->getName().starts_with("MPI_"))
    return nullptr;
  const KnownFunction known = classifyFunction(*function, context);
  return known.kind == KnownFunction::Mpi && known.mpi && isStepRole(known.mpi->role) ? known.mpi
                                                                                      : nullptr;
}

const MpiFunction *stepFunction(const CallExpr &call, const ASTContext &context) {
  if (const FunctionDecl *callee = call.getDirectCallee())
    return stepFunction(callee, context);
  if (const auto *overloads = dyn_cast<OverloadExpr>(call.getCallee()->IgnoreParenImpCasts()))
    for (const NamedDecl *candidate : overloads->decls())
      if (const MpiFunction *function = stepFunction(candidate->getUnderlyingDecl(), context))
        return function;
  return nullptr;
}

bool holdsCall(const Stmt *statement) {
  bool found = isa<CallExpr, CXXConstructExpr>(statement);
  forEachChild(statement, [&](const Stmt *child) { found = found || holdsCall(child); });
  return found;
}

/// The call that a statement consists of, wherever its result goes; else null.
const CallExpr *wholeOf(const Stmt *statement) {
  if (const auto *returned = dyn_cast<ReturnStmt>(statement))
    statement = returned->getRetValue();
  const auto *expression = dyn_cast_or_null<Expr>(statement);
  while (expression) {
    expression = expression->IgnoreParenCasts();
    const auto *assignment = dyn_cast<BinaryOperator>(expression);
    if (!assignment || assignment->getOpcode() != BO_Assign || holdsCall(assignment->getLHS()))
      return dyn_cast<CallExpr>(expression);
    expression = assignment->getRHS();
  }
  return nullptr;
}

class CallWalk {
public:
  CallWalk(const FunctionDecl *function, const ASTContext &context,
           llvm::function_ref<void(const FoundCall &)> visit)
      : context(context), visit(visit), around(functionObstacle(function)) {
    walk(function->getBody());
  }

private:
  const ASTContext &context;
  llvm::function_ref<void(const FoundCall &)> visit;
  std::string around; // an obstacle for all calls at this place
  llvm::DenseMap<const CallExpr *, SourceLocation> statements; // that consist of one call
  llvm::DenseMap<const CallExpr *, const Stmt *> macroUses;    // likewise, outermost of a macro

  void walk(const Stmt *statement) {
    if (const auto *call = dyn_cast<CallExpr>(statement))
      note(call);
    if (statement->getBeginLoc().isMacroID() && !isa<DeclStmt>(statement))
      if (const CallExpr *call = callIn(statement, context).call)
        macroUses.try_emplace(call, statement);
    if (const auto *block = dyn_cast<CompoundStmt>(statement))
      for (const Stmt *child : block->body())
        if (const CallExpr *call = wholeOf(child); call && child->getBeginLoc().isFileID())
          statements[call] = child->getBeginLoc();
    const std::string outer = around;
    if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement);
        directive && around.empty())
      around = regionObstacle(directive, "the call");
    if (const auto *attributed = dyn_cast<AttributedStmt>(statement);
        attributed && around.empty() && hasSpecificAttr<MustTailAttr>(attributed->getAttrs()))
      around = "it must be a tail call";
    walkEvaluated(statement);
    around = outer;
  }

  /// Walks what is below the statement and runs when it runs.
  void walkEvaluated(const Stmt *statement) {
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, RequiresExpr>(statement))
      return;
    if (const auto *call = dyn_cast<CallExpr>(statement);
        call && call->isUnevaluatedBuiltinCall(context))
      return;
    if (const auto *selection = dyn_cast<GenericSelectionExpr>(statement)) {
      if (!selection->isResultDependent())
        walk(selection->getResultExpr());
      return;
    }
    if (const auto *choice = dyn_cast<ChooseExpr>(statement)) {
      if (!choice->isConditionDependent())
        walk(choice->getChosenSubExpr());
      return;
    }
    forEachChild(statement, [this](const Stmt *child) { walk(child); });
  }

  /// Whether the call is spelled in the file, as a macro's argument.
  bool isArgument(const CallExpr &call) const {
    const auto range = fileRange(call.getSourceRange(), context);
    const llvm::StringRef text =
        range ? Lexer::getSourceText(*range, context.getSourceManager(), context.getLangOpts())
              : llvm::StringRef();
    return text.starts_with("MPI_") && text.ends_with(")");
  }

  void note(const CallExpr *call) {
    const MpiFunction *function = stepFunction(*call, context);
    if (!function)
      return;
    FoundCall found{call, function, std::nullopt, around, nullptr};
    if (call->getBeginLoc().isMacroID() || call->getRParenLoc().isMacroID()) {
      found.macroUse = macroUses.lookup(call);
      if (found.macroUse && isArgument(*call) && textOf(found.macroUse, context).isMacroUse)
        visit(found);
      return;
    }
    if (const auto whole = statements.find(call); whole != statements.end())
      found.statement = whole->second;
    visit(found);
  }
};

} // namespace

void forEachCall(const FunctionDecl *function, const ASTContext &context,
                 llvm::function_ref<void(const FoundCall &)> visit) {
  CallWalk(function, context, visit);
}

} // namespace sendwright
