// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/simulation/Placement.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

Profile runOn(const std::vector<std::string> &hosts) {
  Profile profile;
  for (const std::string &host : hosts)
    profile.ranks.emplace_back().host = host;
  return profile;
}

Machine machineWithNodePorts() {
  Machine machine;
  machine.ranks_per_node = 2;
  machine.node_port = NodePort{};
  return machine;
}

using Nodes = std::vector<std::uint32_t>;

TEST(Placement, RanksAreWhereTheRunHadThem) {
  EXPECT_EQ(placedAsRecorded(machineWithNodePorts(), runOn({"a", "b", "a", "b", "c"})).nodes,
            (Nodes{0, 1, 0, 1, 2}));
}

TEST(Placement, ARunOnOneHostOrOnFullerHostsSaysNothing) {
  EXPECT_EQ(placedAsRecorded(machineWithNodePorts(), runOn({"a", "a"})).nodes, Nodes());
  EXPECT_EQ(placedAsRecorded(machineWithNodePorts(), runOn({"a", "a", "a", "b"})).nodes, Nodes());
  EXPECT_EQ(placedAsRecorded(machineWithNodePorts(), runOn({"", ""})).nodes, Nodes());
}

TEST(Placement, WithoutNodePortsAMachineIsNotAsked) {
  Machine machine = machineWithNodePorts();
  machine.node_port.reset();
  EXPECT_EQ(placedAsRecorded(machine, runOn({"a", "b", "a", "b"})).nodes, Nodes());
}

TEST(Placement, AGroupIsWhereItsRanksAre) {
  Machine machine = machineWithNodePorts();
  EXPECT_EQ(machineOfGroup(machine, {0, 3, 1, 4}).nodes, (Nodes{0, 1, 0, 2}));
  machine.nodes = {0, 1, 0, 1, 2};
  EXPECT_EQ(machineOfGroup(machine, {1, 3, 4}).nodes, (Nodes{1, 1, 2}));
}

} // namespace
