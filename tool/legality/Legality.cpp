// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/Legality.h"

#include "analysis/program/FunctionSummary.h"
#include "tool/legality/AddressedFunctions.h"
#include "tool/legality/BufferStability.h"
#include "tool/legality/FunctionFactsBuilder.h"
#include "tool/legality/LibraryFunctions.h"
#include "tool/source/SyntaxWalk.h"

#include "clang/AST/Attr.h"

#include <algorithm>
#include <set>

using namespace clang;

namespace sendwright {

namespace {

// The statements of a function that no scope may enclose: those of OpenMP regions, and loops with a
// directive or pragma in front, which is meant for the loop itself.
class StatementsWithDirective final : public SyntaxWalk {
public:
  std::map<const Stmt *, std::string> reasons;

  bool VisitOMPExecutableDirective(OMPExecutableDirective *directive) override {
    if (directive->hasAssociatedStmt())
      markAll(directive->getAssociatedStmt(), "stands inside an OpenMP region");
    return true;
  }
  bool VisitAttributedStmt(AttributedStmt *statement) override {
    const Stmt *inner = statement->getSubStmt();
    if (isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(inner))
      reasons.emplace(inner, "has a pragma or attribute in front of it");
    return true;
  }

private:
  void markAll(const Stmt *statement, const char *reason) {
    if (!statement)
      return;
    reasons.emplace(statement, reason);
    if (const auto *captured = dyn_cast<CapturedStmt>(statement))
      markAll(captured->getCapturedStmt(), reason);
    for (const Stmt *child : statement->children())
      markAll(child, reason);
  }
};

// The functions of a unit that other units may call.
class ExternalFunctions final : public SyntaxWalk {
public:
  explicit ExternalFunctions(ASTContext &context) : context(context) {}
  std::vector<const FunctionDecl *> found;

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool enters(Stmt &) override { return false; } // no other unit can call a local class's methods
  bool TraverseDecl(Decl *declaration) override {
    if (!declaration)
      return true;
    bool skip =
        !isa<TranslationUnitDecl>(declaration) &&
        (isStandardLibrary(*declaration, context) || isDeclaredByMpi(*declaration, context));
    return skip || SyntaxWalk::TraverseDecl(declaration);
  }
  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (function->isThisDeclarationADefinition() && !function->isDependentContext() &&
        !function->isImplicit() && !function->isMain() && function->isExternallyVisible() &&
        function->getBody())
      found.push_back(function);
    return true;
  }

private:
  ASTContext &context;
};

} // namespace

struct Legality::State {
  State(ASTContext &context, const Plan *plan, OtherUnits others)
      : context(context), plan(plan), named(!plan && others == OtherUnits::Named),
        builder(context) {}

  // The facts of a function of another unit; null where the plan does not know it.
  const FunctionFacts *external(const std::string &symbol) {
    if (!plan || !plan->functions.count(symbol))
      return nullptr;
    lookedUp.insert(symbol);
    auto found = resolved.find(symbol);
    if (found == resolved.end()) {
      FunctionFacts facts =
          resolveFunction(symbol, plan->functions,
                          [](const std::string &) -> const FunctionFacts * { return nullptr; });
      found = resolved.emplace(symbol, std::move(facts)).first;
    }
    return &found->second;
  }

  std::optional<std::string> externalRefusal(const std::string &symbol, const std::string &name) {
    if (named) {
      lookedUp.insert(symbol);
      return std::nullopt;
    }
    const FunctionFacts *facts = external(symbol);
    if (!facts)
      return "calls " + name + ", which was not compiled with the plugin";
    if (!facts->mayWait)
      return std::nullopt;
    if (facts->reason.empty())
      return "calls " + name + ", which may wait outside MPI";
    return "calls " + name + ", which " + facts->reason;
  }

  std::optional<std::string> calleeRefusal(const VisibleCall &call) {
    const CombinedFacts &facts = builder.facts(*call.definition);
    std::optional<std::string> reason = facts.refusal;
    for (auto symbol = facts.external.begin(); !reason && symbol != facts.external.end(); ++symbol)
      reason = externalRefusal(symbol->first, symbol->second);
    if (!reason && call.throughPointer)
      reason = waitBeyond(*call.definition, facts);
    if (!reason)
      return std::nullopt;
    const auto *method = dyn_cast<CXXMethodDecl>(call.definition);
    if (method && method->getParent()->isLambda())
      return "calls a lambda that " + *reason;
    return "calls " + qualifiedName(*call.definition) + ", which " + *reason;
  }

