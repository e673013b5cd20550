// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/ChosenOrders.h"

#include "analysis/machine/MessageCost.h"
#include "analysis/ordering/DeadlineOrder.h"
#include "analysis/ordering/KeyedOrder.h"
#include "analysis/ordering/PortModel.h"
#include "analysis/ordering/PortSchedule.h"
#include "analysis/ordering/StaggeredOrder.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sendwright {

namespace {

/// What follows a pattern, by rank, in units of one send.
struct Keys {
  std::vector<double> key, busy;
  bool workDiffers = false;
};

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// `key` in sends, rounded: sums of the same times in another order must give the same key.
double withoutRoundingErrors(double key) { return std::round(key * 1e6) / 1e6; }

Keys keysOf(const Pattern &pattern, double unit, OrderKey kind) {
  std::vector<double> work, noise;
  double longestBusy = 0;
  for (const Tail &tail : pattern.tails)
    if (tail.phases > 0) {
      work.push_back(tail.work);
      noise.push_back(tail.noise);
      longestBusy = std::max(longestBusy, tail.busy);
    }
  Keys keys;
  keys.key.resize(pattern.tails.size());
  keys.busy.resize(pattern.tails.size());
  if (work.empty())
    return keys;
  const auto [least, most] = std::minmax_element(work.begin(), work.end());
  const double uncertainty = median(noise);
  keys.workDiffers = *most - *least > std::max(unit, 2 * uncertainty);
  double common = median(work);
  if (common < std::max(unit, 2 * uncertainty))
    common = 0;
  const bool busyCounts = longestBusy > std::max(unit, 2 * uncertainty);
  for (std::size_t rank = 0; rank < pattern.tails.size(); ++rank) {
    const Tail &tail = pattern.tails[rank];
    if (tail.phases == 0)
      continue;
    keys.key[rank] =
        withoutRoundingErrors(kind == OrderKey::CriticalPath
                                  ? tail.path / unit
                                  : (keys.workDiffers ? tail.work : common) / unit + tail.sends);
    keys.busy[rank] = busyCounts ? tail.busy / unit : 0;
  }
  return keys;
}

SendLists destinationsOf(const SizedLists &messages) {
  SendLists lists(messages.size());
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    for (const SizedMessage &message : messages[rank])
      lists[rank].push_back(message.destination);
  return lists;
}

/// The messages in the order of `lists`: the k-th entry of a destination is the k-th message to it.
SizedLists inOrder(const SizedLists &messages, const SendLists &lists) {
  SizedLists result(messages.size());
  for (std::size_t rank = 0; rank < messages.size(); ++rank) {
    std::map<int, std::vector<std::uint64_t>> bytes; // last message first
    for (auto message = messages[rank].rbegin(); message != messages[rank].rend(); ++message)
      bytes[message->destination].push_back(message->bytes);
    for (int destination : lists[rank]) {
      result[rank].push_back({destination, bytes[destination].back()});
      bytes[destination].pop_back();
    }
  }
  return result;
}

/// For each rank, the entries of its list with these indices.
SendLists picked(const SendLists &lists, const std::vector<std::vector<std::uint32_t>> &indices) {
  SendLists result(lists.size());
  for (std::size_t rank = 0; rank < lists.size(); ++rank)
    for (std::uint32_t index : indices[rank])
      result[rank].push_back(lists[rank][index]);
  return result;
}

/// A pattern for which an order is being chosen.
struct OrderedPattern {
  const Pattern *pattern;
  Keys keys;
  SendLists given, order;
  bool large = false; // order and figures rest on the port model
  bool staggered = false, asGiven = false;
};

class LoopDecider {
public:
  LoopDecider(const std::vector<Pattern> &patterns, const Machine &machine, OrderKey key,
              EqualOrders equal)
      : machine(machine), link(machine.between), unit(sendUnit(link)), kind(key), equal(equal) {
    costs = {link.L, std::max({link.o_send, link.o_recv, link.g}), link.G};
    for (const Pattern &pattern : patterns)
      candidates.push_back({&pattern,
                            keysOf(pattern, unit, key),
                            destinationsOf(pattern.given),
                            {},
                            false,
                            false,
                            false});
  }

