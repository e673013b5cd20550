// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs repeat themselves: the last few sequences of destinations are kept with their
// permutations, so that in the steady state a batch costs one comparison of the sequence.

#include "analysis/ordering/IssueOrder.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sendwright {

namespace {
constexpr std::size_t rememberedSequences = 8;
constexpr std::uint32_t unplanned = std::numeric_limits<std::uint32_t>::max();
} // namespace

IssueOrders::IssueOrders(const std::vector<SendOrder> &plan) {
  for (const SendOrder &order : plan) {
    Order &added = orders.emplace_back();
    added.window = order.window;
    for (std::uint32_t position = 0; position < order.destinations.size(); ++position)
      added.places.push_back({order.destinations[position], position});
    std::ranges::sort(added.places);
  }
}

IssueOrders IssueOrders::fromNextRank(int rank, int ranks, std::uint32_t window) {
  IssueOrders made;
  made.byDistance = {rank, ranks, window};
  return made;
}

IssueOrder IssueOrders::select(const std::vector<int> &destinations) {
  for (const Remembered &sequence : remembered)
    if (sequence.destinations == destinations)
      return {&sequence.indices, sequence.window};
  Remembered fresh;
  arrange(destinations, fresh);
  if (remembered.size() < rememberedSequences) {
    remembered.push_back(std::move(fresh));
    return {&remembered.back().indices, remembered.back().window};
  }
  Remembered &replaced = remembered[replaceNext++ % rememberedSequences];
  replaced = std::move(fresh);
  return {&replaced.indices, replaced.window};
}

/// The order whose destinations are the captured destinations (both sorted), otherwise the first.
const IssueOrders::Order &IssueOrders::fitting(const std::vector<Place> &captured) const {
  auto fits = [&](const Order &order) {
    return std::ranges::equal(order.places, captured, {}, &Place::destination, &Place::destination);
  };
  auto found = std::ranges::find_if(orders, fits);
  return found == orders.end() ? orders.front() : *found;
}

void IssueOrders::ByDistance::arrange(const std::vector<int> &destinations,
                                      std::vector<std::uint32_t> &position) const {
  for (std::size_t index = 0; index < destinations.size(); ++index)
    if (const int destination = destinations[index]; destination >= 0 && destination < ranks)
      position[index] = static_cast<std::uint32_t>((destination - rank + ranks - 1) % ranks);
}

void IssueOrders::arrange(const std::vector<int> &destinations, Remembered &result) const {
  result.destinations = destinations;
  std::vector<Place> captured(destinations.size());
  for (std::uint32_t index = 0; index < destinations.size(); ++index)
    captured[index] = {destinations[index], index};
  std::ranges::sort(captured);

  std::vector<std::uint32_t> position(destinations.size(), unplanned);
  if (byDistance) {
    byDistance->arrange(destinations, position);
    result.window = byDistance->window;
  } else if (!orders.empty()) {
    const Order &order = fitting(captured);
    result.window = order.window;
    auto place = order.places.begin();
    for (auto &[destination, index] : captured) {
      if (destination < 0)
        continue;
      place = std::lower_bound(place, order.places.end(), Place{destination, 0});
      if (place == order.places.end() || place->destination != destination)
        continue;
      position[index] = place->position;
      ++place; // the next message to this destination takes the next occurrence, if there is one
    }
  }
  result.indices.resize(destinations.size());
  for (std::uint32_t index = 0; index < result.indices.size(); ++index)
    result.indices[index] = index;
  std::ranges::sort(result.indices, {},
                    [&](std::uint32_t index) { return std::pair(position[index], index); });
}

} // namespace sendwright
