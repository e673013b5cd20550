// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/tool/sites/SitesFixture.h"

#include "test/tool/ParsedSource.h"
#include "tool/sites/LoopHash.h"
#include "tool/sites/LoopSites.h"
#include "tool/sites/LoopText.h"

#include "clang/Basic/SourceManager.h"

namespace sendwright::test {

namespace {

void copySite(const SourceSite &site, const std::string &all, TextSite &shown) {
  shown.identity = site.identity;
  shown.text = all.substr(site.begin, site.end - site.begin);
  shown.obstacle = site.obstacle;
  shown.inTemplate = site.inTemplate;
}

clang::LangOptions optionsOf(Language language) {
  clang::LangOptions options;
  if (language == Language::Cxx)
    options.CPlusPlus = options.CPlusPlus11 = options.LineComment = 1;
  else
    options.C99 = options.LineComment = 1;
  return options;
}

} // namespace

std::vector<TextSite> loopsOf(const std::string &source, Language language) {
  std::vector<TextSite> shown;
  const auto unit = parse(source, language);
  if (!unit)
    return shown;
  for (const LoopSite &site : findSites(unit->getASTContext(), {}).loops) {
    if (site.isBlock())
      continue;
    copySite(site, unit->getSourceManager().getBufferData(site.file).str(), shown.emplace_back());
    shown.back().instances = site.instances.size();
  }
  return shown;
}

std::vector<TextBlock> blocksOf(const std::string &source, Language language) {
  std::vector<TextBlock> shown;
  const auto unit = parse(source, language);
  if (!unit)
    return shown;
  for (const LoopSite &site : findSites(unit->getASTContext(), {}).loops) {
    if (!site.isBlock())
      continue;
    TextBlock &block = shown.emplace_back();
    copySite(site, unit->getSourceManager().getBufferData(site.file).str(), block);
    block.instances = site.instances.size();
    block.sends = site.block->sends;
    block.loops = site.block->loops;
    block.declares = site.declares;
  }
  return shown;
}

std::vector<TextChain> chainsOf(const std::string &source, Language language) {
  std::vector<TextChain> shown;
  const auto unit = parse(source, language);
  if (!unit)
    return shown;
  for (const LoopSite &site : findSites(unit->getASTContext(), {.chains = true}).loops) {
    if (!site.chain)
      continue;
    TextChain &chain = shown.emplace_back();
    copySite(site, unit->getSourceManager().getBufferData(site.file).str(), chain);
    chain.calls = site.chain->calls;
    chain.reads.assign(site.chain->reads.begin(), site.chain->reads.end());
  }
  return shown;
}

std::vector<TextCall> callsOf(const std::string &source, Language language) {
  std::vector<TextCall> shown;
  const auto unit = parse(source, language);
  if (!unit)
    return shown;
  for (const CallSite &site : findSites(unit->getASTContext(), {.calls = true}).calls) {
    const std::string all = unit->getSourceManager().getBufferData(site.file).str();
    TextCall &call = shown.emplace_back();
    copySite(site, all, call);
    call.instances = site.instances.size();
    call.function = site.function->name;
    call.inMacro = site.inMacro;
    call.isStatement = site.statement.has_value();
    if (site.statement)
      call.statement = all.substr(*site.statement, site.end - *site.statement);
  }
  return shown;
}

std::uint64_t hashOf(const std::string &text, Language language) {
  return hashTokens(text, optionsOf(language));
}

std::string pragmaBefore(const std::string &text, const std::string &token) {
  return Pragmas(text, optionsOf(Language::C)).before(static_cast<unsigned>(text.find(token)));
}

} // namespace sendwright::test
