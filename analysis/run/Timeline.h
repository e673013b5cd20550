// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile unrolled: what each rank did, event by event, up to a limit, and how long each kind of
// event computed before it.

#ifndef SENDWRIGHT_ANALYSIS_RUN_TIMELINE_H
#define SENDWRIGHT_ANALYSIS_RUN_TIMELINE_H

#include "analysis/trace/Matching.h"
#include "analysis/trace/Profile.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// One rank. Its profile must outlive it.
struct RankTimeline {
  const RankProfile *profile = nullptr;
  std::vector<std::uint32_t> numbers; ///< of events, in the order in which they happened

  // By event number:
  std::vector<double> work;  ///< seconds of computation before it (for a Compute event: its own)
  std::vector<double> noise; ///< by how much `work` exceeds the shortest measured time
  std::vector<std::uint64_t> count; ///< how often it happened in the whole run, including beyond
                                    ///< the limit
  std::vector<char> synchronizing;  ///< 1: a call that returns at no member of its communicator
                                    ///< before all members have entered it

  bool synchronizes(std::size_t position) const { return synchronizing[numbers[position]] != 0; }
  const Event &at(std::size_t position) const { return profile->events[numbers[position]]; }
  std::size_t size() const { return numbers.size(); }
};

struct Timeline {
  std::vector<RankTimeline> ranks;
  std::vector<MatchedMessage> messages;
  CommunicatorNumbers communicators;
  std::uint64_t share = wholeRun; ///< how much of each rank is unrolled: see shareOfRank()
  bool cut = false;               ///< some rank did more than is unrolled here
};

/// Unrolls at most `limit` events in total, up to a point at which no rank waits for what was cut
/// off, and matches sends with receives. Costs what matchBeginning() costs (ConsistentCut.h).
///
/// The time before an event is the mean over its occurrences; if there are at least three, the
/// longest and the shortest are left out: one interruption by the system must not look like work.
Timeline unroll(const Profile &profile, std::uint64_t limit);

/// The communicator of a call; null if unknown.
const Communicator *communicatorOf(const Event &event, const RankProfile &rank);

/// True for a send that a batch can defer: blocking or not, standard, buffered or ready, to a rank
/// of the program below `ranks`, not on an intercommunicator.
bool isDeferrable(const Event &event, const RankProfile &rank, std::size_t ranks);

/// True for a call that makes an open batch issue what it holds.
bool endsBatch(const Event &event, const RankProfile &rank, std::size_t ranks);

} // namespace sendwright

#endif
