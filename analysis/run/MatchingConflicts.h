// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that will leave MPI's matching, because they travel through others or become part of a
// collective operation: which calls of the run could meet them there. MPI's guarantees hold without
// its matching only if nobody else sends what the messages' receives would take, and no wildcard
// and no probe could meet them.

#ifndef SENDWRIGHT_ANALYSIS_RUN_MATCHINGCONFLICTS_H
#define SENDWRIGHT_ANALYSIS_RUN_MATCHINGCONFLICTS_H

#include "analysis/trace/Profile.h"

#include <cstddef>
#include <set>
#include <string>

namespace sendwright {

/// What MPI matches by, besides the communicator. World ranks.
struct MatchingChannel {
  int source = 0, destination = 0, tag = 0;
  auto operator<=>(const MatchingChannel &) const = default;
};

/// All channels of some messages on one communicator.
struct MatchingChannels {
  const Communicator *communicator = nullptr;
  std::set<MatchingChannel> channels;
  std::set<int> tags; ///< of the channels

  void add(const MatchingChannel &channel) {
    channels.insert(channel);
    tags.insert(channel.tag);
  }
};

/// " at app.c:40"; "" if the place is unknown.
std::string atPlace(const Profile &profile, std::size_t rank, const Event &event);

/// Says where `event` of `rank`, which does not belong to the messages, sends on one of the
/// channels: part of a sentence, otherwise "". O(log n) for n channels.
std::string conflictOfSend(const Profile &profile, std::size_t rank, const Event &event,
                           const MatchingChannels &messages);

/// Says where `event` of `rank` is a probe or a wildcard receive that one of the messages fits:
/// part of a sentence, otherwise "". O(n).
std::string conflictOfReceive(const Profile &profile, std::size_t rank, const Event &event,
                              const MatchingChannels &messages);

/// Whether `event` receives or probes on the communicator from any source. O(members).
bool takesFromAnySource(const Communicator &communicator, const RankProfile &rank,
                        const Event &event);

} // namespace sendwright

#endif
