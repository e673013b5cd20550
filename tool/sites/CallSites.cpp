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

/// Whether the type is MPI's, or a pointer or reference to one of MPI's types: typedefs lead to a
/// name that begins with MPI_. Wide integers are addresses and counts, which say nothing about MPI.
bool isMpiType(QualType type) {
  for (;;) {
    if (const auto *named = type->getAs<TypedefType>()) {
      const auto *builtin = type.getCanonicalType()->getAs<BuiltinType>();
      if (named->getDecl()->getName().starts_with("MPI_"))
        return !builtin || builtin->getKind() == BuiltinType::Int;
      type = named->desugar();
    } else if (!type->getPointeeType().isNull()) {
      type = type->getPointeeType();
    } else {
      return false;
    }
  }
}

/// The function that a call names, if it may wrap calls of MPI.
const FunctionDecl *wrapperIn(const CallExpr &call, const ASTContext &context) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee || isa<CXXOperatorCallExpr>(call) ||
      classifyFunction(*callee, context).kind != KnownFunction::User)
    return nullptr;
  const QualType result = call.getType();
  if (!result->isVoidType() && !result->isScalarType())
    return nullptr;
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  const bool isWrapper =
      llvm::any_of(callee->parameters(),
                   [](const ParmVarDecl *parameter) { return isMpiType(parameter->getType()); }) ||
      (method && llvm::any_of(method->getParent()->fields(),
                              [](const FieldDecl *field) { return isMpiType(field->getType()); }));
  return isWrapper ? callee : nullptr;
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
  /// `ofWrappers`: looks for calls of what may wrap MPI instead of calls of MPI.
  CallWalk(const FunctionDecl *function, const ASTContext &context, bool ofWrappers,
           llvm::function_ref<void(const FoundCall &)> visit)
      : context(context), ofWrappers(ofWrappers), visit(visit), around(functionObstacle(function)) {
    walk(function->getBody());
  }

private:
  const ASTContext &context;
  const bool ofWrappers;
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

  void noteWrapper(const CallExpr *call) {
    const FunctionDecl *wrapper = wrapperIn(*call, context);
    if (!wrapper || call->getBeginLoc().isMacroID() || call->getRParenLoc().isMacroID())
      return;
    const auto whole = statements.find(call);
    visit({call, nullptr, whole != statements.end() ? std::optional(whole->second) : std::nullopt,
           around, nullptr, wrapper});
  }

  void note(const CallExpr *call) {
    if (ofWrappers)
      return noteWrapper(call);
    const MpiFunction *function = stepFunction(*call, context);
    if (!function)
      return;
    FoundCall found{call, function, std::nullopt, around, nullptr, nullptr};
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
  CallWalk(function, context, false, visit);
}

void forEachWrapperCall(const FunctionDecl *function, const ASTContext &context,
                        llvm::function_ref<void(const FoundCall &)> visit) {
  CallWalk(function, context, true, visit);
}

} // namespace sendwright
