// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated run under message sharing: what a shared loop sends is packed, and leaves by the
// plan's routes.

#include "analysis/sharing/SharedRun.h"

#include "analysis/run/LoopExecutions.h"
#include "analysis/run/PlannedBatches.h"
#include "analysis/sharing/CollectiveMeetings.h"
#include "analysis/sharing/RoutedMessages.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

namespace sendwright {

namespace {

class SharedRun final : public RunBehaviour {
public:
  explicit SharedRun(const SimulatedPlan &run)
      : routed(run.timeline, run.machine, &run.loops, &run.plan.of<SharedExchanges>(), run.planned,
               run.simulation) {
    std::set<int> sites;
    for (const auto &[site, exchange] : routed.exchangesOfLoops())
      sites.insert(site);
    meetings.emplace(run.timeline, run.loops, sites);
    batches.reserve(run.timeline.ranks.size());
    for (std::size_t rank = 0; rank < run.timeline.ranks.size(); ++rank)
      batches.emplace_back(run.loops.ranks[rank], sites);
    findEmptyExecutions(run, sites);
  }

  bool startsTogether() const override { return true; }
  bool endsTogether() const override { return true; }
  bool meetsBefore(std::uint32_t communicator, std::uint32_t call) const override {
    return routed.any() && meetings && meetings->meetsBefore(communicator, call);
  }

  /// A message that the plan does not have is sent as written.
  bool hold(std::uint32_t rank, std::size_t position, std::uint32_t message,
            const Event &event) override {
    if (!batches[rank].holds(position))
      return false;
    const bool packed = routed.pack(exchangeOf(rank), rank, message, event);
    batches[rank].pass();
    return packed;
  }
  std::optional<IssuedBatch> issue(std::uint32_t rank, std::size_t position) override {
    if (batches[rank].isIssuedAt(position)) {
      routed.close(exchangeOf(rank), rank, position);
      batches[rank].finish();
    }
    std::deque<EmptyExecution> &left = empty[rank];
    for (; !left.empty() && left.front().position <= position; left.pop_front())
      routed.close(left.front().exchange, rank, position);
    return {};
  }

  bool owns(std::uint32_t message) const override { return routed.isCombined(message); }
  void take(std::uint32_t message, std::size_t position) override {
    routed.take(message, position);
  }
  std::optional<std::uint32_t> causePosition(std::uint32_t message) const override {
    if (routed.wasDelivered(message) || routed.isCombined(message))
      return routed.causePosition(message);
    return {};
  }
  std::uint64_t sent() const override { return routed.sent(); }

private:
  /// An execution of a shared loop in which the rank sends nothing.
  struct EmptyExecution {
    std::size_t position = 0;
    std::uint32_t exchange = 0;
  };

  void findEmptyExecutions(const SimulatedPlan &run, const std::set<int> &sites) {
    empty.resize(run.timeline.ranks.size());
    for (std::size_t rank = 0; rank < empty.size(); ++rank) {
      for (const auto &[site, executions] :
           loopExecutions(run.timeline.ranks[rank], run.loops.ranks[rank]))
        for (const LoopExecution &execution : executions)
          if (sites.contains(site) && execution.batch == LoopExecution::none)
            empty[rank].push_back({execution.end, routed.exchangesOfLoops().at(site)});
      std::ranges::sort(empty[rank], {}, &EmptyExecution::position);
    }
  }

  std::uint32_t exchangeOf(std::uint32_t rank) const {
    return routed.exchangesOfLoops().at(batches[rank].site());
  }

  RoutedMessages routed;
  std::optional<CollectiveMeetings> meetings;
  std::vector<PlannedBatches> batches;           // by rank
  std::vector<std::deque<EmptyExecution>> empty; // by rank: those to come
};

} // namespace

std::unique_ptr<RunBehaviour> sharedRun(const SimulatedPlan &run) {
  if (run.plan.of<SharedExchanges>().exchanges.empty())
    return nullptr;
  return std::make_unique<SharedRun>(run);
}

} // namespace sendwright
