// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which send loops are complete exchanges, whose messages may travel through other ranks.
//
// An exchange is one send loop and the receives that take its messages, wherever these stand: the
// messages of the profile connect them. An instance is one execution of the loop at every rank of a
// communicator. Messages that travel through other ranks arrive later and bypass MPI's matching, so
// MPI's guarantees must hold without it:
// - every receive names its source and tag, and no probe or wildcard could meet the messages;
// - all messages with one (communicator, source, destination, tag) belong to the exchange, or are
//   received in turn with its messages;
// - all ranks that send in the loop execute it equally often, be it without sends in some
//   instances; the messages are much the same each time, or alternate between a few patterns
//   (RecurringPatterns.h). Their tags may change: then the exchange has any message of its loop
//   from one rank to the other;
// - although a receive ends only after all ranks have entered, no ranks wait for one another in a
//   circle (SharingWaits.h).

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SHARABLEEXCHANGES_H
#define SENDWRIGHT_ANALYSIS_SHARING_SHARABLEEXCHANGES_H

#include "analysis/run/SendLoops.h"
#include "analysis/run/SharingWaits.h"
#include "analysis/run/Timeline.h"
#include "analysis/sharing/ChosenRoutes.h"
#include "analysis/sharing/SharingRefusal.h"

#include <optional>
#include <vector>

namespace sendwright {

/// What is known of one send loop as an exchange.
struct ExchangeFinding {
  int site = 0;
  std::optional<SharingRefusal> refusal; ///< why it cannot be shared; nothing: it may be shared
  SharableExchange exchange;             ///< empty if there is a refusal
  std::optional<SharingRefusal> polls;   ///< if ranks poll for most of its messages
};

/// A finding for every loop whose batches go to more than one rank, by site. `timeline` and `loops`
/// must belong to `profile`. `meetings`: other places where ranks would wait for one another at the
/// same time. O(e log e) for e unrolled events.
std::vector<ExchangeFinding>
findSharableExchanges(const Profile &profile, const Timeline &timeline, const SendLoops &loops,
                      const std::vector<ExchangeInstance> &meetings = {});

} // namespace sendwright

#endif
