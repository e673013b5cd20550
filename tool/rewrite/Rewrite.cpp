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
  return pragmaObstacle(rewrite, site.file, site.begin);
}

std::string pragmaObstacle(Rewrite &rewrite, clang::FileID file, unsigned begin) {
  const std::string pragma = pragmasOf(rewrite, file).before(begin);
  return pragma.empty() ? "" : "a pragma applies to the loop (" + pragma + ")";
}

void addGuard(Rewrite &rewrite, clang::FileID file, GuardEdit guard) {
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  if (const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file))
    rewrite.edits.addGuard(*entry, sources.getFilename(sources.getLocForStartOfFile(file)),
                           sources.getBufferData(file), std::move(guard));
}

void addScope(Rewrite &rewrite, const LoopSite &site, const EmittedSite &emitted,
              const std::string &opening, std::vector<std::string> comment) {
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  const clang::OptionalFileEntryRef file = sources.getFileEntryRefForID(site.file);
  if (!file)
    return;
  const clang::SourceLocation start = sources.getLocForStartOfFile(site.file);
  rewrite.edits.addScope(*file, sources.getFilename(start), sources.getBufferData(site.file),
                         {site.begin, site.end, opening, std::move(comment)});
  rewrite.emitted.push_back(emitted);
}

void addBefore(Rewrite &rewrite, const CallSite &site, const EmittedSite &emitted,
               const std::string &before, std::vector<std::string> comment) {
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  const clang::OptionalFileEntryRef file = sources.getFileEntryRefForID(site.file);
  if (!file)
    return;
  if (site.inMacro) { // its statement is the site's text
    if (pragmasOf(rewrite, site.file).before(site.begin).empty()) {
      rewrite.edits.addScope(*file, sources.getFilename(sources.getLocForStartOfFile(site.file)),
                             sources.getBufferData(site.file),
                             {site.begin, site.end, before + ";", std::move(comment)});
      rewrite.emittedCalls.push_back(emitted);
    }
    return;
  }
  // A pragma before the statement must stay in front of the statement that it is meant for.
  const bool isStatement =
      site.statement && pragmasOf(rewrite, site.file).before(*site.statement).empty();
  const clang::SourceLocation start = sources.getLocForStartOfFile(site.file);
  rewrite.edits.addCall(*file, sources.getFilename(start), sources.getBufferData(site.file),
                        {isStatement ? *site.statement : site.begin, site.end, isStatement, before,
                         std::move(comment)});
  rewrite.emittedCalls.push_back(emitted);
}

std::optional<clang::SourceLocation> definitionAround(const Rewrite &rewrite,
                                                      const SiteIdentity &site) {
  for (const auto &[name, location] : rewrite.sites.functions)
    if (name.second == site.function &&
        llvm::sys::path::filename(name.first) == llvm::sys::path::filename(site.file))
      return location;
  return std::nullopt;
}

void addCallees(Rewrite &rewrite, const LoopSite &site, const std::vector<CalleeEdit> &callees) {
  if (const auto file = rewrite.context.getSourceManager().getFileEntryRefForID(site.file))
    for (const CalleeEdit &callee : callees)
      rewrite.edits.addCallee(*file, callee);
}

} // namespace sendwright
