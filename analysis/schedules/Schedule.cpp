// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/schedules/Schedule.h"

#include "analysis/machine/MessageSimulation.h"

namespace sendwright {

std::vector<double> simulateSchedule(const Schedule &schedule, const Machine &machine) {
  MessageSimulation simulation(machine, schedule.ranks.size());
  simulation.addMessages(static_cast<std::uint32_t>(schedule.messages.size()));
  std::vector<std::size_t> next(schedule.ranks.size()), posted(schedule.ranks.size());
  auto advance = [&](std::uint32_t rank) {
    for (; next[rank] < schedule.ranks[rank].size(); ++next[rank]) {
      const ScheduledOperation &operation = schedule.ranks[rank][next[rank]];
      const ScheduledMessage &message = schedule.messages[operation.message];
      if (operation.isSend) {
        const auto bytes = static_cast<double>(message.bytes);
        simulation.send(operation.message, rank, message.to, bytes,
                        bytes > linkBetween(machine, rank, message.to).eager_limit
                            ? Protocol::Handshake
                            : Protocol::Eager);
        continue;
      }
      if (posted[rank] <= next[rank]) {
        simulation.post(operation.message, rank);
        posted[rank] = next[rank] + 1;
      }
      const double arrival = simulation.arrives(operation.message);
      if (arrival == MessageSimulation::unknownTime) {
        simulation.wakeWhenIn(operation.message);
        return;
      }
      double &clock = simulation.clock[rank];
      clock = std::max(clock, arrival) + simulation.receiveTime(operation.message);
    }
  };
  for (std::uint32_t rank = 0; rank < schedule.ranks.size(); ++rank)
    advance(rank);
  simulation.run([&](std::uint32_t rank, std::uint32_t) { advance(rank); });
  return std::move(simulation.clock);
}

} // namespace sendwright
