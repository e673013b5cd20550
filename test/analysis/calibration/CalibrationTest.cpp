// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured times of a machine whose parameters are known give these parameters back.

#include "analysis/calibration/Calibration.h"
#include "analysis/calibration/CalibratedMachine.h"
#include "analysis/calibration/MachineFile.h"
#include "analysis/machine/MessageCost.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

const LinkParameters known{20e-6, 2e-6, 3e-6, 7e-6, 8e-9, 1e-9, 2e-9, 65536};

/// The measurements if every call takes `factor` times as long as the parameters say.
CalibrationRound roundOf(const LinkParameters &link, double factor = 1) {
  CalibrationRound round;
  for (double bytes : {1.0, 256.0, 1024.0}) {
    const MessageCost cost = messageCost(link, bytes);
    round.small.push_back(
        {bytes, cost.send * factor, cost.receive * factor, 2 * cost.delivery() * factor});
  }
  const MessageCost smallest = messageCost(link, 1);
  round.interval = std::max(smallest.sendInterval(), smallest.receiveInterval()) * factor;
  for (double bytes : {65536.0, 131072.0})
    round.large.push_back({bytes, messageCost(link, bytes).sendInterval() * factor});
  return round;
}

} // namespace

TEST(Calibration, RecoversTheParameters) {
  const LinkFigures found = fitLink({roundOf(known), roundOf(known), roundOf(known)});
  EXPECT_NEAR(found.L.median, known.L, 1e-3 * known.L);
  EXPECT_NEAR(found.o_send.median, known.o_send, 1e-3 * known.o_send);
  EXPECT_NEAR(found.o_recv.median, known.o_recv, 1e-3 * known.o_recv);
  EXPECT_NEAR(found.O.median, known.O, 1e-3 * known.O);
  EXPECT_NEAR(found.O_recv.median, known.O_recv, 1e-3 * known.O_recv);
  EXPECT_NEAR(found.G.median, known.G, 1e-3 * known.G);
  EXPECT_TRUE(found.gapSeen);
  EXPECT_NEAR(found.g.median, known.g, 1e-3 * known.g);
  for (const Figure *figure : {&found.L, &found.o_send, &found.o_recv, &found.g, &found.G})
    EXPECT_TRUE(figure->stable) << figure->note;
}

TEST(Calibration, SaysThatTheGapIsHidden) {
  LinkParameters link = known;
  link.g = 1e-6;
  const LinkFigures found = fitLink({roundOf(link), roundOf(link), roundOf(link)});
  EXPECT_FALSE(found.gapSeen);
  EXPECT_EQ(found.g.median, 0);
  EXPECT_NE(found.g.note.find("cannot be seen"), std::string::npos) << found.g.note;
  EXPECT_NE(found.g.note.find("o_recv"), std::string::npos) << found.g.note;
}

TEST(Calibration, MarksWhatVaries) {
  std::vector<CalibrationRound> rounds;
  for (double factor : {1.0, 1.1, 1.4, 1.9, 2.5})
    rounds.push_back(roundOf(known, factor));
  const LinkFigures found = fitLink(rounds);
  EXPECT_NEAR(found.L.median, 1.4 * known.L, 1e-3 * known.L);
  EXPECT_FALSE(found.L.stable);
  EXPECT_FALSE(found.G.stable);
  EXPECT_NEAR(found.G.spread, 0.8 * known.G, 1e-3 * known.G);
}

TEST(Calibration, WhatIsNegligibleMayVary) {
  EXPECT_FALSE(figureOf({0, 1e-8, 2e-8, 3e-8}).stable);
  EXPECT_TRUE(figureOf({0, 1e-8, 2e-8, 3e-8}, 1e-7).stable);
  EXPECT_EQ(figureOf({4, 1, 2}).median, 2);
  EXPECT_EQ(figureOf({4, 1, 2, 3}).median, 2.5);
  EXPECT_EQ(figureOf({}).median, 0);
}

