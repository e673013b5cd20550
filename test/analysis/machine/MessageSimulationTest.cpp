// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages under LogGOPS, with times computed by hand.

#include "analysis/machine/MessageSimulation.h"

#include <gtest/gtest.h>

#include <utility>

using namespace sendwright;

namespace {

/// L 10, o_send 2, o_recv 3, g 4, G 1: seconds, so that a message of n bytes takes 14 + n.
Machine handMachine() {
  Machine machine;
  machine.between = {10, 2, 3, 4, 1};
  return machine;
}

void settleAll(MessageSimulation &simulation) {
  simulation.run([](std::uint32_t, std::uint32_t) {});
}

} // namespace

TEST(MessageSimulation, OneMessage) {
  const Machine machine = handMachine();
  MessageSimulation simulation(machine, 2);
  const std::uint32_t message = simulation.addMessages(1);
  simulation.clock[0] = 100;
  simulation.send(message, 0, 1, 6, Protocol::Eager);
  EXPECT_EQ(simulation.clock[0], 102);
  EXPECT_EQ(simulation.leaves(message), 107); // the sixth byte, five G after the first
  settleAll(simulation);
  EXPECT_EQ(simulation.arrives(message), 117);
  EXPECT_EQ(simulation.receiveTime(message), 3);
}

TEST(MessageSimulation, PortsKeepTheGap) {
  const Machine machine = handMachine();
  MessageSimulation simulation(machine, 4);
  const std::uint32_t first = simulation.addMessages(4);
  // Two messages from one sender: the processor is free at 2 and 4, the port at 2 + 2 + 4.
  simulation.send(first, 0, 1, 3, Protocol::Eager);
  simulation.send(first + 1, 0, 2, 3, Protocol::Eager);
  EXPECT_EQ(simulation.clock[0], 4);
  EXPECT_EQ(simulation.leaves(first), 4);
  EXPECT_EQ(simulation.leaves(first + 1), 10);
  // Two more to rank 2, whose port takes one message at a time: first bytes at 12, 13 and 18.
  simulation.send(first + 2, 1, 2, 3, Protocol::Eager);
  simulation.clock[3] = 1;
  simulation.send(first + 3, 3, 2, 3, Protocol::Eager);
  settleAll(simulation);
  EXPECT_EQ(simulation.arrives(first + 2), 14);
  EXPECT_EQ(simulation.arrives(first + 3), 20); // 14 + g + 2 G
  EXPECT_EQ(simulation.arrives(first + 1), 26);
}

TEST(MessageSimulation, HandshakeWaitsForTheReceive) {
  const Machine machine = handMachine();
  MessageSimulation simulation(machine, 2);
  const std::uint32_t first = simulation.addMessages(2);
  simulation.send(first, 0, 1, 5, Protocol::Handshake);
  simulation.send(first + 1, 0, 1, 1, Protocol::Eager); // it need not wait for the grant
  settleAll(simulation);
  EXPECT_EQ(simulation.leaves(first), MessageSimulation::unknownTime);
  EXPECT_EQ(simulation.arrives(first + 1), 14);
  simulation.clock[1] = 50;
  simulation.post(first, 1);
  settleAll(simulation);
  EXPECT_EQ(simulation.leaves(first), 64); // granted at 60, then four G
  EXPECT_EQ(simulation.arrives(first), 74);
  EXPECT_TRUE(simulation.causeOf(first).lateReceiver);
  EXPECT_EQ(simulation.causeOf(first).time, 50);
}

TEST(MessageSimulation, HandshakeWithAnEarlyReceive) {
  const Machine machine = handMachine();
  MessageSimulation simulation(machine, 2);
  const std::uint32_t message = simulation.addMessages(1);
  simulation.post(message, 1);
  simulation.clock[0] = 20;
  simulation.send(message, 0, 1, 5, Protocol::Handshake);
  settleAll(simulation);
  EXPECT_EQ(simulation.leaves(message), 46); // sent at 22, request there at 32, grant back at 42
  EXPECT_EQ(simulation.arrives(message), 56);
  EXPECT_FALSE(simulation.causeOf(message).lateReceiver);
  EXPECT_EQ(simulation.causeOf(message).rank, 0U);
  EXPECT_EQ(simulation.causeOf(message).time, 20);
}

