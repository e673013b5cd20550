// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meetings of a group that has no communicator at hand (a window's, a file's): every member tells
// the first one that it has come, which tells all when all have.

#ifndef SENDWRIGHT_RUNTIME_STRICT_GROUPMEETINGS_H
#define SENDWRIGHT_RUNTIME_STRICT_GROUPMEETINGS_H

#include <mpi.h>

#include <cstdint>
#include <map>

namespace sendwright::strict {

class GroupMeetings {
public:
  /// Waits until all members of the group, which is freed, have called this as often as this rank.
  void meet(MPI_Group group);

  void arrived(std::int64_t group) { ++arrivals[group]; }
  void go(std::int64_t group) { ++permits[group]; }

private:
  std::map<std::int64_t, std::int64_t> arrivals, permits; ///< not used up yet, by group
};

} // namespace sendwright::strict

#endif
