// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collective calls of a run: which calls of different ranks are one operation, and by which
// schedule it goes.

#ifndef SENDWRIGHT_ANALYSIS_SIMULATION_COLLECTIVECALLS_H
#define SENDWRIGHT_ANALYSIS_SIMULATION_COLLECTIVECALLS_H

#include "analysis/run/Timeline.h"
#include "analysis/schedules/Collectives.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace sendwright {

/// One operation of a communicator's ranks.
struct GroupCall {
  Collective operation = Collective::Barrier;
  std::uint64_t most = 0, sum = 0; ///< over the members: bytes as CollectiveTask has them
  double setup = 0;                ///< seconds it takes longer, as the first of its communicator
  bool varied = false;             ///< MPI_Gatherv and MPI_Allgatherv: each has its own

  /// What a block is taken to have: where each has its own the mean, because a port takes them all.
  std::uint64_t bytes(std::uint64_t members) const {
    return varied && members > 0 ? (sum + members - 1) / members : most;
  }
};

/// A communicator, the same at all its members.
struct CallGroup {
  std::vector<int> members;     ///< world ranks
  std::vector<GroupCall> calls; ///< in order
};

/// A world rank's place among members; their number where it is none of them. Constant time in
/// communicators of everyone, else linear.
std::uint32_t memberOf(const std::vector<int> &members, int rank);

class CollectiveCalls {
public:
  /// Goes through all events once. Calls of one communicator meet in their order. Linear. Timeline
  /// and machine must outlive this.
  /// `meetsFirst`: a barrier precedes every call.
  CollectiveCalls(const Timeline &timeline, const Machine &machine, bool meetsFirst = false);

  /// The group that a rank's communicator is; null on intercommunicators.
  const CallGroup *groupOf(std::size_t rank, int communicator, std::uint32_t &number) const;

  /// The best schedule for a call with this root (an index into the members). Made when it is first
  /// asked for, and kept as long as there is room; whoever executes it holds it.
  std::shared_ptr<const Schedule> scheduleOf(const CallGroup &group, std::uint32_t call,
                                             std::uint32_t root);

  /// The time that the formula gives for a call whose schedule would have too many messages to be
  /// made (a message for every pair of more ranks than limits::scheduledRanks); none for others.
  /// All members then leave it at once.
  std::optional<double> formulaSeconds(const CallGroup &group, std::uint32_t call) const;

private:
  const LinkParameters &linkOf(const CallGroup &group) const;

  using Key = std::tuple<Collective, std::size_t, std::uint64_t, std::uint32_t, bool>;

  void findSetups();
  void addCallsOf(std::size_t rank, const RankTimeline &timeline);

  const Machine &machine;
  const CommunicatorNumbers &communicators;
  bool meetsFirst;
  std::vector<CallGroup> groups; // by number of the communicator
  std::map<Key, std::shared_ptr<const Schedule>> schedules;
  std::size_t keptMessages = 0;
};

} // namespace sendwright

#endif