TEST(MessageSimulation, LaterMessagesDoNotOvertakeInThePort) {
  const Machine machine = handMachine();
  MessageSimulation simulation(machine, 3);
  const std::uint32_t first = simulation.addMessages(2);
  // The rank runs ahead to 100 before the grant, at 22, is known; the port is free until then.
  simulation.post(first, 1);
  simulation.send(first, 0, 1, 31, Protocol::Handshake);
  simulation.clock[0] = 100;
  simulation.send(first + 1, 0, 2, 1, Protocol::Eager);
  settleAll(simulation);
  EXPECT_EQ(simulation.leaves(first), 52);
  EXPECT_EQ(simulation.leaves(first + 1), 102);
}

TEST(MessageSimulation, RanksOfANodeShareItsPorts) {
  Machine machine = handMachine();
  machine.ranks_per_node = 2;
  machine.within = LinkParameters{1, 0, 0, 0, 0};
  machine.node_port = NodePort{5, 1};
  MessageSimulation simulation(machine, 4);
  const std::uint32_t first = simulation.addMessages(3);
  simulation.send(first, 0, 2, 11, Protocol::Eager);
  simulation.clock[1] = 1;
  simulation.send(first + 1, 1, 3, 11, Protocol::Eager);
  simulation.send(first + 2, 1, 0, 11, Protocol::Eager); // within the node
  settleAll(simulation);
  // The first leaves from 2 to 12; the second is ready at 3, and leaves g later.
  EXPECT_EQ(simulation.leaves(first), 12);
  EXPECT_EQ(simulation.leaves(first + 1), 27);
  EXPECT_EQ(simulation.arrives(first), 22);
  EXPECT_EQ(simulation.arrives(first + 1), 37);
  EXPECT_EQ(simulation.arrives(first + 2), 4);
}

TEST(MessageSimulation, AFastPortOfANodeDoesNotMakeARankFaster) {
  Machine machine = handMachine();
  machine.ranks_per_node = 2;
  machine.node_port = NodePort{0, 0.25};
  MessageSimulation simulation(machine, 6);
  const std::uint32_t first = simulation.addMessages(3);
  // Both reach rank 4's node; the third comes from a node of its own to rank 5.
  simulation.send(first, 0, 4, 41, Protocol::Eager);
  simulation.send(first + 1, 1, 4, 41, Protocol::Eager);
  simulation.send(first + 2, 2, 5, 41, Protocol::Eager);
  settleAll(simulation);
  EXPECT_EQ(simulation.leaves(first), 42);     // from 2 on, 40 G
  EXPECT_EQ(simulation.leaves(first + 1), 42); // the port, free at 12, is faster than the rank
  EXPECT_EQ(simulation.arrives(first), 52);
  EXPECT_EQ(simulation.arrives(first + 2), 62); // the port of the receiver's node is free at 22
  EXPECT_EQ(simulation.arrives(first + 1), 96); // rank 4's own port is free at 56
}

TEST(MessageSimulation, MessagesOfANodeAreUnderWayTogether) {
  Machine machine = handMachine();
  machine.between.g = 0;
  machine.ranks_per_node = 2;
  machine.shared_ports = true;
  machine.node_port = NodePort{0, 1};
  const auto arrivals = [&] {
    MessageSimulation simulation(machine, 4);
    const std::uint32_t first = simulation.addMessages(2);
    simulation.send(first, 0, 2, 11, Protocol::Eager);
    simulation.send(first + 1, 1, 3, 11, Protocol::Eager);
    settleAll(simulation);
    return std::pair(simulation.arrives(first), simulation.arrives(first + 1));
  };
  EXPECT_EQ(arrivals(), std::pair(32.0, 32.0)); // there at 12, then half as fast: 2 * 10 G
  machine.node_port = NodePort{0, 0.5};
  EXPECT_EQ(arrivals(), std::pair(22.0, 22.0)); // the port carries two at full speed
  machine.node_port = NodePort{0, 2};
  EXPECT_EQ(arrivals(), std::pair(52.0, 52.0));
  machine.node_port.reset();
  EXPECT_EQ(arrivals(), std::pair(22.0, 22.0));
}

