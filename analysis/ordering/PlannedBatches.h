// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batches of one rank that a plan orders or shares, one after another.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_PLANNEDBATCHES_H
#define SENDWRIGHT_ANALYSIS_ORDERING_PLANNEDBATCHES_H

#include "analysis/ordering/IssueOrder.h"
#include "analysis/run/SendLoops.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace sendwright {

/// A message that waits for its batch to be issued.
struct HeldMessage {
  std::uint32_t message = 0;
  std::size_t position = 0; ///< of the send in the rank's timeline
  int destination = 0;
};

class PlannedBatches {
public:
  static constexpr std::uint32_t notShared = UINT32_MAX;

  /// `loops` and `orders` may be null: no batches. `loops` must outlive this object. `planned` maps
  /// sites of the profile to sites of the plan, `shared` maps them to numbers of exchanges.
  PlannedBatches(const RankBatches *loops, const PlannedOrders *orders,
                 const std::map<int, std::uint32_t> &planned,
                 const std::map<int, std::uint32_t> &shared, std::size_t rank)
      : batches(loops) {
    if (!loops || !orders)
      return;
    exchanges = shared;
    for (const auto &[site, number] : planned)
      if (const RankSite *own = ordersOf(*orders, rank, number); own && !shared.contains(site))
        ordered.try_emplace(site, own->orders);
    skipUnplanned();
  }

  /// True if the send at this position of the timeline belongs to the batch that is being held.
  bool holds(std::size_t position) const {
    return batch() && next < batch()->end && batches->sends[next] == position;
  }
  void hold(HeldMessage send) {
    held.push_back(send);
    ++next;
  }
  /// Leaves a send to others: the batch is shared, or the plan lacks its message.
  void pass() { ++next; }

  /// The exchange that the current batch is an instance of.
  std::uint32_t exchange() const {
    const auto found = batch() ? exchanges.find(batch()->site) : exchanges.end();
    return found == exchanges.end() ? notShared : found->second;
  }

  /// True if the current batch ends here.
  bool isIssuedAt(std::size_t position) const {
    return batch() && next > batch()->first && batch()->issued == position;
  }
  /// Goes on to the next batch.
  void finish() {
    held.clear();
    ++current;
    skipUnplanned();
  }

  /// The held messages in the plan's order, and how many may be in flight (0: no limit). Goes on to
  /// the next batch.
  std::vector<HeldMessage> issue(std::uint32_t &window) {
    std::vector<HeldMessage> messages;
    std::vector<int> destinations;
    destinations.reserve(held.size());
    messages.reserve(held.size());
    for (const HeldMessage &send : held)
      destinations.push_back(send.destination);
    window = 0;
    if (held.size() > 1) {
      const IssueOrder order = ordered.at(batch()->site).select(destinations);
      window = order.window;
      for (std::uint32_t index : *order.indices)
        messages.push_back(held[index]);
    } else {
      messages = held;
    }
    finish();
    return messages;
  }

private:
  static const RankSite *ordersOf(const PlannedOrders &orders, std::size_t rank,
                                  std::uint32_t number) {
    if (rank >= orders.ranks.size())
      return nullptr;
    for (const RankSite &site : orders.ranks[rank])
      if (site.site == number && !site.orders.empty())
        return &site;
    return nullptr;
  }

  const RecordedBatch *batch() const {
    return batches && current < batches->batches.size() ? &batches->batches[current] : nullptr;
  }

  void skipUnplanned() {
    while (batch() && !ordered.contains(batch()->site) && !exchanges.contains(batch()->site))
      ++current;
    if (batch())
      next = batch()->first;
  }

  const RankBatches *batches;
  std::map<int, IssueOrders> ordered; // by site of the profile, like `exchanges`
  std::map<int, std::uint32_t> exchanges;
  std::vector<HeldMessage> held;
  std::size_t current = 0; // batch
  std::size_t next = 0;    // index of the next send of the batch
};

} // namespace sendwright

#endif
