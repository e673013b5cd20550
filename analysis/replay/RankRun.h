// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each rank of a simulated run is, and which collective operations are under way. Only
// RunSimulation.cpp and SimulatedCollectives.cpp use this.

#ifndef SENDWRIGHT_ANALYSIS_REPLAY_RANKRUN_H
#define SENDWRIGHT_ANALYSIS_REPLAY_RANKRUN_H

#include "analysis/machine/MessageSimulation.h"
#include "analysis/schedules/Schedule.h"
#include "analysis/simulation/CollectiveCalls.h"
#include "analysis/simulation/RunMessages.h"
#include "analysis/transformation/RunBehaviour.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sendwright {

/// A collective operation that some of its ranks have entered.
struct OpenCollective {
  std::shared_ptr<const Schedule> schedule;
  const std::vector<int> *members = nullptr; // world ranks
  double scale = 1, head = 0;                // for the bytes of its messages
  bool sendsInTurn = false;                  // MpiAlgorithms.h
  std::uint32_t firstMessage = 0;
  std::uint32_t left = 0;               // members that have not finished
  std::optional<double> seconds;        // of MPI's own function, which ends for all members at the
                                        // same time
  std::uint32_t entered = 0, last = 0;  // with MPI's function: how many members are there, and who
                                        // came last
  std::vector<std::uint32_t> positions; // by member: position of its call
};

/// Marks the key of an open collective that is a loop.
constexpr std::uint32_t loopGroup = UINT32_MAX;

struct RankRun {
  enum Stage : std::uint8_t {
    Work,
    Issue,
    Perform,
    InCollective,
    InRedistribution,
    Next,
    Done
  } stage = Work;
  std::size_t position = 0;
  std::uint32_t nextSend = 0;       // message
  bool held = false;                // the current send belongs to a batch
  std::vector<std::uint32_t> waits; // 2 * message + 1 for its arrival, + 0 for its departure
  std::size_t settled = 0;          // how many of them are settled
  // Issuing a batch.
  std::vector<HeldMessage> issuing;
  std::size_t issued = 0;
  std::uint32_t window = 0;
  std::vector<std::uint32_t> inFlight, blocking; // messages with a handshake
  // In a collective.
  std::uint64_t collective = 0; // key
  std::uint32_t member = 0;
  std::size_t operation = 0, posted = 0;
  std::optional<std::uint32_t> sending; // message that delays the next one
  std::vector<std::uint32_t> calls;     // made so far, by communicator

  /// True if a send of the collective must be waited for.
  bool awaitSend() {
    if (!sending)
      return false;
    waits.push_back(2 * *sending);
    sending.reset();
    return true;
  }
};

/// The index of a world rank among members; 0 if it is not a member.
inline std::uint32_t indexIn(const std::vector<int> &members, int rank) {
  const std::uint32_t member = memberOf(members, rank);
  return member == members.size() ? 0 : member;
}

/// Posts the next receive: sends with a handshake need it, otherwise ranks that send to each other
/// would wait for each other.
inline void postNext(std::uint32_t rank, RankRun &run, const OpenCollective &open,
                     const std::vector<ScheduledOperation> &operations,
                     MessageSimulation &simulation) {
  if (run.posted > run.operation)
    return;
  std::size_t next = run.operation;
  while (next < operations.size() && operations[next].isSend)
    ++next;
  if (next < operations.size())
    simulation.post(open.firstMessage + operations[next].message, rank);
  run.posted = next + 1;
}

} // namespace sendwright

#endif