TEST(MessageSimulation, WithinANodeOtherParametersAndPorts) {
  Machine machine = handMachine();
  machine.ranks_per_node = 2;
  machine.within = LinkParameters{1, 0, 0, 0, 0};
  MessageSimulation simulation(machine, 4);
  const std::uint32_t first = simulation.addMessages(3);
  simulation.send(first, 0, 2, 101, Protocol::Eager);
  simulation.send(first + 1, 0, 1, 101, Protocol::Eager);
  simulation.send(first + 2, 0, 0, 101, Protocol::Eager);
  settleAll(simulation);
  EXPECT_EQ(simulation.arrives(first), 112);
  EXPECT_EQ(simulation.arrives(first + 1), 3);
  EXPECT_EQ(simulation.arrives(first + 2), 2);
}

TEST(MessageSimulation, MessagesShareAPort) {
  Machine machine;
  machine.between = {10, 1, 0, 0, 1};
  machine.shared_ports = true;
  MessageSimulation simulation(machine, 4);
  const std::uint32_t first = simulation.addMessages(3);
  // Alone from 11 on, so one second is done at 12. Then both move at half speed until the 11
  // seconds of the second message are over, at 34, when the first has 8 left.
  simulation.send(first, 0, 1, 21, Protocol::Eager);
  simulation.send(first + 1, 0, 2, 12, Protocol::Eager);
  settleAll(simulation);
  EXPECT_DOUBLE_EQ(simulation.arrives(first + 1), 34);
  EXPECT_DOUBLE_EQ(simulation.arrives(first), 42);
  EXPECT_DOUBLE_EQ(simulation.leaves(first), 42);
  // Two senders to one receiver, the second halfway through the first.
  MessageSimulation incast(machine, 3);
  const std::uint32_t message = incast.addMessages(2);
  incast.send(message, 0, 2, 11, Protocol::Eager);
  incast.clock[1] = 5;
  incast.send(message + 1, 1, 2, 11, Protocol::Eager);
  settleAll(incast);
  EXPECT_DOUBLE_EQ(incast.arrives(message), 26);
  EXPECT_DOUBLE_EQ(incast.arrives(message + 1), 31);
}

TEST(MessageSimulation, SharedPortsOneMessageTakesWhatItTakesAlone) {
  for (const double gap : {0.0, 4.0, 15.0}) { // none, within L, and beyond it
    Machine machine = handMachine();
    machine.between.g = gap;
    machine.shared_ports = true;
    MessageSimulation simulation(machine, 2);
    const std::uint32_t message = simulation.addMessages(2);
    simulation.send(message, 0, 1, 6, Protocol::Eager);
    settleAll(simulation);
    EXPECT_DOUBLE_EQ(simulation.arrives(message), 2 + 5 + 10) << gap;
    simulation.clock[0] = 100;
    simulation.post(message + 1, 1);
    simulation.send(message + 1, 0, 1, 6, Protocol::Handshake);
    settleAll(simulation);
    EXPECT_DOUBLE_EQ(simulation.arrives(message + 1), 102 + 20 + 5 + 10) << gap;
  }
}

TEST(MessageSimulation, HandshakesHaveATimeOfTheirOwn) {
  Machine machine = handMachine();
  machine.between.handshake = 1;
  MessageSimulation simulation(machine, 2);
  const std::uint32_t message = simulation.addMessages(1);
  simulation.post(message, 1);
  simulation.send(message, 0, 1, 5, Protocol::Handshake);
  settleAll(simulation);
  EXPECT_EQ(simulation.arrives(message), 2 + 2 * 1 + 4 + 10);
}

TEST(MessageSimulation, WithinANodeTheSamePorts) {
  for (const bool shared : {false, true}) {
    Machine machine;
    machine.between = {10, 0, 0, 0, 1};
    machine.within = LinkParameters{10, 0, 0, 0, 1};
    machine.ranks_per_node = 2;
    machine.intra_ports = false;
    machine.shared_ports = shared;
    MessageSimulation simulation(machine, 4);
    const std::uint32_t message = simulation.addMessages(2);
    simulation.send(message, 0, 1, 6, Protocol::Eager);
    simulation.send(message + 1, 0, 2, 6, Protocol::Eager);
    settleAll(simulation);
    EXPECT_EQ(simulation.arrives(message), shared ? 20 : 15);
    EXPECT_EQ(simulation.arrives(message + 1), 20);
  }
}
