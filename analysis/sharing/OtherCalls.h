// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which other calls of a program could meet the messages of an exchange: sends with one of its
// envelopes, receives from any source or of any tag, probes.
//
// Some of them do no harm:
// - a send whose message is received only after all earlier messages of the exchange, and which
//   leaves at once; or which precedes all messages of the exchange with its envelope. Messages
//   between two ranks are numbered, so they are received in turn;
// - a receive or probe that is over before anybody sends a message of the exchange to its rank,
//   because all ranks complete a collective call in between. The set-up of a program often uses one
//   tag after another, and receives from any source there.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_OTHERCALLS_H
#define SENDWRIGHT_ANALYSIS_SHARING_OTHERCALLS_H

#include "analysis/run/MatchingConflicts.h"
#include "analysis/run/Timeline.h"

#include <cstddef>
#include <functional>
#include <optional>

namespace sendwright {

/// The messages of an exchange.
struct OwnMessages {
  MatchingChannels channels;
  /// Whether a message of the timeline belongs to the exchange.
  std::function<bool(const MatchedMessage &)> has;
  /// Whether an event sends messages of the exchange alone.
  std::function<bool(std::size_t rank, const Event &)> sends;
};

/// The first other call that could do harm, if there is one. O(n log n) for n unrolled events and
/// messages, for each call that could meet the messages.
std::optional<MatchingConflict> conflictWithOthers(const Profile &profile, const Timeline &timeline,
                                                   const OwnMessages &own);

} // namespace sendwright

#endif
