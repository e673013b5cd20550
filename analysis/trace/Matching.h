// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out which send met which receive.
//
// The sequences of all ranks are expanded and every send is matched as in MPI: on one communicator,
// the messages from a sender to a receiver meet, in order, the first posted receive that accepts
// source and tag. The run tells the source of a wildcard receive (WildcardMatch). Non-blocking
// receives match in the order in which they were posted, and are complete at the call that
// completed their request.
//
// The program's own order suffices: matching never depends on time here, because every receive that
// could take messages of several senders says which message it took.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_MATCHING_H
#define SENDWRIGHT_ANALYSIS_TRACE_MATCHING_H

#include "analysis/trace/CommunicatorNumbers.h"
#include "analysis/trace/Profile.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// Means: no position.
inline constexpr std::uint32_t noPosition = UINT32_MAX;

/// A point in the expanded run: an event of a rank by its number (from 0), counting all events,
/// including computation and sites.
struct EventPosition {
  std::uint32_t rank = 0;
  std::uint32_t position = noPosition;
  bool operator==(const EventPosition &) const = default;
};

/// One message. A Sendrecv is both a send and a receive, at one position.
struct MatchedMessage {
  EventPosition send;    ///< where it was sent. Position noPosition: no send was found; then the
                         ///< rank is the source, or noPosition if the source is unknown, too
  EventPosition receive; ///< where the receive was posted. Position noPosition: never received; the
                         ///< rank is still the destination
  std::uint32_t sendCompletion = noPosition; ///< on the sender: where the send's request completed
                                             ///< (for a blocking send, its own position)
  std::uint32_t completion =
      noPosition; ///< on the receiver: where the receive completed (blocking:
                  ///< its own position; never completed: noPosition)
  bool matched() const { return send.position != noPosition && receive.position != noPosition; }
};

struct MatchingLimits {
  std::uint64_t events = 50'000'000;      ///< over all ranks
  std::vector<std::uint64_t> shares = {}; ///< the cost (RunSize.h) up to which each rank is
                                          ///< expanded; empty: equal parts of `events`
};

/// The share of a run that is expanded completely.
inline constexpr std::uint64_t wholeRun = UINT64_MAX;

/// The cost (RunSize.h) up to which each rank is expanded if all ranks together may have `limit`
/// events; wholeRun if everything fits. Limits with equal shares expand the same events.
std::uint64_t shareOfRank(const Profile &profile, std::uint64_t limit);

struct Matching {
  /// By rank: the expanded run, as indices into RankProfile::events; a prefix if the limit cut it.
  std::vector<std::vector<std::uint32_t>> events;
  std::uint64_t share = wholeRun; ///< see shareOfRank()
  /// All messages, ordered by the sender's rank and position, followed by receives without a send,
  /// ordered by receiver and position. Messages to and from MPI_PROC_NULL are left out.
  std::vector<MatchedMessage> messages;
  /// Rank r sent messages[sendsBegin[r] .. sendsBegin[r + 1]); the last entry is the start of the
  /// receives without a send. Size: ranks + 1.
  std::vector<std::uint32_t> sendsBegin;
  CommunicatorNumbers communicators; ///< of all ranks
  std::uint64_t unmatchedSends = 0, unmatchedReceives = 0;
  /// All events were expanded, no rank's recording was truncated, and nothing is unmatched.
  bool complete = true;

  /// The message that `rank` sent at `position`, or null. Logarithmic.
  const MatchedMessage *sentAt(std::uint32_t rank, std::uint32_t position) const;
};

/// Expands and matches. Cancelled receives, and receives whose wildcard source was not recorded,
/// match nothing. If the limit does not suffice for all ranks, each gets the same share, unless
/// `limits` has shares. Time and memory are linear in the expanded events (at most about 40 bytes
/// each). Messages of one (sender, receiver, communicator) with many tags outstanding at the same
/// time cost a search among them.
Matching matchMessages(const Profile &profile, const MatchingLimits &limits = {});

/// True for calls that send one message or start to, including Sendrecv, to a world rank.
bool sendsMessage(const Event &event);
/// True for calls that receive one message or start to, including Sendrecv; not from MPI_PROC_NULL.
bool receivesMessage(const Event &event);

} // namespace sendwright

#endif
