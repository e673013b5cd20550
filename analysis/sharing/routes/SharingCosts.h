// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a route table costs: the number of its combined messages (one for each stage and pair of
// ranks, however much is in it), and their time by LogGP, with all ranks in step from stage to
// stage.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHARINGCOSTS_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHARINGCOSTS_H

#include "analysis/machine/Machine.h"
#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// Everything that one rank sends to another in one stage.
struct CombinedMessage {
  std::int32_t stage = 0;
  std::int32_t from = 0;
  std::int32_t to = 0;
  double items = 0;
};

/// The combined messages of a table, by stage, sender and receiver. O(hops + ranks).
std::vector<CombinedMessage> combinedMessages(const ExchangePattern &pattern,
                                              const RouteTable &table);

/// Figures of combined messages.
struct SharingFigures {
  std::int32_t stages = 0;
  double averageSends = 0;      ///< per rank
  std::int64_t maxSends = 0;    ///< of the rank that sends most, over all stages
  std::int64_t maxReceives = 0; ///< likewise
  std::int64_t maxLoad = 0;     ///< sends plus receives, likewise
  double volumeFactor = 1;      ///< items sent, divided by the items of the pattern
  std::int32_t maxHops = 0;     ///< of one message
};

SharingFigures sharingFigures(const ExchangePattern &pattern, const RouteTable &table,
                              const std::vector<CombinedMessage> &messages);

/// Seconds that the stages take. A stage lasts as long as its busiest rank: the latency; o for each
/// message sent and received, or g for each, where a rank's messages in one direction take longer
/// that way; G and O for each byte that it sends or receives. Messages within a node cost what the
/// machine states for messages within a node. If the machine has node ports, a stage also lasts
/// until the busiest of them has passed on its messages.
double predictSeconds(const std::vector<CombinedMessage> &messages, std::int32_t ranks,
                      const Machine &machine, double bytesPerItem);

} // namespace sendwright

#endif
