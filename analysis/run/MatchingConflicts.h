// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that will leave MPI's matching, because they travel through others or become part of a
// collective operation: which calls of the run could meet them there. MPI's guarantees hold without
// its matching only if nobody else sends what the messages' receives would take, and no wildcard
// and no probe could meet them.

#ifndef SENDWRIGHT_ANALYSIS_RUN_MATCHINGCONFLICTS_H
#define SENDWRIGHT_ANALYSIS_RUN_MATCHINGCONFLICTS_H

#include "analysis/mpi/MpiFunctions.h"
#include "analysis/trace/Profile.h"

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// How a call could meet one of the messages.
struct MatchingConflict {
  enum class Kind : std::uint8_t {
    Send,                 ///< it sends on `channel`, too
    Probe,                ///< `function` could see the messages
    ReceiveFromAnySource, ///< it could take the messages
    ReceiveOfAnyTag       ///< likewise
  };
  static constexpr Kind lastKind = Kind::ReceiveOfAnyTag;

  Kind kind = Kind::Send;
  MpiFunctionId function = {};
  MatchingChannel channel = {};
  std::string place = {}; ///< of the call; "" if unknown
};

/// Part of a sentence: "MPI_Probe at app.c:40 could see its messages".
std::string textOf(const MatchingConflict &conflict);

/// Whether `event` of `rank`, which does not belong to the messages, sends on one of the channels.
/// O(log n) for n channels.
std::optional<MatchingConflict> conflictOfSend(const Profile &profile, std::size_t rank,
                                               const Event &event,
                                               const MatchingChannels &messages);

/// Whether `event` of `rank` is a probe or a wildcard receive that one of the messages fits. O(n).
std::optional<MatchingConflict> conflictOfReceive(const Profile &profile, std::size_t rank,
                                                  const Event &event,
                                                  const MatchingChannels &messages);

/// Whether `event` receives or probes on the communicator from any source. O(members).
bool takesFromAnySource(const Communicator &communicator, const RankProfile &rank,
                        const Event &event);

} // namespace sendwright

#endif
