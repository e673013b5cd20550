// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownSynchronization.h"

#include "analysis/file/Escaping.h"

#include <cinttypes>
#include <string>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

/// The number of groups in which a rank synchronises.
std::size_t groupsOf(const RankSteps &rank) { return rank.groups.size() + rank.listeners.size(); }

} // namespace

Json synchronizationJson(const SynchronizationPlan &plan) {
  Json json = {{"kind", nameOf(plan.kind)},
               {"buffers", plan.buffers},
               {"super_epochs", plan.superEpochs},
               {"synchronizations", plan.synchronizations},
               {"wildcard_receives", plan.wildcardReceives},
               {"calls", Json::array()},
               {"acts_unmarked", plan.actsUnmarked},
               {"acts_at_end", plan.actsAtEnd},
               {"ranks", Json::array()}};
  for (const SynchronizedCall &call : plan.calls)
    json["calls"].push_back({{"file", call.site.file},
                             {"line", call.site.line},
                             {"function", call.site.function},
                             {"ordinal", call.site.ordinal},
                             {"hash", call.site.hash},
                             {"acts", call.actions.acts},
                             {"ranks", call.actions.ranks}});
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
  printSynchronizedCalls(stdout, plan);
}

void printSynchronizedCalls(std::FILE *out, const SynchronizationPlan &plan) {
  constexpr std::size_t shown = 16;
  if (!plan.calls.empty())
    std::fprintf(out, "\n  %-52s %8s %8s\n", "ranks act before these calls", "times", "ranks");
  for (std::size_t index = 0; index < plan.calls.size() && index < shown; ++index) {
    const SynchronizedCall &call = plan.calls[index];
    const std::string place = call.site.display() + " in " + printable(call.site.function);
    std::fprintf(out, "    %-50s %8" PRIu64 " %8" PRIu32 "\n", place.c_str(), call.actions.acts,
                 call.actions.ranks);
  }
  if (plan.calls.size() > shown)
    std::fprintf(out, "    and %zu more calls (sendwright show --json)\n",
                 plan.calls.size() - shown);
  if (plan.actsUnmarked > 0)
    std::fprintf(out,
                 "  %" PRIu64
                 " times before calls that the source does not show: not compiled with "
                 "the plugin,\n  or not marked (in macros); the runtime acts when they reach MPI\n",
                 plan.actsUnmarked);
  if (plan.actsAtEnd > 0)
    std::fprintf(out, "  %" PRIu64 " ranks act after their last call, in MPI_Finalize\n",
                 plan.actsAtEnd);
}

} // namespace sendwright
