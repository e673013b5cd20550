// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the declarations that the user wrote, collects the loops of every function body, and names
// them. Templates are also visited as patterns: a pattern has no instances but counts in the
// ordinals, so a loop in a header is the same site in every unit, whatever the unit instantiates.

#include "tool/sites/LoopSites.h"

#include "tool/sites/LoopHash.h"
#include "tool/sites/LoopObstacles.h"
#include "tool/sites/LoopText.h"
#include "tool/sites/PairwiseLoops.h"
#include "tool/sites/StatementBlocks.h"
#include "tool/source/MpiHeaders.h"
#include "tool/source/SyntaxWalk.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <tuple>

namespace sendwright {

namespace {

using namespace clang;

class SiteFinder final : public SyntaxWalk {
public:
  SiteFinder(ASTContext &context, WantedSites wanted)
      : context(context), sources(context.getSourceManager()), wanted(wanted) {}

  UnitSites find() {
    for (Decl *declaration : context.getTranslationUnitDecl()->noload_decls())
      if (!declaration->isFromASTFile())
        TraverseDecl(declaration);
    forEachBlock(bodies, context, wanted.chains,
                 [this](const StatementBlock &block) { addBlock(block); });
    std::vector<LoopSite> found = sitesOf(loops);
    llvm::move(sitesOf(blocks), std::back_inserter(found));
    return {number(std::move(found)), number(sitesOf(calls)), number(sitesOf(wrapperCalls)),
            std::move(functions)};
  }

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool TraverseDecl(Decl *declaration) override {
    if (!declaration || !isUsers(declaration->getLocation()))
      return true;
    return SyntaxWalk::TraverseDecl(declaration);
  }

  bool VisitFunctionDecl(FunctionDecl *function) override {
    addFunction(function);
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    addFunction(lambda->getCallOperator());
    if (FunctionTemplateDecl *generic = lambda->getCallOperator()->getDescribedFunctionTemplate())
      for (FunctionDecl *instance : generic->specializations())
        TraverseDecl(instance);
    return true;
  }

private:
  ASTContext &context;
  const SourceManager &sources;
  llvm::StringMap<bool> mpiHeaders; // by file name
  llvm::DenseSet<const FunctionDecl *> visited;
  const WantedSites wanted;
  // File, offset, and where a macro's text is spelled.
  using Place = std::tuple<const FileEntry *, unsigned, unsigned>;
  std::map<Place, LoopSite> loops;
  std::map<Place, LoopSite> blocks; // by file, and where the text begins and ends
  std::map<Place, CallSite> calls;
  std::map<Place, WrapperCallSite> wrapperCalls;
  std::map<std::pair<std::string, std::string>, SourceLocation> functions;
  std::vector<const FunctionDecl *> bodies;

  bool isUsers(SourceLocation location) {
    if (location.isInvalid())
      return true; // such as a linkage specification, with declarations in it
    location = sources.getExpansionLoc(location);
    if (sources.isInSystemHeader(location))
      return false;
    const llvm::StringRef file = fileName(location);
    const auto [known, isNew] = mpiHeaders.try_emplace(file, false);
    if (isNew)
      known->second = isMpiHeader(file);
    return !known->second;
  }

  llvm::StringRef fileName(SourceLocation location) const {
    const PresumedLoc presumed = sources.getPresumedLoc(location);
    return presumed.isValid() ? presumed.getFilename() : "";
  }

  void addFunction(FunctionDecl *function) {
    if (!function->doesThisDeclarationHaveABody() || function->isDefaulted() ||
        !function->getBody() || !visited.insert(function).second)
      return;
    const std::string name = siteFunctionName(function);
    const SourceLocation location = sources.getExpansionLoc(function->getLocation());
    functions.try_emplace({fileName(location).str(), name}, location);
    bodies.push_back(function);
    forEachLoop(function, [&](const Stmt *loop, const std::string &obstacle) {
      addLoop(loop, function, name, obstacle);
    });
    if (wanted.chains && !function->isDependentContext() && !function->isTemplateInstantiation())
      addChains(*function);
    if (wanted.calls)
      forEachCall(function, context, [&](const FoundCall &call) { addCall(call, function, name); });
    if (wanted.wrapperCalls && !function->isDependentContext())
      forEachWrapperCall(function, context,
                         [&](const FoundCall &call) { addWrapperCall(call, name); });
  }

