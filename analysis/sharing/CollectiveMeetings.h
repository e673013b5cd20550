// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before which blocking collective calls of a recorded run the members of a communicator would meet
// if the messages of some loops were shared (ExpectedInstances.h).

#ifndef SENDWRIGHT_ANALYSIS_SHARING_COLLECTIVEMEETINGS_H
#define SENDWRIGHT_ANALYSIS_SHARING_COLLECTIVEMEETINGS_H

#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"

#include <cstdint>
#include <set>
#include <vector>

namespace sendwright {

class CollectiveMeetings {
public:
  /// `sites`: those of the loops, in the profile. Goes through the events of one rank for each of
  /// them. Keeps no reference.
  CollectiveMeetings(const Timeline &timeline, const SendLoops &loops, const std::set<int> &sites);

  /// `communicator`: its number in the timeline; `call`: index among the modelled collective calls
  /// on it.
  bool meetsBefore(std::uint32_t communicator, std::uint32_t call) const;
  /// The part of the blocking calls on the communicator of the promises before which members meet;
  /// 1 without such calls.
  double share() const;

private:
  std::uint32_t promised = UINT32_MAX; ///< number of the communicator
  std::vector<bool> meets;             ///< by call
  std::uint64_t calls = 0, meetings = 0;
};

} // namespace sendwright

#endif
