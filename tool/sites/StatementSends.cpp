// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/StatementSends.h"

#include "tool/legality/BodySummary.h"
#include "tool/legality/EvaluatedCode.h"
#include "tool/legality/LibraryFunctions.h"
#include "tool/sites/LoopObstacles.h"

using namespace clang;

namespace sendwright {

namespace {

/// The argument that says where a send goes.
const Expr *destinationOf(const MpiFunction &function, const Expr *call) {
  const auto *written = dyn_cast_or_null<CallExpr>(call);
  const int index = function.peer >= 0 ? function.peer : function.request;
  return written && index >= 0 && static_cast<unsigned>(index) < written->getNumArgs()
             ? written->getArg(static_cast<unsigned>(index))
             : nullptr;
}

/// The only function that the name of a callee can mean, where the arguments depend on a template
/// parameter: those of C, and so of MPI, are not overloaded.
const FunctionDecl *namedFunction(const CallExpr &call) {
  const auto *name = dyn_cast<UnresolvedLookupExpr>(call.getCallee()->IgnoreParenImpCasts());
  if (!name || name->getNumDecls() != 1)
    return nullptr;
  return dyn_cast<FunctionDecl>((*name->decls_begin())->getUnderlyingDecl());
}

} // namespace

class SendingStatements::Walk final : public EvaluatedCode {
public:
  explicit Walk(SendingStatements &all) : all(all) {}
  StatementSends found;

  bool enters(Stmt &statement) override {
    if (!EvaluatedCode::enters(statement))
      return false;
    loops += isLoop(&statement) ? 1 : 0;
    return true;
  }
  void leaves(Stmt &statement) override { loops -= isLoop(&statement) ? 1 : 0; }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *function = namedFunction(*call);
    if (!function)
      return EvaluatedCode::VisitCallExpr(call);
    onCall(*function, call, call->getExprLoc());
    return true;
  }
  void onCall(const FunctionDecl &callee, const Expr *site, SourceLocation) override {
    const KnownFunction known = classifyFunction(callee, all.context);
    if (known.kind == KnownFunction::Mpi)
      onMpiCall(known.mpi, site);
    if (known.kind != KnownFunction::User || callee.isTrivial())
      return;
    if (const FunctionDecl *definition = visibleDefinition(callee))
      onFunction(*definition, site);
    else
      found.callsUnknown = true;
  }
  void onUnknownCall(const std::string &, SourceLocation) override { found.callsUnknown = true; }
  void onLambda(const LambdaExpr &) override {} // its calls count, not its text

private:
  void onMpiCall(const MpiFunction *function, const Expr *site) {
    const BatchEffect effect = function ? function->effect : BatchEffect::Flush;
    if (effect == BatchEffect::Capture) {
      onSends(1, function ? destinationOf(*function, site) : nullptr);
      found.startsSeveral |= loops == 0 && function && function->id == MpiFunctionId::Startall;
    } else if (effect != BatchEffect::Pass && effect != BatchEffect::Remember)
      found.endsBatch = true;
  }
  void onFunction(const FunctionDecl &definition, const Expr *site) {
    const StatementSends &inside = all.ofFunction(definition);
    found.endsBatch |= inside.endsBatch;
    found.sendsInLoop |= inside.sendsInLoop;
    found.callsUnknown |= inside.callsUnknown;
    onSends(inside.sends, site);
  }
  void onSends(unsigned count, const Expr *destination) {
    if (count == 0)
      return;
    if (loops > 0) {
      found.sendsInLoop = true;
      return;
    }
    found.sends += count;
    found.destinations.push_back(destination);
  }

  SendingStatements &all;
  unsigned loops = 0; // around the code that is being walked
};

/// Walks a loop and all that it calls.
class SendingStatements::Callees final : public EvaluatedCode {
public:
  explicit Callees(SendingStatements &all) : all(all) {}

  void onCall(const FunctionDecl &callee, const Expr *, SourceLocation) override {
    if (classifyFunction(callee, all.context).kind != KnownFunction::User)
      return;
    const FunctionDecl *definition = visibleDefinition(callee);
    if (!definition || !all.belowLoops.insert(definition).second)
      return;
    if (const FunctionDecl *pattern = definition->getTemplateInstantiationPattern())
      all.belowLoops.insert(pattern);
    walkFunction(*definition);
  }
  void onUnknownCall(const std::string &, SourceLocation) override {}
  void onLambda(const LambdaExpr &lambda) override {
    if (!lambda.isGenericLambda())
      onCall(*lambda.getCallOperator(), nullptr, lambda.getBeginLoc());
  }

private:
  SendingStatements &all;
};

StatementSends SendingStatements::of(const Stmt &statement) {
  Walk walk(*this);
  walk.walkStatement(&statement);
  return std::move(walk.found);
}

const StatementSends &SendingStatements::ofFunction(const FunctionDecl &definition) {
  // While a function that calls itself is open, nothing is known about it.
  const auto [entry, isNew] = functions.try_emplace(&definition);
  if (!isNew)
    return entry->second;
  Walk walk(*this);
  walk.walkFunction(definition);
  walk.found.destinations.clear(); // told apart by their calls
  return functions[&definition] = std::move(walk.found);
}

void SendingStatements::noteSendLoop(const Stmt &loop) { Callees(*this).walkStatement(&loop); }

} // namespace sendwright
