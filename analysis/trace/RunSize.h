// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much work it takes to follow a run call by call. A grammar of a few bytes can stand for any
// number of calls, and a call can have any number of requests.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_RUNSIZE_H
#define SENDWRIGHT_ANALYSIS_TRACE_RUNSIZE_H

#include "analysis/trace/Profile.h"

#include <cstdint>

namespace sendwright {

/// In calls: 1, plus one for every 64 requests, matches and moved messages.
std::uint64_t costOf(const Event &event);

/// The cost of all events of a rank, or of all ranks; saturating. Linear in the grammars.
std::uint64_t runCost(const RankProfile &rank);
std::uint64_t runCost(const Profile &profile);

/// The mean number of messages by which an event of the run is simulated, at least 1: a collective
/// of all with all stands for a message to each member, other collectives for the steps of a tree.
/// Linear in the grammars.
double messagesOfEvent(const Profile &profile);

/// How many events of a run to simulate if the user asked for `events`: fewer if they stand for
/// many messages (Limits.h), but at least 64 for each rank.
std::uint64_t simulatedEvents(const Profile &profile, std::uint64_t events);

} // namespace sendwright

#endif
