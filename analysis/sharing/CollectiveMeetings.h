// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before which blocking collective calls of a recorded run the members of a communicator would meet
// if the messages of some exchanges were shared (ExpectedInstances.h).

#ifndef SENDWRIGHT_ANALYSIS_SHARING_COLLECTIVEMEETINGS_H
#define SENDWRIGHT_ANALYSIS_SHARING_COLLECTIVEMEETINGS_H

#include "analysis/run/Timeline.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

class CollectiveMeetings {
public:
  /// The instances of an exchange at a rank that sends in it.
  struct Instances {
    std::size_t rank = 0;
    std::vector<std::size_t> ends; ///< positions in its timeline where they are closed, ascending
  };
  /// Goes through the events of one rank for each exchange. Keeps no reference.
  CollectiveMeetings(const Timeline &timeline, const std::vector<Instances> &exchanges);

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
