// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/machine/MessageSimulation.h"

#include <functional>

namespace sendwright {

namespace {

/// A message from a rank to itself passes no network.
MessageCost costOf(const LinkParameters &link, std::uint32_t sender, std::uint32_t receiver,
                   double bytes) {
  MessageCost cost = messageCost(link, bytes);
  if (sender == receiver)
    cost.stream = cost.gap = cost.latency = 0;
  return cost;
}

} // namespace

MessageSimulation::MessageSimulation(const Machine &machine, std::size_t ranks)
    : clock(ranks), machine(machine), ports(ranks) {
  if (machine.node_port)
    for (std::size_t rank = 0; rank < ranks; ++rank)
      nodePorts.resize(std::max(nodePorts.size(), nodeOf(machine, rank) + 1));
  if (machine.shared_ports)
    shared = std::make_unique<SharedPorts>(4 * ranks + 2 * nodePorts.size());
}

std::uint32_t MessageSimulation::addMessages(std::uint32_t count) {
  auto found = released.find(count);
  if (found != released.end() && !found->second.empty()) {
    const std::uint32_t first = found->second.back();
    found->second.pop_back();
    std::fill_n(flights.begin() + first, count, Flight());
    return first;
  }
  const auto first = static_cast<std::uint32_t>(flights.size());
  flights.resize(flights.size() + count);
  return first;
}

void MessageSimulation::releaseMessages(std::uint32_t first, std::uint32_t count) {
  if (count > 0)
    released[count].push_back(first);
}

void MessageSimulation::send(std::uint32_t message, std::uint32_t sender, std::uint32_t receiver,
                             double bytes, Protocol protocol) {
  Flight &flight = flights[message];
  flight.sender = sender;
  flight.receiver = receiver;
  flight.bytes = bytes;
  flight.begun = clock[sender];
  const MessageCost cost = costOf(linkOf(flight), sender, receiver, bytes);
  clock[sender] += cost.send;
  flight.ready = clock[sender];
  flight.handshake = protocol == Protocol::Handshake;
  flight.interleaved = protocol == Protocol::Interleaved;
  if (flight.handshake) {
    ++ports[sender].held;
    push(flight.ready + requestTime(flight), message, Step::Request);
  } else if (ports[sender].held > 0 || shared || !nodePorts.empty()) {
    ++ports[sender].held;
    push(flight.ready, message, Step::Leave);
  } else {
    leave(message);
  }
}

void MessageSimulation::post(std::uint32_t message, std::uint32_t receiver) {
  Flight &flight = flights[message];
  flight.posted = clock[receiver];
  if (flight.requested) {
    flight.lateReceiver = true;
    flight.begun = flight.posted;
    grant(message, flight.posted);
  }
}

void MessageSimulation::deliver(std::uint32_t message, double time, std::uint32_t sender,
                                double begun) {
  Flight &flight = flights[message];
  flight.sender = sender;
  flight.begun = begun;
  flight.in = time;
  flight.delivered = true;
}

void MessageSimulation::deliverLater(std::uint32_t message, std::uint32_t receiver, double time,
                                     std::uint32_t sender, double begun) {
  Flight &flight = flights[message];
  flight.sender = sender;
  flight.receiver = receiver;
  flight.begun = begun;
  flight.delivered = true;
  push(time, message, Step::Arrive);
}

MessageSimulation::Cause MessageSimulation::causeOf(std::uint32_t message) const {
  const Flight &flight = flights[message];
  return {flight.lateReceiver ? flight.receiver : flight.sender, flight.begun, flight.lateReceiver};
}

double MessageSimulation::receiveTime(std::uint32_t message) const {
  const Flight &flight = flights[message];
  return flight.delivered ? 0 : messageCost(linkOf(flight), flight.bytes).receive;
}

double MessageSimulation::requestTime(const Flight &flight) const {
  const LinkParameters &link = linkOf(flight);
  return flight.sender == flight.receiver ? 0 : link.handshake.value_or(link.L);
}

void MessageSimulation::push(double time, std::uint32_t message, Step step) {
  events.push_back({time, made++, message, step});
  std::push_heap(events.begin(), events.end(), std::greater<>());
}

bool MessageSimulation::hasNext() {
  sharedIsNext = false;
  if (shared) {
    // Other events at the time of a change may change the same ports.
    const bool wait =
        shared->hasChanges() && !events.empty() && events.front().time <= shared->changesSince();
    const double next = wait ? SharedPorts::never : shared->next();
    sharedIsNext = next != SharedPorts::never && (events.empty() || next < events.front().time);
  }
  return sharedIsNext || !events.empty();
}

/// All of a message has passed its ports, and its sender knows this, too.
std::uint32_t MessageSimulation::settleShared(std::uint32_t &message) {
  ++count;
  message = shared->takeNext();
  if (message == nobody)
    return nobody;
  Flight &flight = flights[message];
  const LinkParameters &link = linkOf(flight);
  flight.out = flight.in = shared->changesSince();
  const double beyond = link.g - link.L;
  const double atNodes = changesNode(flight) ? machine.nodePort().g - link.L : 0;
  if (beyond > 0 || atNodes > 0)
    enterPorts(flight, nobody, flight.in, beyond, atNodes);
  if (flight.wakeSender || (flight.reported && flight.handshake))
    push(flight.out, message, Step::Left);
  if (flight.reported)
    push(flight.in, message, Step::Arrived);
  return flight.wakeReceiver ? flight.receiver : nobody;
}

void MessageSimulation::enterPorts(const Flight &flight, std::uint32_t message, double time,
                                   double own, double ofNodes) {
  const std::uint32_t which = portOf(linkOf(flight));
  SharedPorts::Passage passages[SharedPorts::mostPassages];
  std::size_t count = 0;
  if (message != nobody || own > 0) {
    passages[count++] = {4 * flight.sender + which, own};
    passages[count++] = {4 * flight.receiver + 2 + which, own};
  }
  if (changesNode(flight) && (message != nobody || ofNodes > 0)) {
    const auto nodeOfRank = [&](std::uint32_t rank) {
      return static_cast<std::uint32_t>(4 * ports.size() + 2 * nodeOf(machine, rank));
    };
    passages[count++] = {nodeOfRank(flight.sender), ofNodes};
    passages[count++] = {nodeOfRank(flight.receiver) + 1, ofNodes};
  }
  shared->enter(time, message, std::span(passages).first(count));
}

/// The part of the gap that is within the latency, such as an envelope's bytes, counts as part of
/// the message where ports are shared.
double MessageSimulation::gapWithin(const Flight &flight, const MessageCost &cost) const {
  const double gap = changesNode(flight) ? std::max(cost.gap, machine.nodePort().g) : cost.gap;
  return std::min(gap, cost.latency);
}

/// The handshake's request is at the receiver, which grants it now or when it posts the receive.
void MessageSimulation::request(std::uint32_t message, double time) {
  Flight &flight = flights[message];
  flight.requested = true;
  if (flight.posted == unknownTime)
    return;
  // The receiver's clock may be ahead: it posted the receive after the request came.
  flight.lateReceiver = flight.posted > time;
  if (flight.lateReceiver)
    flight.begun = flight.posted;
  grant(message, std::max(flight.posted, time));
}

/// The first byte is at the receiver's end, so the message enters all its ports at once.
void MessageSimulation::enterSharedPorts(std::uint32_t message, double time) {
  const Flight &flight = flights[message];
  const MessageCost cost = messageCost(linkOf(flight), flight.bytes);
  double ofNodes = 0;
  if (changesNode(flight)) {
    const MessageCost node = nodePortCost(machine.nodePort(), flight.bytes);
    ofNodes = node.stream + std::min(node.gap, cost.latency);
  }
  enterPorts(flight, message, time, cost.stream + std::min(cost.gap, cost.latency), ofNodes);
}

std::uint32_t MessageSimulation::settleNext(std::uint32_t &message) {
  if (sharedIsNext)
    return settleShared(message);
  std::pop_heap(events.begin(), events.end(), std::greater<>());
  const Entry entry = events.back();
  events.pop_back();
  ++count;
  message = entry.message;
  Flight &flight = flights[entry.message];
  switch (entry.step) {
  case Step::Request:
    request(entry.message, entry.time);
    return nobody;
  case Step::Leave:
    --ports[flight.sender].held;
    if (shared && flight.sender != flight.receiver) {
      const MessageCost cost = messageCost(linkOf(flight), flight.bytes);
      push(entry.time + cost.latency - gapWithin(flight, cost), message, Step::Arrive);
      return nobody;
    }
    leave(entry.message);
    return flight.wakeSender && flight.out != unknownTime ? flight.sender : nobody;
  case Step::Depart:
    depart(entry.message, entry.time);
    return flight.wakeSender ? flight.sender : nobody;
  case Step::Arrive:
    if (shared && flight.sender != flight.receiver && !flight.delivered) {
      enterSharedPorts(entry.message, entry.time);
      return nobody;
    }
    arrive(flight, entry.time);
    if (flight.reported)
      push(flight.in, entry.message, Step::Arrived);
    return flight.wakeReceiver ? flight.receiver : nobody;
  case Step::Left:
    return flight.sender;
  case Step::Arrived:
    return flight.receiver;
  }
  return nobody;
}

double MessageSimulation::enterPort(const Flight &flight, const MessageCost &cost, double ready,
                                    double &free) {
  const double turn = std::max(ready, free);
  free = turn + cost.stream + cost.gap;
  return flight.interleaved ? ready : turn;
}

void MessageSimulation::leave(std::uint32_t message) {
  Flight &flight = flights[message];
  const LinkParameters &link = linkOf(flight);
  const MessageCost cost = costOf(link, flight.sender, flight.receiver, flight.bytes);
  const double start =
      flight.sender == flight.receiver
          ? flight.ready
          : enterPort(flight, cost, flight.ready, ports[flight.sender].out[portOf(link)]);
  if (changesNode(flight))
    push(start, message, Step::Depart);
  else
    hasLeft(message, start, start + cost.stream);
}

void MessageSimulation::depart(std::uint32_t message, double time) {
  Flight &flight = flights[message];
  const MessageCost node = nodePortCost(machine.nodePort(), flight.bytes);
  const double turn = enterPort(flight, node, time, nodePorts[nodeOf(machine, flight.sender)].out);
  const double own = messageCost(linkOf(flight), flight.bytes).stream;
  hasLeft(message, turn, std::max(time + own, turn + node.stream));
}

void MessageSimulation::hasLeft(std::uint32_t message, double start, double out) {
  Flight &flight = flights[message];
  flight.out = out;
  if (flight.reported && flight.handshake)
    push(flight.out, message, Step::Left);
  const MessageCost cost = costOf(linkOf(flight), flight.sender, flight.receiver, flight.bytes);
  push(start + cost.latency, message, Step::Arrive);
}

void MessageSimulation::arrive(Flight &flight, double time) {
  const LinkParameters &link = linkOf(flight);
  const MessageCost cost = costOf(link, flight.sender, flight.receiver, flight.bytes);
  if (flight.sender == flight.receiver || flight.delivered) {
    flight.in = time;
    return;
  }
  double &free = ports[flight.receiver].in[portOf(link)];
  if (!changesNode(flight)) {
    flight.in = enterPort(flight, cost, time, free) + cost.stream;
    return;
  }
  const MessageCost node = nodePortCost(machine.nodePort(), flight.bytes);
  const double turn = enterPort(flight, node, time, nodePorts[nodeOf(machine, flight.receiver)].in);
  flight.in = std::max(turn + node.stream, enterPort(flight, cost, turn, free) + cost.stream);
}

void MessageSimulation::grant(std::uint32_t message, double time) {
  Flight &flight = flights[message];
  flight.ready = time + requestTime(flight);
  push(flight.ready, message, Step::Leave);
}

} // namespace sendwright