  void addLoop(const Stmt *loop, const FunctionDecl *function, const std::string &name,
               const std::string &obstacle) {
    const SourceLocation begin = sources.getExpansionLoc(loop->getBeginLoc());
    const unsigned spelled =
        loop->getBeginLoc().isMacroID()
            ? sources.getFileOffset(sources.getSpellingLoc(loop->getBeginLoc()))
            : 0;
    const auto [file, offset] = sources.getDecomposedLoc(begin);
    auto [entry, isNew] =
        loops.try_emplace({sources.getFileEntryForID(file), offset, spelled}, LoopSite());
    LoopSite &site = entry->second;
    if (isNew) {
      const LoopText text = textOf(loop, context);
      site.obstacle = text.obstacle;
      describe(site, {text.file, text.begin, text.end}, begin, name);
    }
    if (site.obstacle.empty())
      site.obstacle = obstacle;
    if (function->isDependentContext())
      site.inTemplate = true; // the pattern is visited in every unit that has its text
    else
      site.instances.push_back({loop, function});
  }

  /// Loops over exchanges, unless they look like a collective operation.
  void addChains(const FunctionDecl &function) {
    const PairwiseChains chains(function, context);
    for (auto &[place, site] : loops)
      if (!site.chain && site.instances.size() == 1 && site.instances[0].function == &function) {
        auto *loop = const_cast<Stmt *>(site.instances[0].loop);
        const PairwiseChain chain = chains.atBeginOf(loop);
        if (chain.calls > 0 && !pairwiseLoopOf(loop, context))
          site.chain = chain;
      }
  }

  void addBlock(const StatementBlock &block) {
    const LoopText first = textOf(block.statements->body_front(), context),
                   last = textOf(block.statements->body_back(), context);
    const auto isWhole = [](const LoopText &text) {
      return text.obstacle.empty() || text.isMacroUse;
    };
    auto [entry, isNew] =
        blocks.try_emplace({sources.getFileEntryForID(first.file), first.begin, last.end});
    LoopSite &site = entry->second;
    if (isNew) {
      describe(site, {first.file, first.begin, std::max(first.begin, last.end)},
               sources.getExpansionLoc(block.statements->getBeginLoc()),
               siteFunctionName(block.function));
      site.block = BlockSize{block.sends, block.loops};
      site.chain = block.chain;
      for (auto &[place, loop] : loops) // the block's scope is for the exchanges of its loops, too
        if (site.chain && loop.file == site.file && loop.begin >= site.begin &&
            loop.end <= site.end)
          loop.chain.reset();
      site.declares = block.declares;
      site.obstacle = block.obstacle;
      if (first.file != last.file)
        site.obstacle = "the block begins in one file and ends in another";
      else if (!isWhole(first) || !isWhole(last) || last.end <= first.begin)
        site.obstacle = "the block begins or ends within a macro";
    }
    site.inTemplate |= block.function->isDependentContext();
    for (const auto &[statements, function] : block.instances)
      site.instances.push_back({statements, function});
  }

  void addCall(const FoundCall &call, const FunctionDecl *function, const std::string &name) {
    if (call.macroUse)
      return addMacroUse(call, function, name);
    const SourceLocation begin = call.call->getBeginLoc();
    const auto [file, offset] = sources.getDecomposedLoc(begin);
    const auto [endFile, last] = sources.getDecomposedLoc(call.call->getRParenLoc());
    if (file != endFile || last < offset)
      return;
    auto [entry, isNew] =
        calls.try_emplace({sources.getFileEntryForID(file), offset, 0}, CallSite());
    CallSite &site = entry->second;
    if (isNew) {
      describe(site, {file, offset, last + 1}, begin, name);
      site.function = call.function;
      if (call.statement && sources.getFileID(*call.statement) == file)
        site.statement = sources.getFileOffset(*call.statement);
    }
    if (site.obstacle.empty())
      site.obstacle = call.obstacle;
    if (function->isDependentContext())
      site.inTemplate = true;
    else
      site.instances.push_back(call.call);
  }

  void addWrapperCall(const FoundCall &call, const std::string &name) {
    const SourceLocation begin = call.call->getBeginLoc();
    const auto [file, offset] = sources.getDecomposedLoc(begin);
    const auto [endFile, last] = sources.getDecomposedLoc(call.call->getRParenLoc());
    if (file != endFile || last < offset)
      return;
    auto [entry, isNew] = wrapperCalls.try_emplace({sources.getFileEntryForID(file), offset, last});
    WrapperCallSite &site = entry->second;
    if (!isNew)
      return;
    describe(site, {file, offset, last + 1}, begin, name);
    site.obstacle = call.obstacle;
    site.callee = siteFunctionName(call.wrapper);
    site.call = call.call;
    if (call.statement && sources.getFileID(*call.statement) == file)
      site.statement = sources.getFileOffset(*call.statement);
  }

