// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batches of one rank that a plan orders, one after another.

#ifndef SENDWRIGHT_ANALYSIS_COST_PLANNEDBATCHES_H
#define SENDWRIGHT_ANALYSIS_COST_PLANNEDBATCHES_H

#include "analysis/plan/IssueOrder.h"
#include "analysis/plan/SendLoops.h"

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
  /// `loops` may be null: no batches. It must outlive this.
  PlannedBatches(const Profile &profile, const RankBatches *loops, const RankCountPlan *plan,
                 std::size_t rank)
      : batches(loops) {
    if (!loops || !plan || rank >= plan->ranks.size())
      return;
    for (const RankSite &planned : plan->ranks[rank])
      for (std::size_t site = 0; site < profile.sites.size(); ++site)
        if (!planned.orders.empty() && plan->sites[planned.site].decision == Decision::Rewrite &&
            plan->sites[planned.site].site.sameAs(profile.sites[site]))
          orders.try_emplace(static_cast<int>(site), planned.orders);
    skipUnplanned();
  }

  /// True when the send at this position of the timeline is one of the batch that is being held.
  bool holds(std::size_t position) const {
    return batch() && next < batch()->end && batches->sends[next] == position;
  }
  void hold(HeldMessage send) {
    held.push_back(send);
    ++next;
  }

  /// True when messages are held and leave here.
  bool isIssuedAt(std::size_t position) const {
    return batch() && !held.empty() && batch()->issued == position;
  }

  /// The held messages in the plan's order, and how many may be in flight (0: no limit). The next
  /// batch begins.
  std::vector<HeldMessage> issue(std::uint32_t &window) {
    std::vector<HeldMessage> ordered;
    std::vector<int> destinations;
    destinations.reserve(held.size());
    ordered.reserve(held.size());
    for (const HeldMessage &send : held)
      destinations.push_back(send.destination);
    window = 0;
    if (held.size() > 1) {
      const IssueOrder order = orders.at(batch()->site).select(destinations);
      window = order.window;
      for (std::uint32_t index : *order.indices)
        ordered.push_back(held[index]);
    } else {
      ordered = held;
    }
    held.clear();
    ++current;
    skipUnplanned();
    return ordered;
  }

private:
  const Batch *batch() const {
    return batches && current < batches->batches.size() ? &batches->batches[current] : nullptr;
  }

  void skipUnplanned() {
    while (batch() && !orders.count(batch()->site))
      ++current;
    if (batch())
      next = batch()->first;
  }

  const RankBatches *batches;
  std::map<int, IssueOrders> orders; // by site of the profile
  std::vector<HeldMessage> held;
  std::size_t current = 0; // batch
  std::size_t next = 0;    // of its sends
};

} // namespace sendwright

#endif
