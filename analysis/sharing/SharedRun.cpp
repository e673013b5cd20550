// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated run under message sharing: what a shared loop sends is packed, and leaves by the
// plan's routes.

#include "analysis/sharing/SharedRun.h"

#include "analysis/run/PlannedBatches.h"
#include "analysis/sharing/CollectiveMeetings.h"
#include "analysis/sharing/PlannedExecutions.h"
#include "analysis/sharing/RoutedMessages.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sendwright {

namespace {

class SharedRun final : public RunBehaviour {
public:
  explicit SharedRun(const SimulatedPlan &run)
      : executions(run.timeline, run.loops, run.plan.of<SharedExchanges>(), run.planned),
        routed(run.timeline, run.machine, executions, run.plan.of<SharedExchanges>(),
               run.simulation),
        meetings(run.timeline, executions.instances()), emptyPassed(run.timeline.ranks.size()) {
    batches.reserve(run.timeline.ranks.size());
    for (std::size_t rank = 0; rank < run.timeline.ranks.size(); ++rank)
      batches.emplace_back(run.loops.ranks[rank], executions.sites());
  }

  bool startsTogether() const override { return true; }
  bool endsTogether() const override { return true; }
  bool meetsBefore(std::uint32_t communicator, std::uint32_t call) const override {
    return routed.any() && meetings.meetsBefore(communicator, call);
  }

  /// A message that the plan does not have is sent as written.
  bool hold(std::uint32_t rank, std::size_t position, std::uint32_t message,
            const Event &event) override {
    if (!batches[rank].holds(position))
      return false;
    const std::uint32_t exchange = exchangeOf(rank);
    const bool packed =
        exchange != PlannedExecutions::nothing && routed.pack(exchange, rank, message, event);
    batches[rank].pass();
    return packed;
  }
  std::optional<IssuedBatch> issue(std::uint32_t rank, std::size_t position) override {
    if (batches[rank].isIssuedAt(position)) {
      if (const std::uint32_t exchange = exchangeOf(rank); exchange != PlannedExecutions::nothing)
        routed.close(exchange, rank, position);
      batches[rank].finish();
    }
    const std::vector<PlannedExecutions::Empty> &empty = executions.emptyOnes(rank);
    std::size_t &passed = emptyPassed[rank];
    for (; passed < empty.size() && empty[passed].position <= position; ++passed)
      routed.close(empty[passed].exchange, rank, position);
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
  std::uint32_t exchangeOf(std::uint32_t rank) const {
    return executions.exchangeOf(rank, batches[rank].number());
  }

  PlannedExecutions executions;
  RoutedMessages routed;
  CollectiveMeetings meetings;
  std::vector<PlannedBatches> batches;  // by rank
  std::vector<std::size_t> emptyPassed; // by rank: how many empty executions have ended
};

} // namespace

std::unique_ptr<RunBehaviour> sharedRun(const SimulatedPlan &run) {
  if (run.plan.of<SharedExchanges>().exchanges.empty())
    return nullptr;
  return std::make_unique<SharedRun>(run);
}

} // namespace sendwright
