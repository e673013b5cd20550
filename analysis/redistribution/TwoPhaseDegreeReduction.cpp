// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/TwoPhaseDegreeReduction.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sendwright {

namespace {

class DegreeReduction {
public:
  DegreeReduction(const std::vector<Message> &messages, const std::vector<double> &costs,
                  bool localOnesToo, PaperReading reading)
      : messages(messages), costs(costs), reading(reading), left(messages.size()) {
    for (const Message &message : messages)
      ranks = std::max({ranks, message.source + 1, message.destination + 1});
    ports.resize(2 * static_cast<std::size_t>(ranks));
    for (std::uint32_t i = 0; i < messages.size(); ++i)
      if (localOnesToo || !messages[i].local())
        byCost.push_back(i);
    std::stable_sort(byCost.begin(), byCost.end(),
                     [&costs](std::uint32_t a, std::uint32_t b) { return costs[a] < costs[b]; });
    for (std::uint32_t message : byCost) {
      left[message] = true;
      for (std::size_t port : ends(message)) {
        ports[port].messages.push_back(message);
        ports[port].load += costs[message];
      }
    }
    for (std::size_t port = 0; port < ports.size(); ++port) {
      ports[port].degree = ports[port].messages.size();
      if (ports[port].degree >= ofDegree.size())
        ofDegree.resize(ports[port].degree + 1);
      ofDegree[ports[port].degree].push_back(port);
    }
  }

  StepSchedule run() {
    std::vector<std::vector<std::uint32_t>> reductions;
    for (std::size_t degree = ofDegree.size(); degree-- > 3;)
      for (std::vector<std::size_t> busiest; !(busiest = portsOfDegree(degree)).empty();)
        reductions.push_back(reductionStep(busiest));
    StepSchedule schedule;
    for (std::vector<std::uint32_t> &step : alternatingSteps())
      if (!step.empty())
        schedule.steps.push_back(std::move(step));
    // Later reductions are usually longer.
    schedule.steps.insert(schedule.steps.end(), reductions.rbegin(), reductions.rend());
    for (std::vector<std::uint32_t> &step : schedule.steps)
      std::sort(step.begin(), step.end());
    schedule.cost = scheduleCost(schedule.steps, costs);
    return schedule;
  }

private:
  struct Port {
    std::vector<std::uint32_t> messages; // cheapest first, including messages that are no longer
                                         // left
    std::size_t gone = 0;                // how many at the front are no longer left
    std::size_t degree = 0;              // number of messages left
    double load = 0;
    std::uint32_t usedIn = 0;      // the last step that uses the port
    std::uint32_t connectedIn = 0; // the last step that uses a port connected to this one by a
                                   // message still left
  };

  std::array<std::size_t, 2> ends(std::uint32_t message) const {
    return {static_cast<std::size_t>(messages[message].source),
            static_cast<std::size_t>(ranks + messages[message].destination)};
  }
  std::size_t otherEnd(std::uint32_t message, std::size_t port) const {
    const auto [sender, receiver] = ends(message);
    return port == sender ? receiver : sender;
  }

  /// Ports with this many messages left, by decreasing load.
  std::vector<std::size_t> portsOfDegree(std::size_t degree) {
    std::vector<std::size_t> &found = ofDegree[degree];
    std::erase_if(found, [&](std::size_t port) { return ports[port].degree != degree; });
    std::vector<std::size_t> busiest = found;
    std::sort(busiest.begin(), busiest.end(), [this](std::size_t a, std::size_t b) {
      return ports[a].load != ports[b].load ? ports[a].load > ports[b].load : a < b;
    });
    return busiest;
  }

  std::vector<std::uint32_t> reductionStep(const std::vector<std::size_t> &busiest) {
    ++stepNumber;
    step.clear();
    for (std::size_t port : busiest)
      if (ports[port].usedIn != stepNumber)
        takeSmallest(port);
    double length = 0;
    for (std::uint32_t message : step)
      length = std::max(length, costs[message]);
    joinOthers(length);
    for (std::uint32_t message : step)
      remove(message);
    return step;
  }

