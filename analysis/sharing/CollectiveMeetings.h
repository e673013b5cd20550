// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before which blocking collective calls of a recorded run the members of a communicator would meet
// if the messages of some exchanges were shared (ExpectedInstances.h).

#ifndef SENDWRIGHT_ANALYSIS_SHARING_COLLECTIVEMEETINGS_H
#define SENDWRIGHT_ANALYSIS_SHARING_COLLECTIVEMEETINGS_H

#include "analysis/run/Timeline.h"
#include "analysis/sharing/RecordedSteps.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace sendwright {

class CollectiveMeetings {
public:
  /// The instances of an exchange at a rank that sends in it.
  struct Instances {
    std::size_t rank = 0;
    std::vector<std::size_t> ends; ///< positions in its timeline where they are closed, ascending
  };
  /// Whether an event is a call that no rank makes in MPI, so that nobody meets before it.
  using IsServed = std::function<bool(std::size_t rank, const Event &call)>;

  /// Goes through the events of one rank for each exchange. Keeps no reference.
  CollectiveMeetings(const Timeline &timeline, const std::vector<Instances> &exchanges,
                     const IsServed &isServed = {});

  /// `communicator`: its number in the timeline; `call`: index among the modelled collective calls
  /// on it.
  bool meetsBefore(std::uint32_t communicator, std::uint32_t call) const;
  /// The part of the blocking calls on the communicator of the promises before which members meet;
  /// 1 without such calls.
  double share() const;
  /// What precedes the blocking calls on the communicator of the promises.
  const RecordedSteps &steps() const { return recorded; }

private:
  void followRun(const std::vector<std::vector<std::uint64_t>> &counts);

  std::uint32_t promised = UINT32_MAX; ///< number of the communicator
  std::vector<bool> meets;             ///< by modelled call
  std::vector<std::size_t> blocking;   ///< those calls that members may meet before
  RecordedSteps recorded;
  std::uint64_t calls = 0, meetings = 0;
};

} // namespace sendwright

#endif
