// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a route table costs: its combined messages, counted once per stage however much is in them,
// and the time that they take by LogGP, with the ranks in step from stage to stage.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHARINGCOSTS_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHARINGCOSTS_H

#include "analysis/machine/Machine.h"
#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// All that one rank sends another in one stage.
struct CombinedMessage {
  std::int32_t stage = 0;
  std::int32_t from = 0;
  std::int32_t to = 0;
  double items = 0;
};

/// The combined messages of a table, by stage, sender, receiver. O(hops + ranks).
std::vector<CombinedMessage> combinedMessages(const ExchangePattern &pattern,
                                              const RouteTable &table);

/// Figures of combined messages.
struct SharingFigures {
  std::int32_t stages = 0;
  double averageSends = 0;      ///< per rank
  std::int64_t maxSends = 0;    ///< of the rank with most, over all stages
  std::int64_t maxReceives = 0; ///< likewise
  std::int64_t maxLoad = 0;     ///< sends plus receives, likewise
  double volumeFactor = 1;      ///< items sent over those of the pattern
  std::int32_t maxHops = 0;     ///< of a message
};

SharingFigures sharingFigures(const ExchangePattern &pattern, const RouteTable &table,
                              const std::vector<CombinedMessage> &messages);

/// How long the stages take, seconds. A stage lasts as long as its busiest rank: the latency, o for
/// each message sent and received (or g, where a rank's messages of one direction take longer by
/// that), G and O for each byte that it sends or receives. Messages within a node cost what the
/// machine says of those.
double predictSeconds(const std::vector<CombinedMessage> &messages, std::int32_t ranks,
                      const Machine &machine, double bytesPerItem);

} // namespace sendwright

#endif
