// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aggregation by nodes in three steps: what the ranks of a node have for another node is gathered
// at one rank of the node, goes to the other node as one message, and is scattered there. Source:
// G. Collom, R. P. Li and A. Bienz, "Optimizing Irregular Communication with Neighborhood
// Collectives and Locality-Aware Parallelism" (2023), without its removal of duplicates.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_NODEAGGREGATION_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_NODEAGGREGATION_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// Routes in three stages for nodes of `ranksPerNode` neighbouring ranks (the last node may have
/// fewer). The other nodes are dealt out among the ranks of a node, those with the most items
/// first: by turns from the first rank on to send to them, and from the last rank on to receive
/// from them. Messages within a node go directly, in the first stage. O((messages + pairs of nodes)
/// log messages).
RouteTable aggregateByNodes(const ExchangePattern &pattern, std::int32_t ranksPerNode);

} // namespace sendwright

#endif
