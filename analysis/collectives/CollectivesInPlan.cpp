// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives in the plan file: the operations, each rank's part of them, and what a site's plan
// says about the operation that it spells.

#include "analysis/collectives/CollectivesInPlan.h"

#include "analysis/collectives/CollectiveContradictions.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/file/Container.h"
#include "analysis/transformation/PlanSections.h"

#include <algorithm>

namespace sendwright {

namespace {

constexpr std::uint32_t collectivesTag = 11, collectivePartsTag = 12;

bool hasCollectives(const RankCountPlan &plan) {
  return !plan.of<PlannedCollectives>().collectives.empty();
}

std::optional<std::string> encodeCollectivesOf(const RankCountPlan &plan, std::size_t /*rank*/) {
  ByteWriter out;
  encodeCollectives(out, plan.of<PlannedCollectives>().collectives);
  return out.take();
}

void decodeCollectivesOf(ByteReader &in, RankCountPlan &plan, int rankCount, int /*rank*/) {
  plan.of<PlannedCollectives>().collectives = decodeCollectives(in, rankCount, plan.sites.size());
}

std::optional<std::string> encodePartsOfCollectives(const RankCountPlan &plan, std::size_t rank) {
  ByteWriter out;
  encodeCollectiveParts(out, plan.of<PlannedCollectives>().rankCollectives[rank]);
  return out.take();
}

void decodePartsOfCollectives(ByteReader &in, RankCountPlan &plan, int /*rankCount*/, int rank) {
  PlannedCollectives &planned = plan.of<PlannedCollectives>();
  planned.rankCollectives.push_back(decodeCollectiveParts(in, rank, planned.collectives));
}

/// The steps of each member of a collective, or null for a member without a part.
std::vector<const std::vector<CollectiveStep> *> stepsOf(const PlannedCollectives &planned,
                                                         std::uint32_t number) {
  std::vector<const std::vector<CollectiveStep> *> steps;
  for (const int member : planned.collectives[number].communicator.members) {
    const std::vector<RankCollective> &parts =
        planned.rankCollectives[static_cast<std::size_t>(member)];
    const auto part = std::ranges::lower_bound(parts, number, {}, &RankCollective::collective);
    steps.push_back(part != parts.end() && part->collective == number ? &part->steps : nullptr);
  }
  return steps;
}

class CollectivesInPlan final : public PlanSections {
public:
  std::string_view stem() const override { return "collectives"; }

  std::vector<PlanSection> sections() const override {
    return {{.tag = collectivesTag,
             .duringRuns = true,
             .optional = true,
             .isDue = hasCollectives,
             .encode = encodeCollectivesOf,
             .decode = decodeCollectivesOf},
            {.tag = collectivePartsTag,
             .ofEachRank = true,
             .duringRuns = true,
             .isDue = hasCollectives,
             .encode = encodePartsOfCollectives,
             .decode = decodePartsOfCollectives}};
  }

  void encodeFigures(ByteWriter &out, const SitePlan &site) const override {
    encodeSiteCollective(out, site.of<SiteCollective>());
  }
  void decodeFigures(ByteReader &in, SitePlan &site) const override {
    decodeSiteCollective(in, site.of<SiteCollective>());
  }

  bool isFollowedTogether() const override { return true; }
  bool judgesOtherCode(const RankCountPlan &plan) const override { return hasCollectives(plan); }

  std::optional<std::string> markSites(const RankCountPlan &plan, int /*rankCount*/,
                                       std::vector<char> &marked) const override {
    for (const PlannedCollective &collective : plan.of<PlannedCollectives>().collectives) {
      if (collective.site >= marked.size())
        return "a collective at a site that does not exist";
      if (marked[collective.site])
        return siteName(plan, collective.site) + "two collectives";
      marked[collective.site] = true;
    }
    return {};
  }

  std::optional<std::string> contradictionAt(const RankCountPlan &plan, std::uint32_t site,
                                             bool taken, bool marked) const override {
    if (taken != marked)
      return taken ? "the plan replaces it, but has no collective for it"
                   : "it has a collective, but the plan does not replace it";
    const std::optional<CollectivePrediction> &predicted =
        plan.sites[site].of<SiteCollective>().prediction;
    if (!taken || !predicted)
      return {};
    const std::vector<PlannedCollective> &all = plan.of<PlannedCollectives>().collectives;
    auto collective = std::ranges::lower_bound(all, site, {}, &PlannedCollective::site);
    if (collective == all.end() || collective->site != site) // the list is not ordered by site
      collective = std::ranges::find(all, site, &PlannedCollective::site);
    if (predicted->operation != collective->operation ||
        predicted->algorithm != collective->algorithm || predicted->bytes != collective->bytes ||
        predicted->ranks != collective->communicator.members.size())
      return "its collective is not the one that is predicted for it";
    return {};
  }

  std::optional<std::string> contradictionAmongRanks(const RankCountPlan &plan,
                                                     int rankCount) const override {
    const PlannedCollectives &planned = plan.of<PlannedCollectives>();
    if (!planned.collectives.empty() &&
        planned.rankCollectives.size() != static_cast<std::size_t>(rankCount))
      return "ranks without a part of the collectives";
    for (std::uint32_t number = 0; number < planned.collectives.size(); ++number) {
      const std::string name = "collective " + std::to_string(number) + " at " +
                               plan.sites[planned.collectives[number].site].site.display() + ": ";
      if (const std::optional<std::string> problem = contradictionIn(planned, number, rankCount))
        return name + *problem;
    }
    return {};
  }

  void leaveSites(RankCountPlan &plan) const override { plan.of<PlannedCollectives>() = {}; }

private:
  static std::optional<std::string> contradictionIn(const PlannedCollectives &planned,
                                                    std::uint32_t number, int rankCount) {
    const PlannedCollective &collective = planned.collectives[number];
    for (const int member : collective.communicator.members)
      if (member < 0 || member >= rankCount)
        return "rank " + std::to_string(member) + ", which does not exist";
    const std::vector<const std::vector<CollectiveStep> *> steps = stepsOf(planned, number);
    if (std::find(steps.begin(), steps.end(), nullptr) != steps.end())
      return "a member has no part in it";
    return sendwright::contradictionIn(collective, steps);
  }
};

} // namespace

const PlanSections &sectionsOfCollectives() {
  static const CollectivesInPlan content;
  return content;
}

bool plansCollectives(const void *data, std::size_t size, int rankCount) noexcept {
  return listsSection({static_cast<const char *>(data), size},
                      {collectivesTag, static_cast<std::uint32_t>(rankCount), 0});
}

} // namespace sendwright
