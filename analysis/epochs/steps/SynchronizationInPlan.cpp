// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synchronisation in the plan file: where ranks synchronise, and each rank's steps. A running
// program reads its steps separately (decodeRankSteps() in analysis/plan/Plan.h).

#include "analysis/epochs/steps/SynchronizationInPlan.h"

#include "analysis/epochs/steps/StepContradictions.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/transformation/PlanSections.h"

namespace sendwright {

namespace {

constexpr std::uint32_t synchronizationTag = 6, stepsTag = 7;

bool synchronizes(const RankCountPlan &plan) {
  return plan.of<SynchronizationPlan>().kind != SynchronizationKind::None;
}

std::optional<std::string> encodeSynchronizationOf(const RankCountPlan &plan,
                                                   std::size_t /*rank*/) {
  return encodeSynchronization(plan.of<SynchronizationPlan>());
}

void decodeSynchronizationOf(ByteReader &in, RankCountPlan &plan, int rankCount, int /*rank*/) {
  plan.of<SynchronizationPlan>() = decodeSynchronization(in, rankCount);
}

std::optional<std::string> encodeStepsOf(const RankCountPlan &plan, std::size_t rank) {
  const std::vector<RankSteps> &ranks = plan.of<SynchronizationPlan>().ranks;
  if (rank >= ranks.size())
    return {};
  ByteWriter out;
  encodeSteps(out, ranks[rank]);
  return out.take();
}

void decodeStepsOf(ByteReader &in, RankCountPlan &plan, int rankCount, int rank) {
  plan.of<SynchronizationPlan>().ranks.push_back(
      readWhole(in, [&](ByteReader &whole) { return decodeSteps(whole, rankCount, rank); }));
}

class SynchronizationInPlan final : public PlanSections {
public:
  std::string_view stem() const override { return "synchronization"; }

  std::vector<PlanSection> sections() const override {
    return {{.tag = synchronizationTag,
             .encode = encodeSynchronizationOf,
             .decode = decodeSynchronizationOf},
            {.tag = stepsTag,
             .ofEachRank = true,
             .isDue = synchronizes,
             .encode = encodeStepsOf,
             .decode = decodeStepsOf}};
  }

  bool concernsWholeRun(const RankCountPlan &plan) const override { return synchronizes(plan); }

  std::vector<std::string> otherFiles(const RankCountPlan &plan) const override {
    std::vector<std::string> files;
    for (const SynchronizedCall &call : plan.of<SynchronizationPlan>().calls)
      files.push_back(call.site.file);
    return files;
  }

  std::optional<std::string> contradictionAmongRanks(const RankCountPlan &plan,
                                                     int rankCount) const override {
    const SynchronizationPlan &own = plan.of<SynchronizationPlan>();
    if (own.kind == SynchronizationKind::None)
      return own.ranks.empty()
                 ? std::nullopt
                 : std::optional<std::string>("nothing is synchronised, and ranks have steps");
    if (own.ranks.size() != static_cast<std::size_t>(rankCount))
      return "ranks without steps of synchronisation";
    if (const std::optional<std::string> problem = contradictionInSteps(own.kind, own.ranks))
      return "synchronisation: " + *problem;
    return {};
  }
};

} // namespace

const PlanSections &sectionsOfSynchronization() {
  static const SynchronizationInPlan content;
  return content;
}

bool synchronizesRun(const void *data, std::size_t size, int rankCount) noexcept {
  return listsSection({static_cast<const char *>(data), size},
                      {stepsTag, static_cast<std::uint32_t>(rankCount), 0});
}

SectionKey stepsOfRank(int rankCount, int rank) {
  return {stepsTag, static_cast<std::uint32_t>(rankCount), static_cast<std::uint32_t>(rank)};
}

} // namespace sendwright
