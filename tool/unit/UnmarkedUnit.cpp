// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/unit/UnmarkedUnit.h"

#include "analysis/program/UnitSummary.h"
#include "tool/legality/Legality.h"
#include "tool/rewrite/Rewrite.h"
#include "tool/sites/LoopSites.h"
#include "tool/source/IncludeClosure.h"

#include "clang/Basic/FileManager.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <utility>
#include <vector>

namespace sendwright {

namespace {

/// Whether the compilation neither writes nor uses a precompiled header or a module.
bool standsAlone(const clang::CompilerInstance &compiler) {
  switch (compiler.getFrontendOpts().ProgramAction) {
  case clang::frontend::EmitObj:
  case clang::frontend::EmitAssembly:
  case clang::frontend::EmitBC:
  case clang::frontend::EmitLLVM:
  case clang::frontend::ParseSyntaxOnly:
    break;
  default:
    return false;
  }
  return compiler.getPreprocessorOpts().ImplicitPCHInclude.empty() &&
         !compiler.getLangOpts().Modules;
}

/// A unit of a named module says so in its main file.
bool mayDeclareModule(clang::CompilerInstance &compiler, llvm::StringRef mainFile) {
  if (!compiler.getLangOpts().CPlusPlusModules)
    return false;
  const auto text = compiler.getFileManager().getBufferForFile(mainFile);
  return !text || (*text)->getBuffer().contains("module");
}

bool contains(const LoopSite &outer, const LoopSite &inner) {
  return &outer != &inner && outer.file == inner.file && outer.begin <= inner.begin &&
         inner.end <= outer.end;
}

/// Loops that call functions of other units, without a loop inside that does.
std::vector<LoopInSource> loopsThatMaySend(clang::ASTContext &context, Legality &legality) {
  const UnitSites sites = findSites(context, {});
  std::vector<std::pair<const LoopSite *, LoopVerdict>> reaching;
  for (const LoopSite &site : sites.loops)
    if (LoopVerdict verdict = judgeInstances(legality, site); verdict.mayReachMpi)
      reaching.emplace_back(&site, std::move(verdict));
  std::vector<LoopInSource> loops;
  for (const auto &[site, verdict] : reaching) {
    if (llvm::any_of(reaching, [&, outer = site](const auto &other) {
          return contains(*outer, *other.first);
        }))
      continue;
    LoopInSource &loop = loops.emplace_back();
    loop.loop = site->identity;
    loop.marked = false;
    loop.namesCallees = verdict.indirect.empty();
    if (verdict.refusal)
      loop.refusal = verdict.refusal->reason;
    else
      for (const auto &[symbol, allowed] : verdict.reliance.called)
        loop.calls.push_back(symbol);
  }
  return loops;
}

} // namespace

bool staysUnmarked(clang::CompilerInstance &compiler, llvm::StringRef mainFile,
                   const ProjectRules &rules) {
  if (!compiler.getLangOpts().CPlusPlus || rules.namesFunctions() || !standsAlone(compiler) ||
      mayDeclareModule(compiler, mainFile))
    return false;
  llvm::StringSet<> header;
  header.insert("mpi.h");
  return reachOfIncludes(compiler.getInvocation(), compiler.getFileManager(), header) ==
         Reach::Never;
}

std::string describeUnmarked(clang::ASTContext &context) {
  Legality legality(context, nullptr, OtherUnits::Named);
  UnitSummary summary;
  summary.loops = loopsThatMaySend(context, legality);
  summary.functions = legality.functions();
  return summary.functions.empty() && summary.loops.empty() ? "" : encodeUnitSummary(summary);
}

} // namespace sendwright
