// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sendwright/ShownSynchronization.h"

#include <cstdio>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

const char *nameOf(SynchronizationKind kind) {
  switch (kind) {
  case SynchronizationKind::None:
    return "none";
  case SynchronizationKind::Full:
    return "full";
  case SynchronizationKind::Partial:
    return "partial";
  case SynchronizationKind::Component:
    return "component";
  }
  return "none";
}

/// In how many different groups a rank synchronises.
std::size_t groupsOf(const RankSteps &rank) { return rank.groups.size() + rank.listeners.size(); }

} // namespace

Json synchronizationJson(const SynchronizationPlan &plan) {
  Json json = {{"kind", nameOf(plan.kind)},
               {"buffers", plan.buffers},
               {"super_epochs", plan.superEpochs},
               {"synchronizations", plan.synchronizations},
               {"wildcard_receives", plan.wildcardReceives},
               {"ranks", Json::array()}};
  for (const RankSteps &rank : plan.ranks)
    json["ranks"].push_back(
        {{"synchronizations", synchronizationsOf(rank)}, {"groups", groupsOf(rank)}});
  return json;
}

void printSynchronization(const SynchronizationPlan &plan) {
  if (plan.kind == SynchronizationKind::None)
    return;
  std::printf("\n  synchronised (%s): %llu super epochs, %llu synchronisations of all ranks\n",
              nameOf(plan.kind), static_cast<unsigned long long>(plan.superEpochs),
              static_cast<unsigned long long>(plan.synchronizations));
  std::printf("  %-8s %10s %18s %8s\n", "rank", "buffers", "synchronisations", "groups");
  constexpr std::size_t shown = 16;
  for (std::size_t rank = 0; rank < plan.ranks.size() && rank < shown; ++rank)
    std::printf("  %-8zu %10u %18llu %8zu\n", rank, plan.buffers[rank],
                static_cast<unsigned long long>(synchronizationsOf(plan.ranks[rank])),
                groupsOf(plan.ranks[rank]));
  if (plan.ranks.size() > shown)
    std::printf("  and %zu more ranks (--json)\n", plan.ranks.size() - shown);
}

} // namespace sendwright
