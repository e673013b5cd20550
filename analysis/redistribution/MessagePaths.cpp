// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/MessagePaths.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>

namespace sendwright {

namespace {

constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();

} // namespace

/// Finds the paths. Ports are numbered senders first.
class MessagePaths::Builder {
public:
  Builder(MessagePaths &paths, const std::vector<Message> &messages,
          const std::vector<std::uint32_t> &wanted)
      : result(paths), messages(messages), wanted(wanted) {
    for (std::uint32_t message : wanted)
      ranks = std::max({ranks, messages[message].source + 1, messages[message].destination + 1});
    all.resize(2 * static_cast<std::size_t>(ranks));
  }

  void build() {
    // Costliest first, so that every port gets its messages in this order.
    std::vector<std::uint32_t> byCost = wanted;
    std::stable_sort(byCost.begin(), byCost.end(), [this](std::uint32_t a, std::uint32_t b) {
      return result.valueOf[a] < result.valueOf[b];
    });
    for (std::uint32_t message : byCost)
      for (std::size_t port : {sender(message), receiver(message)})
        ++all[port].degree;
    for (std::uint32_t message : byCost)
      addToPorts(message);
    result.leaves.reserve(wanted.size());
    for (std::size_t port = 0; port < all.size(); ++port)
      if (!all[port].done && all[port].degree > 0 && all[port].innerCount < 2)
        addPath(port);
    if (result.inner.size() + result.leaves.size() != wanted.size())
      throw std::invalid_argument("messages in a circle, expected those of two gen_blocks");
  }

private:
  struct FullPort {
    std::uint32_t degree = 0, seen = 0, innerCount = 0;
    std::uint32_t inner[2] = {0, 0};
    std::vector<std::uint32_t> leaves;
    bool done = false;
  };

  std::size_t sender(std::uint32_t message) const {
    return static_cast<std::size_t>(messages[message].source);
  }
  std::size_t receiver(std::uint32_t message) const {
    return static_cast<std::size_t>(ranks) +
           static_cast<std::size_t>(messages[message].destination);
  }

  void addToPorts(std::uint32_t message) {
    FullPort &from = all[sender(message)], &to = all[receiver(message)];
    for (FullPort *port : {&from, &to}) {
      if (port->seen == result.bound.size())
        result.bound.push_back(result.valueOf[message]);
      std::uint32_t &least = result.bound[port->seen++];
      least = std::min(least, result.valueOf[message]);
    }
    if (from.degree == 1 || to.degree == 1) {
      (to.degree > 1 ? to : from).leaves.push_back(message);
      return;
    }
    for (FullPort *port : {&from, &to}) {
      if (port->innerCount == 2)
        throw std::invalid_argument("a port with three inner messages, expected those of two "
                                    "gen_blocks");
      port->inner[port->innerCount++] = message;
    }
  }

  /// The path that begins at a port with at most one inner message.
  void addPath(std::size_t port) {
    Path path{static_cast<std::uint32_t>(result.ports.size()),
              static_cast<std::uint32_t>(result.inner.size()), 0};
    // The port's only message is a leaf at its other end: nothing is left.
    if (all[port].innerCount == 0 && all[port].leaves.empty())
      return;
    bool first = true;
    for (std::uint32_t last = 0;; first = false) {
      FullPort &at = all[port];
      at.done = true;
      result.ports.push_back({static_cast<std::uint32_t>(result.leaves.size()),
                              static_cast<std::uint32_t>(at.leaves.size())});
      result.leaves.insert(result.leaves.end(), at.leaves.begin(), at.leaves.end());
      if (at.innerCount < (first ? 1U : 2U))
        break;
      last = at.inner[!first && at.inner[0] == last];
      result.inner.push_back(last);
      ++path.inner;
      port = port == sender(last) ? receiver(last) : sender(last);
    }
    result.paths.push_back(path);
  }