  bool mayReachMpi(const std::string &symbol) {
    const FunctionFacts *facts = external(symbol);
    return !facts || facts->reachesMpi;
  }

  bool mayReachMpi(const CombinedFacts &facts) {
    return facts.reachesMpi ||
           std::any_of(facts.external.begin(), facts.external.end(),
                       [this](const auto &symbol) { return mayReachMpi(symbol.first); });
  }

  bool mayReachMpi(const BodySummary &summary) {
    return summary.reachesMpi ||
           std::any_of(summary.external.begin(), summary.external.end(),
                       [this](const ExternalCall &call) { return mayReachMpi(call.symbol); }) ||
           std::any_of(summary.visible.begin(), summary.visible.end(),
                       [this](const VisibleCall &call) {
                         return mayReachMpi(builder.facts(*call.definition));
                       });
  }

  CalleeStores storesOfExternal(const std::string &symbol) {
    const FunctionFacts *facts = external(symbol);
    return facts ? CalleeStores{facts->writesMemory, facts->reachesMpi} : CalleeStores();
  }

  CalleeStores stores(const FunctionDecl &callee) {
    const FunctionDecl *definition = visibleDefinition(callee);
    if (!definition)
      return storesOfExternal(symbolName(callee, context));
    const CombinedFacts &facts = builder.facts(*definition);
    CalleeStores result{facts.writesMemory, facts.sends};
    for (const auto &[symbol, name] : facts.external) {
      CalleeStores other = storesOfExternal(symbol);
      result.writesMemory |= other.writesMemory;
      result.maySend |= other.maySend;
    }
    return result;
  }

  /// What other units may rely on about a function with its body here. Its callees in other units
  /// are named, not folded in.
  FunctionFacts factsOf(const FunctionDecl &definition) {
    const CombinedFacts &combined = builder.facts(definition);
    FunctionFacts facts;
    std::optional<std::string> reason = combined.refusal;
    if (!reason)
      reason = waitBeyond(definition, combined);
    facts.mayWait = reason.has_value();
    facts.reason = reason.value_or("");
    facts.writesMemory = combined.writesMemory;
    facts.reachesMpi = combined.reachesMpi;
    facts.sends = combined.sends;
    // The facts are already at their worst; callees cannot change them.
    if (!(facts.mayWait && facts.writesMemory && facts.reachesMpi))
      for (const auto &[symbol, name] : combined.external)
        facts.callees.push_back(symbol);
    return facts;
  }

  /// What the verdict took from the plan: facts that must not become worse.
  SiteReliance reliance(const LoopVerdict &verdict) {
    SiteReliance result;
    if (!plan) {
      for (const std::string &symbol : lookedUp)
        result.called[symbol] = {};
      return result;
    }
    for (const std::string &symbol : lookedUp) {
      const FunctionFacts &facts = resolved.at(symbol);
      AllowedEffects &allowed = result.called[symbol];
      allowed.writesMemory = facts.writesMemory || !verdict.stableBuffers;
      allowed.reachesMpi = facts.reachesMpi || !verdict.stableBuffers;
    }
    result.beneath = functionsBeneath(result.called, plan->functions);
    return result;
  }

  bool createsWindows() {
    if (!windows)
      windows = sendwright::createsWindows(context);
    return *windows;
  }

  std::optional<Refusal> refusal(const Stmt &loop, const FunctionDecl &function,
                                 const BodySummary &summary);

  ASTContext &context;
  const Plan *plan;
  const bool named; // see OtherUnits
  FunctionFactsBuilder builder;
  std::map<std::string, FunctionFacts> resolved;
  std::set<std::string> lookedUp; // by the loop that is being judged
  std::optional<bool> windows;
  std::map<const FunctionDecl *, std::map<const Stmt *, std::string>> directives;
};