  void addMacroUse(const FoundCall &call, const FunctionDecl *function, const std::string &name) {
    const LoopText text = textOf(call.macroUse, context);
    auto [entry, isNew] =
        calls.try_emplace({sources.getFileEntryForID(text.file), text.begin, 0}, CallSite());
    CallSite &site = entry->second;
    if (isNew) {
      describe(site, {text.file, text.begin, text.end},
               sources.getExpansionLoc(call.macroUse->getBeginLoc()), name);
      site.function = call.function;
      site.inMacro = true;
    }
    if (site.obstacle.empty())
      site.obstacle = call.obstacle;
    if (function->isDependentContext())
      site.inTemplate = true;
    else
      site.instances.push_back(call.call);
  }

  struct Text {
    FileID file;
    unsigned begin, end;
  };

  void describe(SourceSite &site, const Text &text, SourceLocation location,
                const std::string &name) {
    site.location = location;
    site.file = text.file;
    site.begin = text.begin;
    site.end = text.end;
    const PresumedLoc presumed = sources.getPresumedLoc(location);
    const llvm::StringRef all = sources.getBufferData(text.file);
    site.identity.file = presumed.getFilename();
    site.identity.line = presumed.getLine();
    site.identity.function = name;
    site.identity.hash =
        hashTokens(all.substr(text.begin, text.end - text.begin), context.getLangOpts());
  }

  template <typename Site> static std::vector<Site> sitesOf(std::map<Place, Site> &found) {
    std::vector<Site> sites;
    sites.reserve(found.size());
    for (auto &[key, site] : found)
      sites.push_back(std::move(site));
    return sites;
  }

  /// Sorts sites by their text, and numbers the equal sites of one function.
  template <typename Site> std::vector<Site> number(std::vector<Site> sites) {
    std::map<std::tuple<std::string, std::string, std::uint64_t>, unsigned> seen;
    std::sort(sites.begin(), sites.end(), [&](const Site &left, const Site &right) {
      return sources.isBeforeInTranslationUnit(left.location, right.location);
    });
    for (Site &site : sites)
      site.identity.ordinal =
          seen[{site.identity.file, site.identity.function, site.identity.hash}]++;
    return sites;
  }
};

std::string nameOf(const Decl *declaration) {
  if (const auto *record = dyn_cast<CXXRecordDecl>(declaration); record && record->isLambda())
    return "lambda";
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(declaration))
    return constructor->getParent()->getNameAsString();
  if (const auto *destructor = dyn_cast<CXXDestructorDecl>(declaration))
    return "~" + destructor->getParent()->getNameAsString();
  if (isa<CXXConversionDecl>(declaration))
    return "operator conversion";
  const auto *named = dyn_cast<NamedDecl>(declaration);
  if (!named)
    return "";
  return named->getDeclName().isEmpty() ? "(anonymous)" : named->getNameAsString();
}

} // namespace

std::string siteFunctionName(const FunctionDecl *function) {
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  std::string name = method && method->getParent()->isLambda() ? "" : nameOf(function);
  for (const DeclContext *around = function->getDeclContext(); around;
       around = around->getParent()) {
    if (!isa<NamespaceDecl, TagDecl, FunctionDecl>(around))
      continue;
    const auto *call = dyn_cast<CXXMethodDecl>(around);
    if (call && call->getParent()->isLambda())
      continue; // the lambda's class is named
    name = nameOf(cast<Decl>(around)).append(name.empty() ? "" : "::").append(name);
  }
  return name;
}

std::string LoopSite::name() const {
  if (!directive.empty())
    return "directive '" + directive + "'";
  if (!block)
    return chain ? "loop of exchanges" : "send loop";
  const auto counted = [](unsigned count, const char *what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  if (chain)
    return "chain of " + counted(chain->calls, "exchange");
  if (block->sends == 1 && block->loops == 0)
    return "call of MPI_Startall"; // another send alone is no block
  std::string name = "block of ";
  if (block->sends > 0)
    name += counted(block->sends, "send");
  if (block->sends > 0 && block->loops > 0)
    name += " and ";
  if (block->loops > 0)
    name += counted(block->loops, "send loop");
  return name;
}

UnitSites findSites(ASTContext &context, WantedSites wanted) {
  return SiteFinder(context, wanted).find();
}

} // namespace sendwright
