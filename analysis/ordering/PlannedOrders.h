// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The orders of sends that a plan holds, and the figures behind them.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_PLANNEDORDERS_H
#define SENDWRIGHT_ANALYSIS_ORDERING_PLANNEDORDERS_H

#include "analysis/file/Bytes.h"
#include "analysis/transformation/PlanParts.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// How one rank sends one pattern of one site. A site that is reached from several places has
/// several patterns; at run time the pattern with the captured destinations is used.
struct SendOrder {
  std::vector<int> destinations; ///< world ranks in the order of sending; the k-th entry of a rank
                                 ///< is the k-th message to it, so messages of one pair keep their
                                 ///< order
  std::uint32_t window = 0;      ///< messages in flight at once; 0: no limit
  std::uint64_t instances = 0;   ///< executions in the profile; the most frequent pattern comes
                                 ///< first
  bool operator==(const SendOrder &) const = default;
};

/// What one rank needs for one site: an index into the plan's sites, and its orders.
struct RankSite {
  std::uint32_t site = 0;
  std::vector<SendOrder> orders;
};

/// What OrderingFigures::key says of the order for large messages (StaggeredOrder.h).
inline constexpr std::string_view staggeredKey = "staggered";

/// The figures behind a decision of message ordering, for each phase that begins at the site. max
/// c'_p is in seconds; divide it by `unit` (one send) for the paper's numbers.
struct OrderingFigures {
  std::string phase; ///< which phase, for a person ("pre-communication, 3 to 21 sends a rank")
  double given = 0, planned = 0, worst = 0, lowerBound = 0; ///< max over ranks of c'_p
  double unit = 0;                                          ///< seconds of one send in the model
  std::string key;    ///< how receivers are ranked ("work + sends that follow"), or staggeredKey
  std::string reason; ///< why this order was chosen
  std::uint32_t window = 0;
  double keyed = 0, staggered = 0;       ///< predicted seconds of both orders; 0 if not applicable
  std::uint64_t messages = 0, bytes = 0; ///< of one execution, over all ranks
  double overlapLost = 0; ///< seconds of computation between sends that no longer overlap
};

/// The part of a plan for one number of ranks that belongs to message ordering.
struct PlannedOrders : PlanPartOf<PlannedOrders> {
  static constexpr std::string_view partName = "orders";
  std::vector<std::vector<RankSite>> ranks; ///< one list for each rank
};

/// What a site's plan says about its order.
struct SiteOrdering : PlanPartOf<SiteOrdering> {
  static constexpr std::string_view partName = "ordering of a site";
  std::vector<OrderingFigures> figures;
};

/// Figures as bytes. Reading throws FormatError.
void encodeFigures(ByteWriter &out, const OrderingFigures &figures);
OrderingFigures decodeFigures(ByteReader &in);

/// One rank's orders, likewise; `siteCount` is the number of sites of the plan.
std::string encodeOrders(const std::vector<RankSite> &rank);
std::vector<RankSite> decodeOrders(ByteReader &in, int rankCount, std::size_t siteCount);

} // namespace sendwright

#endif
