// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which send loops are complete exchanges, whose messages may travel through other ranks.
//
// An exchange is one send loop and the receives that take its messages, wherever these stand: the
// messages of the profile join them. One execution of the loop at every rank of a communicator is
// an instance. Messages that travel through others are late and leave MPI's matching, so what MPI
// guarantees must hold without it:
// - every receive names its source and tag, and no probe or wildcard could meet the messages;
// - what has one (communicator, source, destination, tag) all belongs to the exchange;
// - every rank sends in every instance or in none, with much the same messages, or those of a few
//   patterns by turns (RecurringPatterns.h);
// - that a receive ends only after all ranks have entered leaves no rank waiting for another in a
//   circle (SharingWaits.h).

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SHARABLEEXCHANGES_H
#define SENDWRIGHT_ANALYSIS_SHARING_SHARABLEEXCHANGES_H

#include "analysis/run/SendLoops.h"
#include "analysis/run/SharingWaits.h"
#include "analysis/run/Timeline.h"
#include "analysis/sharing/ChosenRoutes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

/// What is known of one send loop as an exchange.
struct ExchangeFinding {
  int site = 0;
  std::string missing;       ///< what it lacks to be shared, for a remark; "": it may be
  SharableExchange exchange; ///< empty where something is missing
};

/// Of every loop that holds batches to more than one rank, by site. `timeline` and `loops` must be
/// of `profile`. `meetings`: where else ranks would wait for one another at once. O(e log e) for e
/// unrolled events.
std::vector<ExchangeFinding>
findSharableExchanges(const Profile &profile, const Timeline &timeline, const SendLoops &loops,
                      const std::vector<ExchangeInstance> &meetings = {});

} // namespace sendwright

#endif
