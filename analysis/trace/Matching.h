// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which send met which receive.
//
// The sequences of all ranks are expanded and every send is matched as MPI does: on one
// communicator the messages of a sender to a receiver meet, in order, the first receive posted that
// accepts source and tag. A wildcard source is taken from the run (WildcardMatch). Non-blocking
// receives match in the order in which they were posted and are complete at the call that completed
// their request.
//
// The program's own order is enough: matching never depends on time here, because every receive
// that could take messages of several senders says which one it took.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_MATCHING_H
#define SENDWRIGHT_ANALYSIS_TRACE_MATCHING_H

#include "analysis/trace/Profile.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// No such position.
inline constexpr std::uint32_t noPosition = UINT32_MAX;

/// A point in the expanded run: the position-th event (from 0) of a rank, counted over all its
/// events, computation and sites included.
struct EventPosition {
  std::uint32_t rank = 0;
  std::uint32_t position = noPosition;
  bool operator==(const EventPosition &) const = default;
};

/// One message. A Sendrecv is both a send and a receive at one position.
struct MatchedMessage {
  EventPosition send;    ///< where it was sent. noPosition: no such send was found; the rank
                         ///< is then the source, or noPosition where that is not known either
  EventPosition receive; ///< where the receive was posted. noPosition: never received; the rank
                         ///< is the destination all the same
  std::uint32_t sendCompletion = noPosition; ///< on the sender: where the send's request completed
                                             ///< (a blocking send: its own position)
  std::uint32_t completion =
      noPosition; ///< on the receiver: where the receive completed (blocking:
                  ///< its own position; never completed: noPosition)
  bool matched() const { return send.position != noPosition && receive.position != noPosition; }
};

struct MatchingLimits {
  std::uint64_t events = 50'000'000; ///< over all ranks
};

/// The share of a run that is expanded as a whole.
inline constexpr std::uint64_t wholeRun = UINT64_MAX;

/// The cost (RunSize.h) up to which each rank is expanded when all ranks together have `limit`
/// events: limits with equal shares expand the same. wholeRun where all runs fit.
std::uint64_t shareOfRank(const Profile &profile, std::uint64_t limit);

struct Matching {
  /// Per rank: the expanded run, as indices into RankProfile::events. Where the limit cut it, a
  /// prefix.
  std::vector<std::vector<std::uint32_t>> events;
  std::uint64_t share = wholeRun; ///< as shareOfRank() says
  /// All messages, ordered by the sender's rank and position; receives that no send was found for
  /// follow, ordered by receiver and position. Sends to and receives from MPI_PROC_NULL are none.
  std::vector<MatchedMessage> messages;
  /// messages[sendsBegin[r] .. sendsBegin[r + 1]) are those that rank r sent; the last entry is the
  /// start of the receives without a send. Size: ranks + 1.
  std::vector<std::uint32_t> sendsBegin;
  std::uint64_t unmatchedSends = 0, unmatchedReceives = 0;
  /// All events were expanded, no rank's recording was truncated, and nothing is unmatched.
  bool complete = true;

  /// The message that `rank` sent at `position`, or null. Logarithmic.
  const MatchedMessage *sentAt(std::uint32_t rank, std::uint32_t position) const;
};

/// Expands and matches. Cancelled receives and receives whose wildcard source was not recorded
/// match nothing. Expands the ranks evenly when the limit does not suffice for all (each gets the
/// same share). Time and memory linear in the events expanded (about 40 bytes each at most);
/// messages of one (sender, receiver, communicator) with many tags outstanding at once cost a
/// search among them.
Matching matchMessages(const Profile &profile, const MatchingLimits &limits = {});

/// True for calls that send one message or start to (Sendrecv included), with a world rank as peer.
bool sendsMessage(const Event &event);
/// True for calls that receive one message or start to (Sendrecv included); not from MPI_PROC_NULL.
bool receivesMessage(const Event &event);

} // namespace sendwright

#endif