TEST(Calibration, AConstantFactorOfTheIncastIsOne) {
  LinkFigures link = fitLink({roundOf(known), roundOf(known)});
  const double bytes = 1e5, senders = 8;
  const double seconds =
      2 * messageCost(known, 1).delivery() + senders * bytes * known.G + (senders - 1) * known.g;
  EXPECT_NEAR(incastFactor(link, static_cast<int>(senders), bytes, seconds), 1, 1e-3);
  EXPECT_NEAR(incastFactor(link, static_cast<int>(senders), bytes, 3 * seconds), 3, 0.02);
}

TEST(Calibration, ThePortOfANodeIsWhatItsRanksShare) {
  LinkFigures between;
  between.o_send.median = 1e-6;
  const auto roundsOf = [](double interval) {
    NodePortRound round{interval, {{65536, 65536e-10 + 1e-7}, {131072, 131072e-10 + 1e-7}}};
    return std::vector<NodePortRound>(3, round);
  };
  const NodePortFigures seen = fitNodePort(roundsOf(4e-7), 4, between);
  EXPECT_TRUE(seen.gapSeen);
  EXPECT_EQ(seen.g.median, 4e-7);
  EXPECT_NEAR(seen.G.median, 1e-10, 1e-14);
  EXPECT_TRUE(seen.G.stable);
  // Four ranks that each need 1 us for a message send one every 0.25 us.
  const NodePortFigures hidden = fitNodePort(roundsOf(2.6e-7), 4, between);
  EXPECT_FALSE(hidden.gapSeen);
  EXPECT_EQ(hidden.g.median, 0);
  EXPECT_NE(hidden.g.note.find("cannot be seen: messages of 4 ranks"), std::string::npos);
}

TEST(Calibration, TheMachineFileIsReadBack) {
  CalibratedMachine machine;
  machine.name = "by \"hand\"";
  machine.mpi = "none";
  machine.ranks = 8;
  machine.nodes = 2;
  machine.ranksPerNode = 4;
  machine.between.emplace();
  machine.between->figures = fitLink({roundOf(known)});
  machine.between->eagerLimit = 4000;
  machine.within = machine.between;
  machine.within->figures.L.median = 5e-7;
  machine.nodePort.emplace();
  machine.nodePort->g.median = 2e-7;
  machine.nodePort->G = figureOf({1e-10, 2e-10, 6e-10});
  machine.incast.push_back({4, 1e5, figureOf({2, 2.5, 3}), figureOf({0.1})});
  const std::string text = machineFileOf(machine);
  const Machine read = parseMachine(text, "written");
  EXPECT_EQ(read.name, machine.name);
  EXPECT_EQ(read.ranks_per_node, 4);
  EXPECT_NEAR(read.between.L, known.L, 1e-3 * known.L);
  EXPECT_NEAR(read.between.O_recv, known.O_recv, 1e-3 * known.O_recv);
  EXPECT_EQ(read.between.eager_limit, 4000);
  ASSERT_TRUE(read.within.has_value());
  EXPECT_EQ(read.within->L, 5e-7);
  ASSERT_TRUE(read.node_port.has_value());
  EXPECT_EQ(read.node_port->g, 2e-7);
  EXPECT_EQ(read.node_port->G, 2e-10);
  ASSERT_EQ(read.incast.size(), 1u);
  EXPECT_EQ(read.incast[0].factor, 2.5);
  EXPECT_NE(text.find("\"unstable\""), std::string::npos);
}

TEST(Calibration, OneNodeStandsForAll) {
  CalibratedMachine machine;
  machine.ranks = machine.ranksPerNode = 4;
  machine.within.emplace();
  machine.within->figures = fitLink({roundOf(known)});
  const Machine read = parseMachine(machineFileOf(machine), "written");
  EXPECT_EQ(read.between.L, read.within->L);
  EXPECT_EQ(read.ranks_per_node, 4);
}
