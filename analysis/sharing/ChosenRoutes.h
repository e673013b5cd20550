// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks through which the messages of one exchange travel, and what that gains.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_CHOSENROUTES_H
#define SENDWRIGHT_ANALYSIS_SHARING_CHOSENROUTES_H

#include "analysis/machine/Machine.h"
#include "analysis/sharing/ExchangeTurns.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/routes/RouteTable.h"
#include "analysis/sharing/search/Sharing.h"
#include "analysis/sharing/search/SharingMethod.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace sendwright {

/// What one rank sends to another in most instances, or in most instances of one pattern. World
/// ranks.
struct ExchangedMessage {
  int source = 0;
  int destination = 0;
  int tag = 0; ///< anyTag: the tags change, and this is one of the messages between the two ranks
  double bytes = 0;            ///< mean
  std::uint64_t instances = 0; ///< that it was sent in
  bool operator==(const ExchangedMessage &) const = default;
};

/// One of the patterns between which an exchange alternates.
struct AlternatingPattern {
  std::uint64_t instances = 0;
  std::vector<ExchangedMessage> messages;  ///< like SharableExchange::messages; means over these
                                           ///< instances
  std::vector<std::uint64_t> members = {}; ///< the numbers of these instances, ascending
};

/// One execution of the loop at one rank.
struct LoopExecutionOfRank {
  std::uint64_t instance = 0; ///< UINT64_MAX: it belongs to no instance
  std::size_t end = 0;        ///< position in the rank's timeline where it is known what it sends
  std::vector<SentEnvelope> sent = {};
};

struct SharableExchange {
  Communicator communicator; ///< of all its messages
  std::uint64_t instances = 0;
  /// Messages of most instances, or of most instances of some pattern; by source, destination and
  /// tag. With anyTag, two messages may have the same source and destination.
  std::vector<ExchangedMessage> messages;
  std::vector<std::int32_t> anySource = {}; ///< see SharedExchange
  /// Most frequent first; empty if all instances have one pattern.
  std::vector<AlternatingPattern> patterns = {};
  /// Patterns of a single instance; only if there are patterns.
  std::vector<AlternatingPattern> seldom = {};
  /// By rank that sends; only if there are patterns.
  std::map<int, std::vector<LoopExecutionOfRank>> executions = {};
  bool unequal = false; ///< ranks execute the loop unequally often: patterns need their own routes
  bool cut = false;     ///< the run continues beyond these executions
};

/// The routes of one exchange. Ranks are world ranks.
struct ChosenRoutes {
  ExchangePattern pattern;                     ///< an item is a byte; record headers are included
  std::vector<std::vector<std::int32_t>> tags; ///< of each message of the pattern, as
                                               ///< SharedMessage::tags
  RouteTable table;                            ///< of the pattern
  SharingPrediction prediction;
};

/// The routes that the cost model finds fastest for the exchange, in a program of `ranks` ranks;
/// direct routes if nothing is faster. Messages sent directly carry no record headers. A node holds
/// ranks_per_node neighbouring ranks of the communicator; if the machine has node ports, the ranks
/// that the machine places there.
///
/// Alternating patterns share one set of routes for all their messages, and the prediction is the
/// mean over instances: unshared, each instance sends only its own messages; shared, it sends every
/// combined message, which then lacks the messages of other patterns.
ChosenRoutes chooseRoutes(const SharableExchange &exchange, int ranks, const Machine &machine);

/// Such routes, and behind them others that may turn out faster when the whole run is replayed
/// (SharingChoice::others). With a `method` that the user named, its routes alone.
std::vector<ChosenRoutes> promisingRoutes(const SharableExchange &exchange, int ranks,
                                          const Machine &machine, SearchEffort effort,
                                          SharingMethod method = {});

/// The routes of each of the exchange's patterns by itself.
std::vector<ChosenRoutes> chooseRoutesByTurns(const SharableExchange &exchange, int ranks,
                                              const Machine &machine, SearchEffort effort,
                                              SharingMethod method = {});

/// The mean over the instances of all patterns, each with its own routes or, if it is not shared,
/// as written.
SharingPrediction predictionByTurns(const SharableExchange &exchange,
                                    const std::vector<ChosenRoutes> &routes,
                                    const std::vector<bool> &isShared);

/// Seconds for which `members` ranks wait for one another by dissemination: the extra cost of a
/// blocking collective call while messages are shared (SharingPrediction::collectiveSeconds).
double meetingSeconds(std::size_t members, const Machine &machine);

} // namespace sendwright

#endif
