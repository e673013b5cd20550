// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Through which ranks the messages of one exchange travel, and what it is worth.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_CHOSENROUTES_H
#define SENDWRIGHT_ANALYSIS_SHARING_CHOSENROUTES_H

#include "analysis/machine/Machine.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/routes/RouteTable.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// What one rank sends to another in most instances, or in those of a pattern. World ranks.
struct ExchangedMessage {
  int source = 0;
  int destination = 0;
  int tag = 0;
  double bytes = 0;            ///< mean
  std::uint64_t instances = 0; ///< in which it was sent
  bool operator==(const ExchangedMessage &) const = default;
};

/// One of the patterns that an exchange has by turns.
struct AlternatingPattern {
  std::uint64_t instances = 0;
  std::vector<ExchangedMessage> messages; ///< as those of the exchange; means over these instances
};

struct SharableExchange {
  Communicator communicator; ///< whose members send in every instance, or in none
  std::uint64_t instances = 0;
  /// Those of most instances, or of most of any pattern's; by source, destination and tag.
  std::vector<ExchangedMessage> messages;
  std::vector<std::int32_t> anySource = {}; ///< see SharedExchange
  /// The most frequent first; none where all instances have one pattern.
  std::vector<AlternatingPattern> patterns = {};
};

/// The routes of one exchange. Ranks are world ranks.
struct ChosenRoutes {
  ExchangePattern pattern; ///< items are bytes, with those that a record is headed by
  std::vector<std::vector<std::int32_t>> tags; ///< of each of its messages, ascending
  RouteTable table;                            ///< of the pattern
  SharingPrediction prediction;
};

/// The routes that the cost model finds fastest for the exchange in a program of `ranks` ranks;
/// direct ones where nothing is faster. Messages as written have no heads of records. Nodes hold
/// ranks_per_node neighbours of the communicator. Patterns by turns go by routes for all their
/// messages, and what is predicted is the mean over instances: as written each has its own
/// messages, shared all combined messages, with nothing in them of what the pattern lacks.
ChosenRoutes chooseRoutes(const SharableExchange &exchange, int ranks, const Machine &machine);

/// Seconds for which `members` ranks wait for one another, by dissemination: what a blocking
/// collective call costs more while messages are shared (SharingPrediction::collectiveSeconds).
double meetingSeconds(std::size_t members, const Machine &machine);

} // namespace sendwright

#endif
