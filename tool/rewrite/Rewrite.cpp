// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/rewrite/Rewrite.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

namespace sendwright {

namespace {

void join(SiteReliance &reliance, const SiteReliance &other) {
  for (const auto &[symbol, allowed] : other.called) {
    AllowedEffects &joined = reliance.called[symbol];
    joined.writesMemory &= allowed.writesMemory;
    joined.reachesMpi &= allowed.reachesMpi;
  }
  reliance.beneath.insert(other.beneath.begin(), other.beneath.end());
}

const Pragmas &pragmasOf(Rewrite &rewrite, clang::FileID file) {
  auto found = rewrite.pragmas.find(file);
  if (found == rewrite.pragmas.end()) {
    const llvm::StringRef text = rewrite.context.getSourceManager().getBufferData(file);
    found = rewrite.pragmas.emplace(file, Pragmas(text, rewrite.context.getLangOpts())).first;
  }
  return found->second;
}

} // namespace

LoopVerdict judgeInstances(Legality &legality, const LoopSite &site) {
  LoopVerdict joined;
  if (!site.directive.empty()) { // the runtime packs what is sent, and keeps it until the end
    joined.mayReachMpi = joined.sends = joined.stableBuffers = true;
    return joined;
  }
  joined.stableBuffers = !site.instances.empty();
  for (const InstantiatedLoop &instance : site.instances) {
    const LoopVerdict verdict = legality.judge(instance.loop, instance.function);
    joined.mayReachMpi |= verdict.mayReachMpi;
    joined.sends |= verdict.sends;
    joined.stableBuffers &= verdict.stableBuffers;
    if (!joined.refusal)
      joined.refusal = verdict.refusal;
    join(joined.reliance, verdict.reliance);
    joined.indirect.insert(joined.indirect.end(), verdict.indirect.begin(), verdict.indirect.end());
  }
  return joined;
}

std::string editObstacle(Rewrite &rewrite, const LoopSite &site) {
  if (!site.obstacle.empty())
    return site.obstacle;
  return pragmaObstacle(rewrite, site.file, site.begin, site.isBlock() ? "the block" : "the loop");
}

std::string pragmaObstacle(Rewrite &rewrite, clang::FileID file, unsigned begin,
                           const std::string &what) {
  const std::string pragma = pragmasOf(rewrite, file).before(begin);
  return pragma.empty() ? "" : "a pragma applies to " + what + " (" + pragma + ")";
}

void addScope(Rewrite &rewrite, const LoopSite &site, const EmittedSite &emitted,
              const ScopeCalls &calls, const std::vector<std::string> &comment) {
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  const llvm::StringRef text = sources.getBufferData(site.file);
  const TextRange range{site.begin, site.end};
  const ScopeCalls all = site.chain ? chainScope(emitted, site.chain->reads, calls) : calls;
  std::vector<Edit> edits;
  if (!site.directive.empty())
    edits = scopeAroundDirective(text, range, all.opening, comment);
  else if (site.declares)
    edits = scopeBetween(text, range, all.opening, all.closing, comment);
  else
    edits = scopeAround(text, range, all.opening, comment);
  if (rewrite.edits.add(sources, site.file, std::move(edits)))
    rewrite.emitted.push_back(emitted);
}

void addChecks(Rewrite &rewrite, const LoopSite &site, const IndirectCallees &callees) {
  for (const CalleeText &callee : callees.texts)
    rewrite.edits.add(rewrite.context.getSourceManager(), site.file,
                      checkAround({callee.begin, callee.end}, callee.call));
}

void addBefore(Rewrite &rewrite, const CallSite &site, const EmittedSite &emitted,
               const std::string &before, const std::vector<std::string> &comment) {
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  const llvm::StringRef text = sources.getBufferData(site.file);
  const Pragmas &pragmas = pragmasOf(rewrite, site.file);
  std::vector<Edit> edits;
  if (site.inMacro) { // its statement is the site's text
    if (!pragmas.before(site.begin).empty())
      return;
    edits = scopeAround(text, {site.begin, site.end}, before + ";", comment);
  } else if (site.statement && pragmas.before(*site.statement).empty()) {
    edits = statementBefore(text, {*site.statement, site.end}, before, comment);
  } else { // a pragma before the statement must stay in front of it
    edits = operandBefore({site.begin, site.end}, before, comment);
  }
  if (rewrite.edits.add(sources, site.file, std::move(edits)))
    rewrite.emittedCalls.push_back(emitted);
}

void addBefore(Rewrite &rewrite, const WrapperCallSite &site, const EmittedCaller &emitted) {
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  const bool ownStatement =
      site.statement && pragmasOf(rewrite, site.file).before(*site.statement).empty();
  const std::string before = calledFromBefore(emitted);
  std::vector<Edit> edits = ownStatement ? statementBefore(sources.getBufferData(site.file),
                                                           {*site.statement, site.end}, before, {})
                                         : operandBefore({site.begin, site.end}, before, {});
  if (rewrite.edits.add(sources, site.file, std::move(edits)))
    rewrite.emittedCallers.push_back(emitted);
}

std::optional<clang::SourceLocation> definitionAround(const Rewrite &rewrite,
                                                      const SiteIdentity &site) {
  for (const auto &[name, location] : rewrite.sites.functions)
    if (name.second == site.function &&
        llvm::sys::path::filename(name.first) == llvm::sys::path::filename(site.file))
      return location;
  return std::nullopt;
}

} // namespace sendwright
