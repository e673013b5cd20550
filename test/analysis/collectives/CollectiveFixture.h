// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs schedules of collectives on symbols: a rank's slot holds the list of ranks whose
// contributions are in it, in the order in which they were combined.

#ifndef SENDWRIGHT_TEST_ANALYSIS_COLLECTIVES_COLLECTIVEFIXTURE_H
#define SENDWRIGHT_TEST_ANALYSIS_COLLECTIVES_COLLECTIVEFIXTURE_H

#include "analysis/schedules/Collectives.h"

#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace sendwright {

using Contributions = std::vector<std::uint32_t>;
using Memory = std::map<std::uint32_t, Contributions>; // by slot

/// What the ranks hold when all are done; `problem` says what went wrong.
struct SymbolicRun {
  std::vector<Memory> memories;
  std::string problem;
};

class SymbolicExecution {
public:
  SymbolicExecution(const Schedule &schedule, std::vector<Memory> initial)
      : schedule(schedule), run{std::move(initial), ""}, carried(schedule.messages.size()),
        sent(schedule.messages.size()), next(schedule.ranks.size()) {}

  SymbolicRun execute() {
    for (bool moved = true; moved && run.problem.empty();) {
      moved = false;
      for (std::uint32_t rank = 0; rank < next.size(); ++rank)
        while (next[rank] < schedule.ranks[rank].size() &&
               perform(rank, schedule.ranks[rank][next[rank]])) {
          ++next[rank];
          moved = true;
        }
    }
    for (std::uint32_t rank = 0; rank < next.size() && run.problem.empty(); ++rank)
      if (next[rank] < schedule.ranks[rank].size())
        run.problem = "rank " + std::to_string(rank) + " waits forever";
    return std::move(run);
  }

private:
  bool perform(std::uint32_t rank, const ScheduledOperation &operation) {
    const ScheduledMessage &message = schedule.messages[operation.message];
    const std::vector<std::uint32_t> &slots = schedule.slots[operation.message];
    if ((operation.isSend ? message.from : message.to) != rank)
      run.problem = "an operation of another rank";
    if (operation.isSend) {
      for (std::uint32_t slot : slots) {
        if (!run.memories[rank].count(slot))
          run.problem = "rank " + std::to_string(rank) + " sends what it does not have";
        carried[operation.message].push_back(run.memories[rank][slot]);
      }
      sent[operation.message] = true;
      return true;
    }
    if (!sent[operation.message])
      return false;
    for (std::size_t index = 0; index < slots.size(); ++index)
      take(run.memories[rank][slots[index]], carried[operation.message][index], message.arrival);
    return true;
  }

  static void take(Contributions &own, const Contributions &received, Arrival arrival) {
    if (arrival == Arrival::Store)
      own = received;
    else
      own.insert(arrival == Arrival::CombineLeft ? own.begin() : own.end(), received.begin(),
                 received.end());
  }

  const Schedule &schedule;
  SymbolicRun run;
  std::vector<std::vector<Contributions>> carried;
  std::vector<bool> sent;
  std::vector<std::size_t> next;
};

inline Contributions ranksFrom(std::uint32_t first, std::uint32_t count) {
  Contributions ranks(count);
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

} // namespace sendwright

#endif