  MessagePaths &result;
  const std::vector<Message> &messages;
  const std::vector<std::uint32_t> &wanted;
  int ranks = 0;
  std::vector<FullPort> all;
};

MessagePaths::MessagePaths(const std::vector<Message> &messages,
                           const std::vector<std::uint32_t> &wanted,
                           const std::vector<double> &costs)
    : valueOf(messages.size()) {
  for (std::uint32_t message : wanted)
    costValues.push_back(costs[message]);
  std::sort(costValues.begin(), costValues.end(), std::greater<>());
  costValues.erase(std::unique(costValues.begin(), costValues.end()), costValues.end());
  for (std::uint32_t message : wanted)
    valueOf[message] = static_cast<std::uint32_t>(
        std::lower_bound(costValues.begin(), costValues.end(), costs[message], std::greater<>()) -
        costValues.begin());
  costValues.push_back(0);
  Builder(*this, messages, wanted).build();
}

double MessagePaths::cost(const StepLengths &lengths) const {
  double sum = 0;
  for (std::uint32_t length : lengths)
    sum += costValues[length];
  return sum;
}

MessagePaths::StepCounts MessagePaths::countSteps(const StepLengths &lengths) const {
  StepCounts counts(costValues.size());
  std::size_t step = 0;
  for (std::size_t value = 0; value < counts.size(); ++value) {
    while (step < lengths.size() && lengths[step] <= value)
      ++step;
    counts[value] = static_cast<std::int32_t>(step);
  }
  return counts;
}

MessagePaths::Thresholds MessagePaths::thresholds(const Port &port,
                                                  const StepCounts &counts) const {
  Thresholds result;
  const std::uint32_t *leaf = leaves.data() + port.firstLeaf;
  for (std::int32_t j = 1; j <= static_cast<std::int32_t>(port.leafCount); ++j, ++leaf) {
    const std::int32_t steps = counts[valueOf[*leaf]];
    if (steps - j > 1)
      continue;
    result.one = steps; // larger leaves come first, so `steps` never falls
    if (steps <= j)
      result.both = steps < j ? never : steps;
  }
  return result;
}

MessagePaths::Choice MessagePaths::restricted(Choice choice, std::int32_t low) {
  choice.low = std::max(choice.low, low);
  return choice;
}

/// The possible steps of the inner message on the other side of a port.
MessagePaths::Choice MessagePaths::following(Choice last, const Thresholds &port,
                                             std::int32_t high) {
  last = restricted(last, port.both);
  if (last.empty())
    return {};
  if (last.largest() <= port.one)
    return {std::max(port.both, port.one), high, 0};
  const bool single = last.high - last.low - (last.hole > last.low && last.hole <= last.high) == 1;
  return {port.both, high, single ? last.low + 1 + (last.hole == last.low + 1) : 0};
}

/// Where the walk along a path gets stuck: inner messages (counted from 1) that have no step, and
/// the number after the last for the port at the end. After such a place the walk goes on as if the
/// path began there.
std::vector<std::uint32_t> MessagePaths::walk(const Path &path, const StepCounts &counts,
                                              std::vector<Choice> *choices) const {
  std::vector<std::uint32_t> stuck;
  const Port *port = ports.data() + path.firstPort;
  const std::uint32_t *message = inner.data() + path.firstInner;
  Choice choice;
  for (std::uint32_t i = 1; i <= path.inner; ++i, ++port, ++message) {
    const Thresholds limits = thresholds(*port, counts);
    const std::int32_t steps = counts[valueOf[*message]];
    choice = i == 1 ? Choice{limits.both, steps, 0} : following(choice, limits, steps);
    if (choice.empty()) {
      stuck.push_back(i);
      choice = {0, steps, 0};
    }
    if (choices)
      choices->push_back(choice);
  }
  const Thresholds limits = thresholds(*port, counts);
  if (path.inner == 0 ? limits.both == never : restricted(choice, limits.both).empty())
    stuck.push_back(path.inner + 1);
  return stuck;
}

/// The shortest piece that ends where the walk got stuck and has no solution by itself, found by
/// walking back.
MessagePaths::Piece MessagePaths::pieceBefore(const Path &path, const StepCounts &counts,
                                              std::uint32_t end) const {
  const auto limits = [&](std::uint32_t i) {
    return thresholds(ports[path.firstPort + i], counts);
  };
  const auto steps = [&](std::uint32_t i) {
    return counts[valueOf[inner[path.firstInner + i - 1]]];
  };
  const bool atEnd = end > path.inner;
  const std::uint32_t last = atEnd ? path.inner : end;
  Piece piece{last, last, atEnd ? last : last - 1, atEnd ? last : last - 1};
  if (path.inner == 0)
    return piece;
  Choice choice{atEnd ? limits(last).both : 0, steps(last), 0};
  for (std::uint32_t at = last; !choice.empty();) {
    piece.firstPort = --at;
    if (at == 0)
      break; // the leaves at the beginning leave no step, as the walk found
    piece.firstInner = at;
    choice = following(choice, limits(at), steps(at));
  }
  return piece;
}

/// Leaves take any free step that they may use; leaves with the fewest choices go first. The steps
/// that leaves may use are prefixes, so no leaf takes a step that a later leaf needs.
void MessagePaths::assignLeaves(const Port &port, const StepCounts &counts, std::int32_t before,
                                std::int32_t after,
                                std::vector<std::vector<std::uint32_t>> &schedule) const {
  std::int32_t step = 1;
  for (std::uint32_t j = 0; j < port.leafCount; ++j, ++step) {
    while (step == before || step == after)
      ++step;
    const std::uint32_t leaf = leaves[port.firstLeaf + j];
    if (step > counts[valueOf[leaf]])
      throw std::logic_error("step lengths that do not suffice");
    schedule[static_cast<std::size_t>(step - 1)].push_back(leaf);
  }
}

/// Chooses the steps of the inner messages from the end of the path backwards.
void MessagePaths::assignPath(const Path &path, const StepCounts &counts,
                              std::vector<std::vector<std::uint32_t>> &schedule) const {
  std::vector<Choice> choices;
  if (!walk(path, counts, &choices).empty())
    throw std::logic_error("step lengths that do not suffice");
  std::int32_t after = 0; // of the following inner message
  for (std::uint32_t i = path.inner; i > 0; --i) {
    const Port &port = ports[path.firstPort + i];
    const Thresholds limits = thresholds(port, counts);
    Choice choice = restricted(choices[i - 1], limits.both);
    std::int32_t step = choice.largest();
    if (i < path.inner && step == after) { // the next lower step is enough: here `after` >
                                           // limits.one
      --step;
      step -= step == choice.hole;
    }
    assignLeaves(port, counts, step, after, schedule);
    schedule[static_cast<std::size_t>(step - 1)].push_back(inner[path.firstInner + i - 1]);
    after = step;
  }
  assignLeaves(ports[path.firstPort], counts, after, 0, schedule);
}

std::vector<std::vector<std::uint32_t>> MessagePaths::assign(const StepLengths &lengths) const {
  std::vector<std::vector<std::uint32_t>> schedule(lengths.size());
  const StepCounts counts = countSteps(lengths);
  for (const Path &path : paths)
    assignPath(path, counts, schedule);
  for (std::vector<std::uint32_t> &step : schedule)
    std::sort(step.begin(), step.end());
  return schedule;
}

} // namespace sendwright
