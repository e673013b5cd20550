// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collective calls of a run: which calls of different ranks form one operation, and its
// schedule.

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
  std::uint64_t most = 0, sum = 0; ///< over the members: bytes as in CollectiveTask
  double setup = 0;                ///< seconds that it takes longer as the first of its
                                   ///< communicator
  bool varied = false;             ///< MPI_Gatherv and MPI_Allgatherv: members differ in size
  bool blocksVary = false;         ///< MPI_Alltoallv

  /// The assumed size of a block: if members differ, the mean, because a port takes all blocks.
  std::uint64_t bytes(std::uint64_t members) const {
    return varied && members > 0 ? (sum + members - 1) / members : most;
  }
};

/// A communicator as all its members see it.
struct CallGroup {
  std::vector<int> members;     ///< world ranks
  std::vector<GroupCall> calls; ///< in order
};

/// A world rank's index among members, or their number if it is not a member. Constant time in
/// communicators of all ranks, otherwise linear.
std::uint32_t memberOf(const std::vector<int> &members, int rank);

class CollectiveCalls {
public:
  /// Goes through all events once. Calls on one communicator match in their order. Linear.
  /// `timeline` and `machine` must outlive this object.
  CollectiveCalls(const Timeline &timeline, const Machine &machine);

  /// The group of a rank's communicator; null for intercommunicators.
  const CallGroup *groupOf(std::size_t rank, int communicator, std::uint32_t &number) const;

  /// The best schedule for a call with this root (an index into the members). It is made when first
  /// asked for and kept while there is room; whoever executes it holds a reference. `meetsFirst`: a
  /// barrier precedes it.
  std::shared_ptr<const Schedule> scheduleOf(const CallGroup &group, std::uint32_t call,
                                             std::uint32_t root, bool meetsFirst = false);

  /// The time by the formula for a call whose schedule would have too many messages (a message for
  /// every pair of more ranks than limits::scheduledRanks); nothing for other calls. All members
  /// then leave the call at the same time.
  std::optional<double> formulaSeconds(const CallGroup &group, std::uint32_t call) const;

private:
  const LinkParameters &linkOf(const CallGroup &group) const;
  const CollectiveAlgorithm &algorithmOf(const GroupCall &call, const CollectiveTask &task,
                                         const LinkParameters &link) const;

  using Key = std::tuple<Collective, bool, std::size_t, std::uint64_t, std::uint32_t, bool, bool>;

  void findSetups();
  void addCallsOf(std::size_t rank, const RankTimeline &timeline);

  const Machine &machine;
  const CommunicatorNumbers &communicators;
  std::vector<CallGroup> groups; // by number of the communicator
  std::map<Key, std::shared_ptr<const Schedule>> schedules;
  std::size_t keptMessages = 0;
};

} // namespace sendwright

#endif
