// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much work it is to follow a run call by call. A grammar of a few bytes can stand for any
// number of calls, and a call can have any number of requests.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_RUNSIZE_H
#define SENDWRIGHT_ANALYSIS_TRACE_RUNSIZE_H

#include "analysis/trace/Profile.h"

#include <cstdint>

namespace sendwright {

/// In calls: 1, and one more for every 64 requests, matches and messages that are moved.
std::uint64_t costOf(const Event &event);

/// The cost of all events of a rank, or of all ranks; saturating. Linear in the grammars.
std::uint64_t runCost(const RankProfile &rank);
std::uint64_t runCost(const Profile &profile);

/// Messages that an event of the run is simulated as, on average, and 1 at least: a collective of
/// all with all stands for one to each member, others for the steps of a tree. Linear in the
/// grammars.
double messagesOfEvent(const Profile &profile);

/// How many events of a run to simulate where `events` were asked for: fewer where they stand for
/// many messages (Limits.h), but 64 of each rank.
std::uint64_t simulatedEvents(const Profile &profile, std::uint64_t events);

} // namespace sendwright

#endif
