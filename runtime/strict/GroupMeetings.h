// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meetings of a group that has no communicator at hand (a window's or a file's): every member tells
// the first member that it has come, and the first tells all when all have come.

#ifndef SENDWRIGHT_RUNTIME_STRICT_GROUPMEETINGS_H
#define SENDWRIGHT_RUNTIME_STRICT_GROUPMEETINGS_H

#include <cstdint>
#include <map>
#include <vector>

namespace sendwright::strict {

class GroupMeetings {
public:
  /// Waits until all members, ranks of MPI_COMM_WORLD, have called this as often as this rank. Does
  /// nothing if a member is -1, a process of another job.
  void meet(std::vector<int> members);

  void arrived(std::int64_t group) { ++arrivals[group]; }
  void go(std::int64_t group) { ++permits[group]; }

private:
  std::map<std::int64_t, std::int64_t> arrivals, permits; ///< keyed by group; not used up yet
};

} // namespace sendwright::strict

#endif
