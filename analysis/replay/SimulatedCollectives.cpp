// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/replay/SimulatedCollectives.h"

#include "analysis/schedules/MpiAlgorithms.h"

namespace sendwright {

void SimulatedCollectives::enter(std::uint32_t rank, RankRun &run, const Event &event,
                                 const MeetsBefore &meets) {
  std::uint32_t number = 0;
  const CallGroup &group = *calls.groupOf(rank, event.communicator, number);
  const std::uint32_t call = run.calls[event.communicator]++;
  run.collective = std::uint64_t{number} << 32 | call;
  simulation.clock[rank] += group.calls[call].setup;
  OpenCollective &entered = open[run.collective];
  if (!entered.schedule) {
    const std::uint32_t root = event.peer >= 0 ? indexIn(group.members, event.peer) : 0;
    entered.schedule = calls.scheduleOf(group, call, root, meets(number, call));
    entered.members = &group.members;
    entered.seconds = calls.formulaSeconds(group, call);
    entered.sendsInTurn = sendsInTurn(group.calls[call].operation);
  }
  enterOpen(rank, run, entered);
}

void SimulatedCollectives::enterLoop(std::uint32_t rank, RankRun &run, const ScheduledLoop &loop,
                                     std::uint32_t group) {
  run.collective = std::uint64_t{group} << 32 | loop.instance;
  OpenCollective &entered = open[run.collective];
  if (!entered.schedule) {
    entered.schedule = loop.schedule;
    entered.members = loop.members;
    entered.scale = loop.scale;
    entered.seconds = loop.seconds;
    entered.head = loop.head;
  }
  enterOpen(rank, run, entered);
}

void SimulatedCollectives::enterOpen(std::uint32_t rank, RankRun &run, OpenCollective &entered) {
  if (entered.positions.empty()) {
    entered.firstMessage =
        simulation.addMessages(static_cast<std::uint32_t>(entered.schedule->messages.size()));
    entered.left = static_cast<std::uint32_t>(entered.members->size());
    entered.positions.resize(entered.members->size());
  }
  run.member = indexIn(*entered.members, static_cast<int>(rank));
  entered.positions[run.member] = static_cast<std::uint32_t>(run.position);
  run.operation = run.posted = 0;
  run.stage = RankRun::InCollective;
}

/// Goes through a measured function of MPI: it begins when all members are there, and all leave it
/// when it is done.
void SimulatedCollectives::goThroughMeasured(RankRun &run, OpenCollective &measured,
                                             double seconds) {
  if (run.operation++ > 0)
    return leave(run, measured);
  run.waits.push_back(2 * (measured.firstMessage + run.member) + 1);
  const auto clockOf = [&](std::uint32_t member) {
    return simulation.clock[static_cast<std::size_t>((*measured.members)[member])];
  };
  if (measured.entered++ == 0 || clockOf(run.member) > clockOf(measured.last))
    measured.last = run.member;
  if (measured.entered < measured.members->size())
    return;
  const double begun = clockOf(measured.last);
  const auto last = static_cast<std::uint32_t>((*measured.members)[measured.last]);
  for (std::uint32_t member = 0; member < measured.members->size(); ++member)
    simulation.deliverLater(measured.firstMessage + member,
                            static_cast<std::uint32_t>((*measured.members)[member]),
                            begun + seconds, last, begun);
}

void SimulatedCollectives::goThrough(std::uint32_t rank, RankRun &run) {
  OpenCollective &entered = open[run.collective];
  if (entered.seconds)
    return goThroughMeasured(run, entered, *entered.seconds);
  const std::vector<ScheduledOperation> &operations = entered.schedule->ranks[run.member];
  while (run.operation < operations.size()) {
    postNext(rank, run, entered, operations, simulation);
    const ScheduledOperation &operation = operations[run.operation];
    if (operation.isSend && run.awaitSend())
      return;
    ++run.operation;
    const std::uint32_t message = entered.firstMessage + operation.message;
    if (!operation.isSend)
      return run.waits.push_back(2 * message + 1);
    const ScheduledMessage &sent = entered.schedule->messages[operation.message];
    const auto to = static_cast<std::uint32_t>((*entered.members)[sent.to]);
    const double bytes = static_cast<double>(sent.bytes) * entered.scale + entered.head;
    ++count;
    simulation.send(message, rank, to, bytes,
                    bytes > linkBetween(machine, rank, to).eager_limit ? Protocol::Handshake
                                                                       : Protocol::Eager);
    if (entered.sendsInTurn && simulation.shakesHands(message))
      run.sending = message;
  }
  if (!run.awaitSend())
    leave(run, entered);
}

void SimulatedCollectives::leave(RankRun &run, OpenCollective &left) {
  run.stage = RankRun::Next;
  if (--left.left > 0)
    return;
  simulation.releaseMessages(left.firstMessage,
                             static_cast<std::uint32_t>(left.schedule->messages.size()));
  open.erase(run.collective);
}

std::uint32_t SimulatedCollectives::causePosition(const RankRun &run, std::uint32_t message,
                                                  bool lateReceiver) const {
  const OpenCollective &entered = open.at(run.collective);
  const ScheduledMessage &sent = entered.schedule->messages[message - entered.firstMessage];
  return entered.positions[entered.seconds ? entered.last : lateReceiver ? sent.to : sent.from];
}

} // namespace sendwright
