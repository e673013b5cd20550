// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing in the plan file: the exchanges, each rank's part of them, and what a site's plan
// says about sharing.

#include "analysis/sharing/ExchangesInPlan.h"

#include "analysis/file/Container.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/SharingContradictions.h"
#include "analysis/transformation/PlanSections.h"

namespace sendwright {

namespace {

constexpr std::uint32_t exchangesTag = 8, partsTag = 9, turnsTag = 16, recordedStepsTag = 21;

bool hasExchanges(const RankCountPlan &plan) {
  return !plan.of<SharedExchanges>().exchanges.empty();
}

std::optional<std::string> encodeExchangesOf(const RankCountPlan &plan, std::size_t /*rank*/) {
  ByteWriter out;
  encodeExchanges(out, plan.of<SharedExchanges>().exchanges);
  return out.take();
}

void decodeExchangesOf(ByteReader &in, RankCountPlan &plan, int rankCount, int /*rank*/) {
  plan.of<SharedExchanges>().exchanges = decodeExchanges(in, rankCount, plan.sites.size());
}

std::optional<std::string> encodePartsOf(const RankCountPlan &plan, std::size_t rank) {
  const std::vector<std::vector<RankExchange>> &ranks = plan.of<SharedExchanges>().rankExchanges;
  ByteWriter out;
  encodeParts(out, rank < ranks.size() ? ranks[rank] : std::vector<RankExchange>());
  return out.take();
}

void decodePartsOf(ByteReader &in, RankCountPlan &plan, int rankCount, int rank) {
  SharedExchanges &shared = plan.of<SharedExchanges>();
  shared.rankExchanges.push_back(decodeParts(in, rankCount, rank, shared.exchanges));
}

bool hasTurns(const RankCountPlan &plan) { return !plan.of<SharedExchanges>().turns.empty(); }

std::optional<std::string> encodeTurnsOf(const RankCountPlan &plan, std::size_t /*rank*/) {
  ByteWriter out;
  encodeTurns(out, plan.of<SharedExchanges>().turns);
  return out.take();
}

void decodeTurnsOf(ByteReader &in, RankCountPlan &plan, int rankCount, int /*rank*/) {
  SharedExchanges &shared = plan.of<SharedExchanges>();
  shared.turns = decodeTurns(in, rankCount, plan.sites.size(), shared.exchanges.size());
}

bool hasSteps(const RankCountPlan &plan) { return plan.of<SharedExchanges>().steps.size() != 0; }

std::optional<std::string> encodeStepsOf(const RankCountPlan &plan, std::size_t /*rank*/) {
  ByteWriter out;
  encodeSteps(out, plan.of<SharedExchanges>().steps);
  return out.take();
}

void decodeStepsOf(ByteReader &in, RankCountPlan &plan, int /*rankCount*/, int /*rank*/) {
  SharedExchanges &shared = plan.of<SharedExchanges>();
  shared.steps = decodeSteps(in, shared.exchanges.size());
}

class ExchangesInPlan final : public PlanSections {
public:
  std::string_view stem() const override { return "message-sharing"; }

  std::vector<PlanSection> sections() const override {
    return {{.tag = exchangesTag,
             .duringRuns = true,
             .optional = true,
             .isDue = hasExchanges,
             .encode = encodeExchangesOf,
             .decode = decodeExchangesOf},
            {.tag = partsTag,
             .ofEachRank = true,
             .duringRuns = true,
             .isDue = hasExchanges,
             .encode = encodePartsOf,
             .decode = decodePartsOf},
            {.tag = turnsTag,
             .duringRuns = true,
             .optional = true,
             .isDue = hasTurns,
             .encode = encodeTurnsOf,
             .decode = decodeTurnsOf},
            {.tag = recordedStepsTag,
             .duringRuns = true,
             .optional = true,
             .isDue = hasSteps,
             .encode = encodeStepsOf,
             .decode = decodeStepsOf}};
  }

  void encodeFigures(ByteWriter &out, const SitePlan &site) const override {
    encodeSharing(out, site.of<SiteSharing>());
  }
  void decodeFigures(ByteReader &in, SitePlan &site) const override {
    decodeSharing(in, site.of<SiteSharing>());
  }

  bool isFollowedTogether() const override { return true; }

  std::optional<std::string> markSites(const RankCountPlan &plan, int /*rankCount*/,
                                       std::vector<char> &marked) const override {
    for (const SharedExchange &exchange : plan.of<SharedExchanges>().exchanges) {
      if (exchange.site >= marked.size())
        return "an exchange at a site that does not exist";
      marked[exchange.site] = true;
    }
    return {};
  }

  std::optional<std::string> contradictionAt(const RankCountPlan & /*plan*/, std::uint32_t /*site*/,
                                             bool taken, bool marked) const override {
    if (taken == marked)
      return {};
    return taken ? "the plan shares its messages, but has no exchange for them"
                 : "it has an exchange, but the plan does not share its messages";
  }

  std::optional<std::string> contradictionAmongRanks(const RankCountPlan &plan,
                                                     int rankCount) const override {
    return contradictionInExchanges(plan.of<SharedExchanges>(), rankCount, [&](std::uint32_t site) {
      return plan.sites[site].site.display();
    });
  }

  bool isCheckedBySum() const override { return true; }
  void addToSum(const RankCountPlan &own, int rankCount, int rank, JointSum &sum) const override {
    addExchangesToSum(own.of<SharedExchanges>(), rankCount, rank, sum);
  }

  void leaveSites(RankCountPlan &plan) const override { plan.of<SharedExchanges>() = {}; }
};

} // namespace

const PlanSections &sectionsOfMessageSharing() {
  static const ExchangesInPlan content;
  return content;
}

bool sharesMessages(const void *data, std::size_t size, int rankCount) noexcept {
  return listsSection({static_cast<const char *>(data), size},
                      {exchangesTag, static_cast<std::uint32_t>(rankCount), 0});
}

bool sharesMessages(const void *data, std::size_t size) noexcept {
  return listsTag({static_cast<const char *>(data), size}, exchangesTag);
}

} // namespace sendwright
