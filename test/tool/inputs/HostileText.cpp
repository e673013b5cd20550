// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hostile-text INPUT OUTPUT [named]: writes a profile or plan with the same content, but with
// text that has a meaning for terminals, compilers and scripts in every string. INPUT may be
// "sample.prof" or "sample.plan", which have something of every kind. Sites keep what they are
// recognised by (the file's last component, function and instantiation), unless "named" is
// given.

#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/file/Container.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "test/analysis/file/FileSamples.h"

#include <cstdio>
#include <string>
#include <string_view>

using namespace sendwright;

namespace {

/// Ends a comment in ways that a compiler accepts, writes a line that looks like another, moves the
/// cursor, is not UTF-8, changes the direction of writing, joins its line with the next.
constexpr char hostile[] =
    " *\n/ escaped_from_comment(); /* *\\\n/ escaped_from_comment(); /* *?\?/\n/ "
    "escaped_from_comment(); /* */ escaped_from_comment(); /*\n"
    "forged.c:1:1: error: forged\n<script>\x1b[2J\x9b\x32J\x07\r\x7f\xff\xc3 "
    "\xc2\x9b \xe2\x80\xae \xe2\x80\xa8%n\\";

bool named = false;

void poison(std::string &text) { text += hostile; }

void poison(SiteIdentity &site) {
  site.file = hostile + ("/" + site.file);
  if (named && !site.function.empty()) {
    poison(site.file);
    poison(site.function);
    poison(site.instantiation);
  }
}

void poison(Profile &profile) {
  poison(profile.program);
  for (SiteIdentity &site : profile.sites)
    poison(site);
  for (SiteIdentity &site : profile.callSites)
    poison(site);
  for (ProfiledUnit &unit : profile.units)
    poison(unit.file);
  for (RankProfile &rank : profile.ranks) {
    poison(rank.host);
    for (std::string &caller : rank.callers)
      poison(caller);
    for (RecordedRedistribution &recorded : rank.redistributions)
      poison(recorded.site);
  }
}

void poison(SitePlan &site) {
  poison(site.site);
  poison(site.reason);
  for (OrderingFigures &figures : site.of<SiteOrdering>().figures) {
    poison(figures.phase);
    poison(figures.key);
    poison(figures.reason);
  }
  if (site.of<SiteSharing>().prediction)
    poison(site.of<SiteSharing>().prediction->method);
  if (site.of<SiteCollective>().prediction && site.decision == Decision::Leave) // else it names a known algorithm
    poison(site.of<SiteCollective>().prediction->algorithm);
  for (std::optional<RefusalText> *refusal : {&site.of<SiteSharing>().refusal, &site.of<SiteCollective>().refusal})
    if (*refusal || site.decision == Decision::Leave) {
      std::string sentence = sentenceOf(*refusal);
      poison(sentence);
      *refusal = RefusalText::asRead(std::move(sentence));
    }
}

void poison(Plan &plan) {
  poison(plan.machine.name);
  for (auto &[symbol, facts] : plan.functions)
    poison(facts.reason);
  for (auto &[ranks, part] : plan.rankCounts) {
    poison(part.profile);
    for (SitePlan &site : part.sites)
      poison(site);
    for (SharedExchange &exchange : part.of<SharedExchanges>().exchanges)
      poison(exchange.method);
    for (RecordedRedistribution &recorded : part.of<PlannedRedistributions>().frequent)
      poison(recorded.site);
    for (SynchronizedCall &call : part.of<SynchronizationPlan>().calls)
      poison(call.site);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  const std::string input = argv[1], output = argv[2];
  named = argc > 3;
  try {
    if (input == "sample.prof" ||
        (input != "sample.plan" && guessFileKind(readTextFile(input)) == FileGuess::Profile)) {
      Profile profile = input == "sample.prof" ? sampleProfile() : readProfile(input);
      poison(profile);
      writeProfile(profile, output);
    } else {
      Plan plan = input == "sample.plan" ? samplePlan() : readPlan(input);
      poison(plan);
      writePlan(plan, output);
    }
  } catch (const FormatError &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