  void takeSmallest(std::size_t port) {
    Port &at = ports[port];
    while (at.gone < at.messages.size() && !left[at.messages[at.gone]])
      ++at.gone;
    const std::uint32_t *chosen = nullptr;
    const bool aware = reading == PaperReading::Figure && at.connectedIn != stepNumber;
    for (std::size_t i = at.gone; i < at.messages.size(); ++i) {
      const std::uint32_t message = at.messages[i];
      const Port &other = ports[otherEnd(message, port)];
      if (!left[message] || other.usedIn == stepNumber)
        continue;
      if (!chosen)
        chosen = &at.messages[i];
      if (!aware || other.connectedIn != stepNumber) {
        chosen = &at.messages[i];
        break;
      }
    }
    if (chosen)
      take(*chosen);
  }

  void take(std::uint32_t message) {
    step.push_back(message);
    for (std::size_t port : ends(message)) {
      ports[port].usedIn = stepNumber;
      if (reading == PaperReading::Figure)
        for (std::uint32_t neighbour : ports[port].messages)
          if (left[neighbour])
            ports[otherEnd(neighbour, port)].connectedIn = stepNumber;
    }
  }

  /// Adds shorter messages to the step, largest first.
  void joinOthers(double length) {
    std::erase_if(byCost, [this](std::uint32_t message) { return !left[message]; });
    const auto longer = [&](std::uint32_t message) {
      return reading == PaperReading::Figure ? costs[message] <= length : costs[message] < length;
    };
    auto at = std::partition_point(byCost.begin(), byCost.end(), longer);
    while (at != byCost.begin()) {
      const std::uint32_t message = *--at;
      const auto [sender, receiver] = ends(message);
      if (ports[sender].usedIn != stepNumber && ports[receiver].usedIn != stepNumber)
        take(message);
    }
  }

  void remove(std::uint32_t message) {
    left[message] = false;
    for (std::size_t port : ends(message)) {
      ports[port].load -= costs[message];
      ofDegree[--ports[port].degree].push_back(port);
    }
  }

  /// The remaining messages, in two steps.
  std::array<std::vector<std::uint32_t>, 2> alternatingSteps() {
    std::array<std::vector<std::uint32_t>, 2> steps;
    for (std::uint32_t start = 0; start < messages.size(); ++start) {
      if (!left[start])
        continue;
      std::array<std::vector<std::uint32_t>, 2> path;
      std::array<double, 2> longest{};
      std::vector<std::pair<std::uint32_t, int>> toVisit{{start, 0}};
      left[start] = false;
      while (!toVisit.empty()) {
        const auto [message, side] = toVisit.back();
        toVisit.pop_back();
        path[side].push_back(message);
        longest[side] = std::max(longest[side], costs[message]);
        for (std::size_t port : ends(message))
          for (std::uint32_t neighbour : ports[port].messages)
            if (left[neighbour]) {
              left[neighbour] = false;
              toVisit.emplace_back(neighbour, 1 - side);
            }
      }
      if (reading == PaperReading::Text && longest[1] > longest[0])
        std::swap(path[0], path[1]);
      for (int side : {0, 1})
        steps[side].insert(steps[side].end(), path[side].begin(), path[side].end());
    }
    return steps;
  }

  const std::vector<Message> &messages;
  const std::vector<double> &costs;
  PaperReading reading;
  int ranks = 0;
  std::vector<Port> ports;           // senders, then receivers
  std::vector<std::uint32_t> byCost; // cheapest first
  std::vector<char> left;            // by message: in no step yet
  std::vector<std::vector<std::size_t>> ofDegree;
  std::vector<std::uint32_t> step; // the step being made
  std::uint32_t stepNumber = 0;
};

} // namespace

StepSchedule reduceDegrees(const std::vector<Message> &messages, const std::vector<double> &costs,
                           bool localOnesToo, PaperReading reading) {
  return DegreeReduction(messages, costs, localOnesToo, reading).run();
}

} // namespace sendwright
