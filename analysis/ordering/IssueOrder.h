// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which a batch is issued: the plan's orders of one site, applied to the messages
// captured in this execution.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_ISSUEORDER_H
#define SENDWRIGHT_ANALYSIS_ORDERING_ISSUEORDER_H

#include "analysis/ordering/PlannedOrders.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

/// The order of one batch. `indices` belongs to IssueOrders and is valid until its next select().
struct IssueOrder {
  const std::vector<std::uint32_t> *indices = nullptr; ///< into the captured messages
  std::uint32_t window = 0;                            ///< messages in flight at once; 0: no limit
};

/// The orders of one site and one rank. Not thread-safe.
class IssueOrders {
public:
  /// No orders: as captured.
  IssueOrders() = default;
  explicit IssueOrders(const std::vector<SendOrder> &orders);
  /// By the distance from `rank` to the receiver, upwards and around: rank + 1 first, the rank
  /// itself last. `rank` is below `ranks`; `window` as in IssueOrder. It is the staggered order of
  /// the pattern in which everyone sends to everyone, and needs no plan.
  static IssueOrders fromNextRank(int rank, int ranks, std::uint32_t window);

  /// The order in which to issue messages to `destinations` (world ranks in the order of capture;
  /// -1 for a process without a world rank). Uses the plan's order with these destinations,
  /// otherwise its first order. The k-th occurrence of a rank in the order is the k-th message to
  /// that rank; messages that the order does not contain come last, as captured. So two messages to
  /// one rank never change places.
  ///
  /// Linear if the sequence was seen recently, else O(n log n + n log m) for an order of m. Throws
  /// std::bad_alloc.
  IssueOrder select(const std::vector<int> &destinations);

  bool empty() const { return orders.empty() && !byDistance; }

private:
  struct Place {
    int destination;
    std::uint32_t position;
    auto operator<=>(const Place &) const = default;
  };
  struct Order {
    std::vector<Place> places; ///< sorted by destination, then position
    std::uint32_t window;
  };
  struct Remembered {
    std::vector<int> destinations;
    std::vector<std::uint32_t> indices;
    std::uint32_t window = 0;
  };

  const Order &fitting(const std::vector<Place> &captured) const;
  void arrange(const std::vector<int> &destinations, Remembered &result) const;

  struct ByDistance {
    int rank, ranks;
    std::uint32_t window;
    void arrange(const std::vector<int> &destinations, std::vector<std::uint32_t> &position) const;
  };

  std::vector<Order> orders;
  std::optional<ByDistance> byDistance; ///< instead of orders
  std::vector<Remembered> remembered;   ///< the latest sequences, replaced in turn
  std::size_t replaceNext = 0;
};

} // namespace sendwright

#endif
