// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile unrolled: what each rank did one after another, up to a limit, and how long each kind
// of event computed before it.

#ifndef SENDWRIGHT_ANALYSIS_RUN_TIMELINE_H
#define SENDWRIGHT_ANALYSIS_RUN_TIMELINE_H

#include "analysis/trace/Matching.h"
#include "analysis/trace/Profile.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// One rank. The profile it was made from must outlive it.
struct RankTimeline {
  const RankProfile *profile = nullptr;
  std::vector<std::uint32_t> numbers; ///< of events, in the order they happened

  // Per event number:
  std::vector<double> work;  ///< seconds of computation before it (of a Compute event: its own)
  std::vector<double> noise; ///< by how much `work` exceeds the shortest that was measured
  std::vector<std::uint64_t> count; ///< how often it happened in the whole run, also past the limit

  const Event &at(std::size_t position) const { return profile->events[numbers[position]]; }
  std::size_t size() const { return numbers.size(); }
};

struct Timeline {
  std::vector<RankTimeline> ranks;
  std::vector<MatchedMessage> messages;
  CommunicatorNumbers communicators;
  std::uint64_t share = wholeRun; ///< what is unrolled of each rank: see shareOfRank()
  bool cut = false;               ///< some rank did more than is unrolled here
};

/// Unrolls at most `limit` events in total, the same number of every rank, and matches sends with
/// receives. Costs what matchMessages() costs.
///
/// The time before an event is the mean over its occurrences without the longest and the shortest,
/// where there are three or more: one interruption by the system must not look like work.
Timeline unroll(const Profile &profile, std::uint64_t limit);

/// The communicator of a call; null where it is not known.
const Communicator *communicatorOf(const Event &event, const RankProfile &rank);

/// True for a call that returns at no member of its communicator before all have entered it.
bool synchronizes(const Event &event, const RankProfile &rank);

/// True for a send that a batch can defer: blocking or not, standard, buffered or ready, to a rank
/// of the program below `ranks`, not to another group.
bool isDeferrable(const Event &event, const RankProfile &rank, std::size_t ranks);

/// True for a call that makes an open batch issue what it holds.
bool endsBatch(const Event &event, const RankProfile &rank, std::size_t ranks);

} // namespace sendwright

#endif
