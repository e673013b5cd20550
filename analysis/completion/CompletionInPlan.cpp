// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Early completion in the plan file: the sites, for running ranks, and what people read about them.

#include "analysis/completion/EarlyCompletion.h"
#include "analysis/completion/LongWaits.h"
#include "analysis/trace/ProfileCodec.h"
#include "analysis/trace/ProfileFields.h"
#include "analysis/transformation/PlanSections.h"

#include <algorithm>

namespace sendwright {

namespace {

constexpr std::uint32_t earlySitesTag = 17, siteCompletionsTag = 18, longWaitsTag = 19;

bool completesEarly(const RankCountPlan &plan) {
  return !plan.of<EarlyCompletions>().sites.empty();
}

const SiteCompletion &completionOf(const SitePlan &site) { return site.of<SiteCompletion>(); }

bool explainsCompletion(const RankCountPlan &plan) {
  return std::ranges::any_of(plan.sites,
                             [](const SitePlan &site) { return completionOf(site).largest > 0; });
}

std::uint32_t readSite(ByteReader &in, const RankCountPlan &plan) {
  const auto site = static_cast<std::uint32_t>(in.number(UINT32_MAX, "site"));
  if (site >= plan.sites.size())
    in.fail("site " + std::to_string(site) + ", expected one of " +
            std::to_string(plan.sites.size()));
  return site;
}

std::optional<std::string> encodeEarlySites(const RankCountPlan &plan, std::size_t /*rank*/) {
  const EarlyCompletions &early = plan.of<EarlyCompletions>();
  ByteWriter out;
  out.number(early.least);
  out.number(early.most);
  out.number(early.sites.size());
  for (const std::uint32_t site : early.sites)
    out.number(site);
  return out.take();
}

void decodeEarlySites(ByteReader &in, RankCountPlan &plan, int /*rankCount*/, int /*rank*/) {
  plan.of<EarlyCompletions>() = readWhole(in, [&](ByteReader &whole) {
    EarlyCompletions early;
    early.least = whole.number();
    early.most = whole.number();
    if (early.least > early.most)
      whole.fail("sends of " + std::to_string(early.least) + " bytes and more, expected at most " +
                 std::to_string(early.most));
    early.sites.resize(whole.countOf<std::uint32_t>());
    for (std::uint32_t &site : early.sites) {
      const bool first = &site == early.sites.data();
      site = readSite(whole, plan);
      if (!first && site <= *(&site - 1))
        whole.fail("site " + std::to_string(site) + " after site " + std::to_string(*(&site - 1)) +
                   ", expected ascending sites");
    }
    return early;
  });
}

std::optional<std::string> encodeSiteCompletions(const RankCountPlan &plan, std::size_t /*rank*/) {
  ByteWriter out;
  out.number(static_cast<std::uint64_t>(std::ranges::count_if(
      plan.sites, [](const SitePlan &site) { return completionOf(site).largest > 0; })));
  for (std::size_t site = 0; site < plan.sites.size(); ++site)
    if (const SiteCompletion &completion = completionOf(plan.sites[site]); completion.largest > 0) {
      out.number(site);
      out.real(completion.waiting);
      out.real(completion.percent);
      out.number(completion.largest);
      out.text(sentenceOf(completion.refusal));
    }
  return out.take();
}

void decodeSiteCompletions(ByteReader &in, RankCountPlan &plan, int /*rankCount*/, int /*rank*/) {
  for (std::size_t left = in.count(1 + 8 + 8 + 1 + 1, sizeof(SiteCompletion)); left > 0; --left) {
    SiteCompletion &completion = plan.sites[readSite(in, plan)].of<SiteCompletion>();
    completion.waiting = in.finite("seconds of waiting");
    completion.percent = in.finite("percentage of waiting");
    completion.largest = in.number();
    if (std::string refusal = in.text(); !refusal.empty())
      completion.refusal = RefusalText::asRead(std::move(refusal));
  }
  in.expectEnd();
}

bool hasLongWaits(const RankCountPlan &plan) { return !plan.of<LongWaits>().waits.empty(); }

std::optional<std::string> encodeLongWaits(const RankCountPlan &plan, std::size_t /*rank*/) {
  ByteWriter out;
  out.number(plan.of<LongWaits>().waits.size());
  for (const LongWait &wait : plan.of<LongWaits>().waits) {
    encodeSite(out, wait.site);
    out.real(wait.seconds);
    out.real(wait.percent);
  }
  return out.take();
}

void decodeLongWaits(ByteReader &in, RankCountPlan &plan, int /*rankCount*/, int /*rank*/) {
  std::vector<LongWait> &waits = plan.of<LongWaits>().waits;
  in.resize(waits, leastSiteBytes + 8 + 8);
  for (LongWait &wait : waits) {
    wait.site = decodeSite(in);
    wait.seconds = in.finite("seconds of waiting");
    wait.percent = in.finite("percentage of waiting");
  }
  in.expectEnd();
}

class CompletionInPlan final : public PlanSections {
public:
  std::string_view stem() const override { return earlyCompletionStem; }

  std::vector<PlanSection> sections() const override {
    return {{.tag = earlySitesTag,
             .duringRuns = true,
             .optional = true,
             .isDue = completesEarly,
             .encode = encodeEarlySites,
             .decode = decodeEarlySites},
            {.tag = siteCompletionsTag,
             .optional = true,
             .isDue = explainsCompletion,
             .encode = encodeSiteCompletions,
             .decode = decodeSiteCompletions},
            {.tag = longWaitsTag,
             .optional = true,
             .isDue = hasLongWaits,
             .encode = encodeLongWaits,
             .decode = decodeLongWaits}};
  }

  std::optional<std::string> markSites(const RankCountPlan &plan, int /*rankCount*/,
                                       std::vector<char> &marked) const override {
    for (const std::uint32_t site : plan.of<EarlyCompletions>().sites) {
      if (site >= marked.size())
        return "early completion at a site that does not exist";
      marked[site] = true;
    }
    return {};
  }

  std::optional<std::string> contradictionAt(const RankCountPlan & /*plan*/, std::uint32_t /*site*/,
                                             bool taken, bool marked) const override {
    if (taken == marked)
      return {};
    return taken ? "the plan completes its sends early, but ranks do not know of it"
                 : "ranks complete its sends early, but the plan does not";
  }

  std::vector<std::string> otherFiles(const RankCountPlan &plan) const override {
    std::vector<std::string> files;
    for (const LongWait &wait : plan.of<LongWaits>().waits)
      files.push_back(wait.site.file);
    return files;
  }

  void leaveSites(RankCountPlan &plan) const override {
    plan.of<EarlyCompletions>() = {};
    plan.of<LongWaits>() = {}; // buffers are planned for the order of calls as written
  }
};

} // namespace

const PlanSections &sectionsOfEarlyCompletion();
const PlanSections &sectionsOfEarlyCompletion() {
  static const CompletionInPlan content;
  return content;
}

} // namespace sendwright
