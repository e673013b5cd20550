// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A separate compiler instance parses the unit and produces nothing: edits must be known before the
// first line is compiled, and at that time there is no AST.

#include "tool/unit/TranslationUnit.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "analysis/program/UnitSummary.h"
#include "tool/legality/LibraryFunctions.h"
#include "tool/source/ClangCompatibility.h"
#include "tool/source/Remarks.h"
#include "tool/transformations/marking/Marking.h"
#include "tool/unit/LoopScopes.h"
#include "tool/unit/QuietInvocation.h"
#include "tool/unit/Transformations.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

#include <functional>

namespace sendwright {

namespace {

using UnitTransformations = std::vector<std::unique_ptr<UnitTransformation>>;

thread_local bool parsing = false;

/// Called where a parse begins, and where it ends without errors.
struct ParseCallbacks {
  std::function<void(clang::CompilerInstance &)> begin, end;
};

/// Bodies in the C++ library that instantiate nothing of the user's: half of what a parse costs.
/// Algorithms, containers and function objects keep their bodies, because they instantiate the
/// user's templates and generic lambdas, which must be judged.
bool needsNoBody(const clang::Decl *function, const clang::SourceManager &sources) {
  const clang::SourceLocation location = sources.getExpansionLoc(function->getLocation());
  if (!sources.isInSystemHeader(location))
    return false;
  const llvm::StringRef file = sources.getFilename(location);
  if (!file.contains("/c++/"))
    return false;
  for (const char *part : {"stream", "locale", "basic_string", "regex", "random", "charconv",
                           "chrono", "iomanip", "format", "codecvt", "ios"})
    if (llvm::sys::path::filename(file).contains(part))
      return true;
  return !function->isTemplated();
}

class EndConsumer : public clang::ASTConsumer {
public:
  EndConsumer(clang::CompilerInstance &compiler, const ParseCallbacks &callbacks)
      : compiler(compiler), callbacks(callbacks) {}
  void Initialize(clang::ASTContext &) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.setPredefines(
        withPredefines(preprocessor.getPredefines(), declarationOfPresence()));
  }

  void HandleTranslationUnit(clang::ASTContext &) override {
    if (!compiler.getDiagnostics().hasErrorOccurred())
      callbacks.end(compiler);
  }

  bool shouldSkipFunctionBody(clang::Decl *function) override {
    return needsNoBody(function, compiler.getSourceManager());
  }

private:
  clang::CompilerInstance &compiler;
  const ParseCallbacks &callbacks;
};

class ParseAction : public clang::SyntaxOnlyAction {
public:
  explicit ParseAction(const ParseCallbacks &callbacks) : callbacks(callbacks) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    callbacks.begin(compiler);
    return std::make_unique<EndConsumer>(compiler, callbacks);
  }

private:
  const ParseCallbacks &callbacks;
};

std::string nameOfMainFile(const clang::SourceManager &sources) {
  return sources.getFilename(sources.getLocForStartOfFile(sources.getMainFileID())).str();
}

/// The facts that the runtime compares before it defers anything; "" if there are none.
std::string factsFor(const std::vector<EmittedSite> &sites,
                     std::map<std::string, FunctionFacts> functions,
                     std::vector<CallTarget> targets) {
  UnitFacts facts;
  facts.functions = std::move(functions);
  facts.targets = std::move(targets);
  bool relies = false;
  for (const EmittedSite &site : sites) {
    facts.sites.push_back(site.reliance);
    relies |= !site.reliance.called.empty();
  }
  return relies || !facts.functions.empty() || !facts.targets.empty() ? encodeUnitFacts(facts) : "";
}

/// What the planner is told about the unit; "" if there is nothing to tell.
std::string summaryOf(Legality &legality, const UnitTransformations &transformations,
                      std::vector<LoopInSource> loops) {
  UnitSummary summary{legality.functions(), {}, std::move(loops)};
  for (const auto &transformation : transformations)
    transformation->summarize(summary);
  return summary.functions.empty() && summary.collectives.empty() && summary.loops.empty()
             ? ""
             : encodeUnitSummary(summary);
}

/// The functions that calls through pointers may lead to. None if names in the object file are not
/// those that the language gives, as another function could have them.
std::vector<CallTarget> targetsOf(const clang::CompilerInstance &compiler, Legality &legality) {
  if (compiler.getCodeGenOpts().UniqueInternalLinkageNames)
    return {};
  return legality.targets();
}

/// Does what the source explicitly asks for. Returns false if that is wrong.
bool translateParsed(clang::CompilerInstance &compiler, const UnitTransformations &transformations,
                     const Plan *plan, Remarks &remarks, Edits &edits, RewrittenUnit &result) {
  for (const auto &transformation : transformations) {
    std::vector<SourceError> errors =
        transformation->translate(compiler, plan, remarks, edits, result.unit);
    result.errors.insert(result.errors.end(), errors.begin(), errors.end());
  }
  clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
  for (const SourceError &error : result.errors)
    diagnostics.Report(error.location, id) << printable(error.text);
  return result.errors.empty();
}

/// The sites that may be marked or rewritten; others have an obstacle.
UnitSites sitesFor(clang::ASTContext &context, const UnitTransformations &transformations,
                   const UnitRequest &request, const ProjectRules &rules) {
  const bool needsCalls = llvm::any_of(transformations, [&](const auto &transformation) {
    return transformation->needsCalls(request);
  });
  UnitSites sites = findSites(context, {needsCalls, request.overlapsExchanges, request.generate});
  for (const auto &transformation : transformations)
    transformation->completeSites(sites);
  const auto leaveOut = [&](SourceSite &site) {
    if (rules.leavesOut(site.identity.file))
      site.obstacle = "its file is excluded";
  };
  llvm::for_each(sites.loops, leaveOut);
  llvm::for_each(sites.calls, leaveOut);
  llvm::for_each(sites.wrapperCalls, leaveOut);
  return sites;
}