  LoopOrdering run() {
    for (OrderedPattern &candidate : candidates)
      chooseKind(candidate);
    for (std::size_t rank = 0; !candidates.empty() && rank < candidates[0].given.size(); ++rank)
      orderRank(rank);
    for (OrderedPattern &candidate : candidates)
      judge(candidate);
    return std::move(result);
  }

private:
  /// Chooses by key or staggered; this is the pattern's own order, before it is joined with
  /// patterns that the runtime cannot tell from it.
  void chooseKind(OrderedPattern &candidate) {
    const Pattern &pattern = *candidate.pattern;
    const double messages = static_cast<double>(std::max<std::uint64_t>(pattern.messages, 1));
    const double onTheLink = link.G * static_cast<double>(pattern.bytes) / messages;
    const double mean = static_cast<double>(pattern.bytes) / messages;
    // A send that waits for its receiver also waits for earlier sends to it, however short they
    // are.
    candidate.large = onTheLink > link.L + link.o_send + link.o_recv ||
                      (mean > link.eager_limit && onTheLink > messageCost(link, mean).send);

    const SendLists keyed = byKey(candidate, onTheLink / unit);
    const SendLists staggered = stagger(candidate);
    OrderingFigures figures;
    figures.keyed = predict(candidate, keyed);
    figures.staggered = predict(candidate, staggered);
    candidate.staggered = candidate.large && figures.staggered <= figures.keyed;
    candidate.order = candidate.staggered ? staggered : keyed;
    if (candidate.large &&
        predict(candidate, candidate.given) <= std::min(figures.keyed, figures.staggered)) {
      candidate.staggered = false;
      candidate.asGiven = true;
      candidate.order = candidate.given;
    }
    result.figures.push_back(figures);
  }

  /// The best order by key, or one that is as good.
  SendLists byKey(const OrderedPattern &candidate, double occupation) const {
    const auto &[key, busy, workDiffers] = candidate.keys;
    SendLists keyed = orderByKey(candidate.given, key, KeyOrder::Descending);
    if (candidate.large || equal == EqualOrders::Descending)
      return keyed;
    if (equal == EqualOrders::Given &&
        completion(candidate.given, key, busy) <= completion(keyed, key, busy))
      return candidate.given;
    return orderByDeadline(candidate.given, key, busy, occupation);
  }

  /// In rounds; or, if sizes differ, by a list schedule of the ports if that is faster.
  SendLists stagger(const OrderedPattern &candidate) const {
    const SizedLists &messages = candidate.pattern->given;
    const std::vector<double> tail = tailSeconds(candidate);
    const SendLists rounds = picked(candidate.given, staggerMessages(messages, tail).order);
    const SendLists schedule = picked(candidate.given, schedulePorts(messages, tail, costs));
    return predict(candidate, schedule) < predict(candidate, rounds) ? schedule : rounds;
  }

  double predict(const OrderedPattern &candidate, const SendLists &lists) const {
    return portCompletion(inOrder(candidate.pattern->given, lists), tailSeconds(candidate), costs);
  }

  /// The program as it is: messages that nobody waits for collide at their receivers.
  double predictGiven(const OrderedPattern &candidate) const {
    const double inOrder = predict(candidate, candidate.given);
    if (!candidate.pattern->allAtOnce)
      return inOrder;
    return std::max(inOrder, incastCompletion(candidate.pattern->given, tailSeconds(candidate),
                                              costs, [&](std::size_t senders, double bytes) {
                                                return incastFactor(senders, bytes);
                                              }));
  }

  /// The largest factor measured with at most this many senders and bytes; 1 without measurements.
  double incastFactor(std::size_t senders, double bytes) const {
    double factor = 1;
    for (const IncastRow &row : machine.incast)
      if (static_cast<std::size_t>(row.senders) <= senders && row.bytes <= bytes)
        factor = std::max(factor, row.factor);
    return factor;
  }

  /// What follows at each rank; its later messages count with their lengths.
  std::vector<double> tailSeconds(const OrderedPattern &candidate) const {
    std::vector<double> seconds = candidate.keys.key;
    for (std::size_t rank = 0; rank < seconds.size(); ++rank)
      seconds[rank] = seconds[rank] * unit + candidate.pattern->tails[rank].bytes * link.G;
    return seconds;
  }

  /// The orders of one rank: patterns that the runtime cannot tell apart get one order.
  void orderRank(std::size_t rank) {
    std::map<std::vector<int>, std::vector<OrderedPattern *>> byDestinations;
    std::vector<const std::vector<int> *> frequency; // keys of the map, most frequent first
    for (OrderedPattern &candidate : candidates) {
      if (candidate.given[rank].empty())
        continue;
      std::vector<int> destinations = candidate.given[rank];
      std::sort(destinations.begin(), destinations.end());
      auto [found, isNew] = byDestinations.try_emplace(std::move(destinations));
      if (isNew)
        frequency.push_back(&found->first);
      found->second.push_back(&candidate);
    }
    std::vector<SendOrder> orders;
    orders.reserve(frequency.size());
    for (const std::vector<int> *destinations : frequency)
      orders.push_back(oneOrder(rank, byDestinations[*destinations]));
    std::stable_sort(orders.begin(), orders.end(), [](const SendOrder &a, const SendOrder &b) {
      return a.instances > b.instances;
    });
    result.orders.push_back(std::move(orders));
  }

