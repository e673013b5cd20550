// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When ports are busy, computed by hand.

#include "analysis/redistribution/SimulatedPorts.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

/// L 10, o_send 2, o_recv 3, g 4, G 1; messages beyond 100 bytes use a handshake. Seconds.
Machine plainPortMachine() {
  Machine machine;
  machine.between = {10, 2, 3, 4, 1};
  machine.between.eager_limit = 100;
  return machine;
}

/// Rank 0 keeps two elements of three bytes, and sends two to rank 1, which sends one to rank 2.
const std::vector<Message> threeMessages = {{0, 0, 2}, {0, 1, 2}, {1, 2, 1}};

const PortUse &useOf(const SimulatedPorts &ports, std::uint32_t message, bool isReceive) {
  for (const PortUse &use : ports.uses)
    if (use.message == message && use.isReceive == isReceive)
      return use;
  static const PortUse none{99, false, -1, -1};
  return none;
}

} // namespace

TEST(SimulatedPorts, InSteps) {
  StepSchedule schedule;
  schedule.steps = {{0, 1}, {2}};
  const SimulatedPorts ports = simulatePorts({threeMessages, 3, 3}, schedule, plainPortMachine());
  // Six bytes pass a port in five seconds; what stays within a rank takes no time.
  EXPECT_EQ(ports.uses.size(), 4u);
  EXPECT_EQ(useOf(ports, 1, false).begin, 2);
  EXPECT_EQ(useOf(ports, 1, false).end, 7);
  EXPECT_EQ(useOf(ports, 1, true).begin, 12);
  EXPECT_EQ(useOf(ports, 1, true).end, 17);
  // The next step begins when the message has been received, at 20.
  EXPECT_EQ(useOf(ports, 2, false).begin, 22);
  EXPECT_EQ(useOf(ports, 2, true).end, 22 + 2 + 10);
  EXPECT_EQ(ports.seconds, 37);
}

TEST(SimulatedPorts, InStepsWithAHandshake) {
  StepSchedule schedule;
  schedule.steps = {{0}};
  const std::vector<Message> one = {{0, 1, 200}};
  const SimulatedPorts ports = simulatePorts({one, 2, 1}, schedule, plainPortMachine());
  // The request and the grant take 10 each.
  EXPECT_EQ(useOf(ports, 0, false).begin, 22);
  EXPECT_EQ(useOf(ports, 0, true).end, 22 + 199 + 10);
}

TEST(SimulatedPorts, UnderTheScheduleAsInASimulatedRun) {
  const std::vector<Message> one = {{0, 1, 6}};
  const SimulatedPorts ports = simulatePorts({one, 2, 1}, {{{0}, {}}, {{}, {0}}},
                                             plainPortMachine(), RedistributionMethod::Schedule);
  EXPECT_EQ(ports.seconds, 48); // Redistributions.ElementsGoAheadOfTheVotes
  EXPECT_EQ(ports.uses.size(), 2u);
  EXPECT_EQ(useOf(ports, 0, false).begin, 2);
  EXPECT_EQ(useOf(ports, 0, true).end, 17);
}

TEST(SimulatedPorts, ChunksAreOneUse) {
  const std::vector<Message> one = {{0, 1, 3 << 19}};
  const SimulatedPorts ports = simulatePorts({one, 2, 1}, {{{0}, {}}, {{}, {0}}},
                                             plainPortMachine(), RedistributionMethod::Schedule);
  // A vote may take the port behind the first chunk: at most two uses.
  EXPECT_LE(ports.uses.size(), 4u);
  EXPECT_GE(useOf(ports, 0, true).end - useOf(ports, 0, true).begin, (1 << 19) - 1);
}

TEST(SimulatedPorts, UnderAlltoallvEmptyMessagesAreNotShown) {
  const std::vector<Message> one = {{0, 1, 6}};
  const SimulatedPorts ports = simulatePorts({one, 2, 1}, {{{0}, {}}, {{}, {0}}},
                                             plainPortMachine(), RedistributionMethod::Alltoallv);
  EXPECT_EQ(ports.seconds, 66); // Redistributions.WithoutTheScheduleVotesComeFirst
  ASSERT_EQ(ports.uses.size(), 2u);
  EXPECT_EQ(ports.uses[0].message, 0u);
}

TEST(SimulatedPorts, MakingACommunicatorIsLeftOut) {
  Machine machine = plainPortMachine();
  machine.duplication = {5, 2};
  const std::vector<Message> one = {{0, 1, 6}};
  EXPECT_EQ(
      simulatePorts({one, 2, 1}, {{{0}, {}}, {{}, {0}}}, machine, RedistributionMethod::Schedule)
          .seconds,
      48);
}