/// What the unit must declare once its loops are marked or rewritten.
void describeRewritten(const clang::CompilerInstance &compiler, const Options &options,
                       const PlanFile *plan, const UnitTransformations &transformations,
                       Rewrite &rewrite, Unit &unit) {
  Legality &legality = rewrite.legality;
  unit.generate = options.generate;
  unit.sites = std::move(rewrite.emitted);
  unit.calls = std::move(rewrite.emittedCalls);
  unit.callers = std::move(rewrite.emittedCallers);
  if (options.generate)
    unit.functions = summaryOf(legality, transformations, std::move(rewrite.loops));
  std::vector<CallTarget> targets = targetsOf(compiler, legality);
  for (const CallTarget &target : targets)
    unit.targets.push_back(target.symbol);
  // In a build to be profiled, the text already names the unit's functions.
  unit.facts =
      factsFor(unit.sites, plan ? legality.functions() : std::map<std::string, FunctionFacts>(),
               std::move(targets));
  if (plan && (!unit.sites.empty() || !unit.calls.empty()))
    unit.plan = plan->bytes;
}

/// Takes one unit from its AST to its edits.
void rewriteParsed(clang::CompilerInstance &compiler, const Options &options,
                   const ProjectRules &rules, const PlanFile *plan,
                   const UnitTransformations &transformations, clang::DiagnosticConsumer &remarksTo,
                   RewrittenUnit &result) {
  clang::ASTContext &context = compiler.getASTContext();
  if (isUnitOfNamedModule(context)) {
    result.parsed = true;
    return; // a C++20 module begins with its own declaration: nothing may stand before it
  }
  result.unit.file = nameOfMainFile(compiler.getSourceManager());
  Edits edits;
  const UnitRequest request{options.generate, options.reassociate, options.overlapExchanges,
                            options.remarks == RemarkLevel::All, plan ? &plan->plan : nullptr};
  Remarks remarks(compiler, remarksTo, options.remarks);
  result.parsed = translateParsed(compiler, transformations, request.plan, remarks, edits, result);
  if (!result.parsed || (!options.generate && !plan)) {
    result.files = edits.files();
    return;
  }

  if (rules.namesFunctions())
    markAsHarmless(context, [&](llvm::StringRef name) { return rules.neverCommunicates(name); });
  const UnitSites sites = sitesFor(context, transformations, request, rules);
  Legality legality(context, request.plan,
                    options.generate ? OtherUnits::Named : OtherUnits::Unknown);
  Rewrite rewrite{context, sites, legality, remarks, std::move(edits), {}, {}, {}, {},
                  {},      {},    {},       {}};
  for (const auto &transformation : transformations)
    transformation->study(rewrite, request);
  if (options.generate) {
    markLoops(rewrite);
    markCalls(rewrite);
    markCallsOfWrappers(rewrite);
  }
  if (plan) {
    rewriteSendLoops(rewrite, plan->plan);
    for (const auto &transformation : transformations)
      transformation->rewrite(rewrite, plan->plan, result.unit);
  }

  result.files = rewrite.edits.files();
  result.outcomes = std::move(rewrite.outcomes);
  describeRewritten(compiler, options, plan, transformations, rewrite, result.unit);
}

} // namespace

PlanFile PlanFile::read(const std::string &name) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(name, /*IsText=*/false,
                                                   /*RequiresNullTerminator=*/false);
  if (!buffer)
    throw FormatError(name + ": cannot be read: " + buffer.getError().message());
  std::string bytes = (*buffer)->getBuffer().str();
  Plan plan = decodePlan(bytes.data(), bytes.size(), name);
  return {std::move(plan), std::move(bytes)};
}

RewrittenUnit rewriteUnit(std::shared_ptr<clang::CompilerInvocation> invocation,
                          clang::FileManager &files,
                          std::shared_ptr<clang::PCHContainerOperations> containers,
                          const Options &options, const ProjectRules &rules, const PlanFile *plan,
                          Listeners listeners) {
  const llvm::SaveAndRestore guard(parsing, true);
  keepOnlyReading(*invocation);
  invocation->getFrontendOpts().SkipFunctionBodies = true; // bodies chosen by needsNoBody()
  // Entities that only directives use are unused here; with -Werror the unit would not be
  // rewritten.
  invocation->getDiagnosticOpts().IgnoreWarnings = true;
  const auto compiler =
      makeCompiler(std::move(invocation), std::move(containers), files, listeners.diagnostics);
  compiler->setVerboseOutputStream(llvm::nulls());

  RewrittenUnit result;
  const UnitTransformations transformations = makeUnitTransformations();
  const ParseCallbacks callbacks = {[&](clang::CompilerInstance &begun) {
                                      for (const auto &transformation : transformations)
                                        transformation->begin(begun.getPreprocessor());
                                    },
                                    [&](clang::CompilerInstance &parsed) {
                                      rewriteParsed(parsed, options, rules, plan, transformations,
                                                    listeners.remarks, result);
                                    }};
  ParseAction action(callbacks);
  compiler->ExecuteAction(action);
  return result;
}

bool isParsing() { return parsing; }

} // namespace sendwright