  SendOrder oneOrder(std::size_t rank, const std::vector<OrderedPattern *> &alike) const {
    SendOrder order;
    std::uint64_t heaviest = 0;
    const OrderedPattern *leading = alike[0];
    for (const OrderedPattern *candidate : alike) {
      order.instances += candidate->pattern->phases;
      const std::uint64_t weight = candidate->pattern->phases * candidate->pattern->bytes;
      if (weight > heaviest) {
        heaviest = weight;
        leading = candidate;
      }
    }
    order.window = leading->large ? 1 : 0;
    order.destinations = leading->order[rank];
    if (alike.size() > 1 && !leading->staggered && !leading->asGiven) {
      SendLists list{leading->given[rank]};
      std::vector<double> key(leading->keys.key.size());
      for (const OrderedPattern *candidate : alike)
        for (std::size_t other = 0; other < key.size(); ++other)
          key[other] +=
              static_cast<double>(candidate->pattern->phases) * candidate->keys.key[other];
      order.destinations = orderByKey(list, key, KeyOrder::Descending)[0];
    }
    for (OrderedPattern *candidate : alike)
      candidate->order[rank] = order.destinations;
    return order;
  }

  /// The figures of one pattern in its chosen order.
  void judge(const OrderedPattern &candidate) {
    const Pattern &pattern = *candidate.pattern;
    OrderingFigures &figures =
        result.figures[static_cast<std::size_t>(&candidate - &candidates[0])];
    figures.phase = describe(pattern);
    figures.unit = unit;
    figures.messages = pattern.messages;
    figures.bytes = pattern.bytes;
    figures.overlapLost = pattern.computation;
    figures.window = candidate.large ? 1 : 0;
    const std::vector<double> &keys = candidate.keys.key;
    const SendLists worst = orderByKey(candidate.given, keys, KeyOrder::Ascending);
    if (candidate.large) {
      figures.given = predictGiven(candidate);
      figures.planned = predict(candidate, candidate.order);
      figures.worst = std::max({predict(candidate, worst), figures.given, figures.planned});
      figures.lowerBound = portLowerBound(pattern.given, tailSeconds(candidate), costs);
    } else {
      const std::vector<double> &busy = candidate.keys.busy;
      figures.given = unit * completion(candidate.given, keys, busy);
      figures.planned = unit * completion(candidate.order, keys, busy);
      figures.worst = unit * completion(worst, keys, busy);
      figures.lowerBound = unit * lowerBound(candidate.given, keys, busy);
    }
    figures.key = candidate.staggered ? std::string(staggeredKey)
                  : candidate.asGiven ? "as given"
                                      : nameKey(candidate);
    figures.reason = explain(candidate, figures);
    const auto phases = static_cast<double>(pattern.phases);
    result.given += phases * figures.given;
    result.planned += phases * figures.planned;
    result.overlapLost += phases * figures.overlapLost;
    result.phases += pattern.phases;
  }

  static std::string describe(const Pattern &pattern) {
    double sends = 0;
    for (const Tail &tail : pattern.tails)
      sends = std::max(sends, tail.sends);
    std::size_t least = pattern.given.empty() ? 0 : pattern.given[0].size(), most = 0;
    for (const std::vector<SizedMessage> &list : pattern.given) {
      least = std::min(least, list.size());
      most = std::max(most, list.size());
    }
    const char *kind = sends > 0         ? "pre-communication"
                       : pattern.follows ? "post-communication"
                                         : "communication";
    return std::string(kind) + ", " + std::to_string(least) + " to " + std::to_string(most) +
           " sends a rank, " + std::to_string(pattern.messages) + " messages";
  }

  std::string nameKey(const OrderedPattern &candidate) const {
    if (kind == OrderKey::CriticalPath)
      return "critical path that follows";
    double sends = 0;
    for (const Tail &tail : candidate.pattern->tails)
      sends = std::max(sends, tail.sends);
    if (sends > 0)
      return candidate.keys.workDiffers ? "work + sends that follow" : "sends that follow";
    return candidate.keys.workDiffers ? "work that follows" : "nothing follows";
  }

  std::string explain(const OrderedPattern &candidate, const OrderingFigures &figures) const {
    const Pattern &pattern = *candidate.pattern;
    const auto mean =
        std::to_string(pattern.bytes / std::max<std::uint64_t>(pattern.messages, 1)) + " bytes";
    if (!candidate.large)
      return "messages of " + mean + " occupy a link for less than their latency and overheads";
    if (candidate.asGiven)
      return "messages of " + mean + ": no order is predicted to be faster than the one given";
    if (candidate.staggered)
      return "messages of " + mean + " to one receiver share its link: one at a time for each rank";
    return "messages of " + mean + ", but the staggered order is predicted to take " +
           std::to_string(figures.staggered) + " s instead of " + std::to_string(figures.keyed) +
           " s";
  }

  const Machine &machine;
  LinkParameters link;
  double unit;
  OrderKey kind;
  EqualOrders equal;
  PortCosts costs;
  std::vector<OrderedPattern> candidates;
  LoopOrdering result;
};

} // namespace

LoopOrdering chooseOrders(const std::vector<Pattern> &patterns, const Machine &machine,
                          OrderKey key, EqualOrders equal) {
  return LoopDecider(patterns, machine, key, equal).run();
}

} // namespace sendwright