std::optional<Refusal> Legality::State::refusal(const Stmt &loop, const FunctionDecl &function,
                                                const BodySummary &summary) {
  auto cached = directives.find(&function);
  if (cached == directives.end()) {
    StatementsWithDirective visitor;
    visitor.TraverseStmt(function.getBody());
    cached = directives.emplace(&function, std::move(visitor.reasons)).first;
  }
  const auto *block = dyn_cast<CompoundStmt>(&loop); // of its own: the body has its statements
  const Stmt *inBody = block ? block->body_front() : &loop;
  if (auto marked = cached->second.find(inBody); marked != cached->second.end())
    return Refusal{marked->second, loop.getBeginLoc()};
  if (summary.refusal)
    return summary.refusal;
  for (const ExternalCall &call : summary.external)
    if (auto reason = externalRefusal(call.symbol, call.name))
      return Refusal{*reason, call.where};
  for (const VisibleCall &call : summary.visible)
    if (auto reason = calleeRefusal(call))
      return Refusal{*reason, call.where};
  return findSpinLoop(summary.loops, *function.getBody(), context, builder.oracle());
}

Legality::Legality(ASTContext &context, const Plan *plan, OtherUnits others)
    : state(std::make_unique<State>(context, plan, others)) {}

Legality::~Legality() = default;

bool Legality::mayReachMpi(const Stmt &statement) {
  return state->mayReachMpi(summarizeStatement(statement, state->context, state->builder.passed));
}

LoopVerdict Legality::judge(const Stmt *loop, const FunctionDecl *function) {
  if (const FunctionDecl *definition = function->getDefinition())
    function = definition;
  BodySummary summary = summarizeStatement(*loop, state->context, state->builder.passed);
  state->lookedUp.clear();
  LoopVerdict verdict;
  verdict.mayReachMpi = summary.reachesMpi;
  verdict.sends = summary.sends;
  for (const ExternalCall &call : summary.external)
    verdict.mayReachMpi |= state->mayReachMpi(call.symbol);
  for (const VisibleCall &call : summary.visible) {
    const CombinedFacts &facts = state->builder.facts(*call.definition);
    verdict.mayReachMpi |= state->mayReachMpi(facts);
    verdict.sends |= facts.sends;
  }
  if (verdict.mayReachMpi)
    verdict.refusal = state->refusal(*loop, *function, summary);
  if (verdict.mayReachMpi && !verdict.refusal)
    verdict.stableBuffers =
        !state->named && !state->createsWindows() &&
        hasStableBuffers(*loop, *function, state->context,
                         [this](const FunctionDecl &callee) { return state->stores(callee); });
  if (verdict.mayReachMpi && !verdict.refusal) {
    verdict.reliance = state->reliance(verdict);
    verdict.indirect = std::move(summary.indirect);
  }
  return verdict;
}

std::map<std::string, FunctionFacts> Legality::functions() {
  ExternalFunctions visitor(state->context);
  visitor.TraverseDecl(state->context.getTranslationUnitDecl());
  std::map<std::string, FunctionFacts> result;
  for (const FunctionDecl *function : visitor.found) {
    std::string symbol = symbolName(*function, state->context);
    // The profile cannot tell which definition of a weak function runs; the program contains them
    // all.
    if (!state->plan && function->hasAttr<WeakAttr>())
      continue;
    if (state->plan) {
      // No loop relies on a function that the profile judged badly.
      const FunctionFacts *profiled = state->external(symbol);
      if (!profiled || profiled->mayWait)
        continue;
    }
    result.emplace(std::move(symbol), state->factsOf(*function));
  }
  return result;
}

std::vector<CallTarget> Legality::targets() {
  std::vector<CallTarget> result;
  for (const FunctionDecl *function : addressedFunctions(state->context)) {
    CallTarget target{symbolName(*function, state->context), true, {}};
    // Unnamed types are numbered in the order in which they are first asked for.
    if (target.symbol.empty() || target.symbol.find('$') != std::string::npos)
      continue;
    const KnownFunction known = classifyFunction(*function, state->context);
    target.facts.reachesMpi = known.kind == KnownFunction::Mpi;
    if (known.kind == KnownFunction::User) {
      const FunctionDecl *definition = visibleDefinition(*function);
      target.known = definition != nullptr;
      if (definition)
        target.facts = state->factsOf(*definition);
    } else if (!returnsForAnyArguments(known, *function)) {
      continue;
    }
    result.push_back(std::move(target));
  }
  return result;
}

} // namespace sendwright
