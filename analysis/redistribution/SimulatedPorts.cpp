// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/SimulatedPorts.h"

#include "analysis/machine/MessageCost.h"
#include "analysis/machine/MessageSimulation.h"
#include "analysis/redistribution/MovementProtocol.h"
#include "analysis/redistribution/Redistributions.h"
#include "analysis/run/Timeline.h"
#include "analysis/simulation/CollectiveCalls.h"
#include "analysis/simulation/StartCost.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace sendwright {

namespace {

/// Collects uses of ports; chunks of one message that follow one another are one use.
class PortLog {
public:
  explicit PortLog(std::size_t ranks) : last{std::vector<std::size_t>(ranks, none), {}} {
    last[1] = last[0];
  }

  /// A message between two ranks whose last byte leaves and arrives at these times.
  void add(std::uint32_t message, const Message &ends, const MessageCost &cost, double leaves,
           double arrives) {
    add({message, false, leaves - cost.stream, leaves}, static_cast<std::size_t>(ends.source),
        cost.gap);
    add({message, true, arrives - cost.stream, arrives}, static_cast<std::size_t>(ends.destination),
        cost.gap);
  }

  std::vector<PortUse> take() { return std::move(uses); }

private:
  static constexpr std::size_t none = SIZE_MAX;

  void add(const PortUse &use, std::size_t rank, double gap) {
    std::size_t &before = last[use.isReceive ? 1 : 0][rank];
    constexpr double rounding = 1e-9; // of a use
    if (before != none && uses[before].message == use.message &&
        use.begin <= uses[before].end + gap + rounding * use.end) {
      uses[before].end = std::max(uses[before].end, use.end);
      return;
    }
    before = uses.size();
    uses.push_back(use);
  }

  std::vector<std::size_t> last[2]; // by rank: its last use
  std::vector<PortUse> uses;
};

/// A run in which ranks redistribute once and do nothing else.
Profile redistributionAlone(const MovedElements &moved, const PortOrders &orders) {
  Profile profile;
  profile.ranks.resize(static_cast<std::size_t>(moved.ranks));
  std::vector<int> everyone(profile.ranks.size());
  std::iota(everyone.begin(), everyone.end(), 0);
  const RankList members(everyone);
  for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank) {
    Event event;
    event.kind = EventKind::Redistribution;
    const auto list = [&](const std::vector<std::uint32_t> &order, bool received) {
      for (const std::uint32_t number : order) {
        const Message &message = moved.messages[number];
        event.moved.push_back({received ? message.source : message.destination, received,
                               static_cast<std::uint64_t>(message.elements) * moved.bytesOfElement,
                               directChunkBytes});
      }
    };
    list(orders.send[rank], false);
    list(orders.receive[rank], true);
    RankProfile &made = profile.ranks[rank];
    made.events.push_back(std::move(event));
    made.communicators.push_back({members, 0, false});
    GrammarBuilder sequence;
    sequence.append(0);
    made.sequence = sequence.grammar();
  }
  return profile;
}

} // namespace

SimulatedPorts simulatePorts(const MovedElements &moved, const PortOrders &orders,
                             const Machine &machine, RedistributionMethod method) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < moved.messages.size(); ++number)
    numbers[{static_cast<std::uint32_t>(moved.messages[number].source),
             static_cast<std::uint32_t>(moved.messages[number].destination)}] = number;
  const Profile profile = redistributionAlone(moved, orders);
  const auto ranks = static_cast<std::uint32_t>(profile.ranks.size());
  const Timeline timeline = unroll(profile, ranks);
  const CollectiveCalls calls(timeline, machine);
  MessageSimulation simulation(machine, ranks);
  Redistributions redistributions(timeline, machine, calls, method, simulation);
  // Ranks that enter make a communicator first.
  const double begin = communicatorSeconds(machine, ranks);
  std::fill(simulation.clock.begin(), simulation.clock.end(), -begin);
  PortLog log(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    redistributions.enter(rank, 0);
  simulation.run([&](std::uint32_t rank, std::uint32_t message) {
    if (!redistributions.isPart(message))
      return;
    if (const auto transfer = redistributions.movedBy(message); transfer && transfer->to == rank) {
      const std::uint32_t number = numbers.at({transfer->from, transfer->to});
      log.add(number, moved.messages[number],
              messageCost(linkBetween(machine, transfer->from, transfer->to),
                          static_cast<double>(transfer->bytes)),
              simulation.leaves(message), simulation.arrives(message));
    }
    redistributions.proceed(rank, message);
  });
  return {std::max(0.0, *std::max_element(simulation.clock.begin(), simulation.clock.end())),
          log.take()};
}

SimulatedPorts simulatePorts(const MovedElements &moved, const StepSchedule &schedule,
                             const Machine &machine) {
  MessageSimulation simulation(machine, static_cast<std::size_t>(moved.ranks));
  std::vector<double> &clock = simulation.clock;
  PortLog log(clock.size());
  for (const std::vector<std::uint32_t> &step : schedule.steps) {
    std::fill(clock.begin(), clock.end(), *std::max_element(clock.begin(), clock.end()));
    const std::uint32_t first = simulation.addMessages(static_cast<std::uint32_t>(step.size()));
    const auto linkOf = [&](const Message &message) -> const LinkParameters & {
      return linkBetween(machine, static_cast<std::uint32_t>(message.source),
                         static_cast<std::uint32_t>(message.destination));
    };
    const auto bytesOf = [&](const Message &message) {
      return static_cast<double>(message.elements) * static_cast<double>(moved.bytesOfElement);
    };
    for (std::uint32_t index = 0; index < step.size(); ++index) {
      const Message &message = moved.messages[step[index]];
      if (message.local())
        continue;
      simulation.report(first + index);
      simulation.expect(first + index);
      simulation.send(first + index, static_cast<std::uint32_t>(message.source),
                      static_cast<std::uint32_t>(message.destination), bytesOf(message),
                      bytesOf(message) > linkOf(message).eager_limit ? Protocol::Handshake
                                                                     : Protocol::Eager);
    }
    simulation.run([&](std::uint32_t rank, std::uint32_t flight) {
      const std::uint32_t number = step[flight - first];
      const Message &message = moved.messages[number];
      if (static_cast<std::uint32_t>(message.destination) != rank) {
        clock[rank] = std::max(clock[rank], simulation.leaves(flight));
        return;
      }
      clock[rank] =
          std::max(clock[rank], simulation.arrives(flight)) + simulation.receiveTime(flight);
      log.add(number, message, messageCost(linkOf(message), bytesOf(message)),
              simulation.leaves(flight), simulation.arrives(flight));
    });
    simulation.releaseMessages(first, static_cast<std::uint32_t>(step.size()));
  }
  return {clock.empty() ? 0 : *std::max_element(clock.begin(), clock.end()), log.take()};
}

} // namespace sendwright
