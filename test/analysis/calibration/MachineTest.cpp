// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine files: what is read, and what is refused with its line.

#include "analysis/machine/Machine.h"
#include "analysis/calibration/MachineFile.h"
#include "analysis/file/FormatError.h"
#include "analysis/machine/MessageCost.h"
#include "analysis/schedules/MpiAlgorithms.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

std::string problemOfMachine(const std::string &text) {
  try {
    parseMachine(text, "m.json");
  } catch (const FormatError &error) {
    return error.what();
  }
  return "accepted";
}

const std::string required = R"("L": 1e-6, "o_send": 2e-6, "o_recv": 3e-6, "g": 4e-6, "G": 5e-9)";

} // namespace

TEST(Machine, ReadsEveryKey) {
  Machine machine = parseMachine(
      "{" + required + R"(, "O": 6e-9, "eager_limit": 4096, "ranks_per_node": 8, "name": "here",
       "intra": {"L": 1e-7, "o_send": 0, "o_recv": 0, "g": 0, "G": 1e-10,
                 "large": {"from": 100, "o_send": 1, "o_recv": 2, "O": 3}},
       "duplication": {"ranks": 8, "seconds": 2e-5}, "handshake": 2e-6,
       "calibration": {"unstable": ["between nodes: L", "within a node: G"]},
       "shared_ports": true, "intra_ports": false, "node_port": {"g": 4e-7, "G": 5e-10},
       "measured_collectives": [{"operation": "reduce", "ranks": 8, "bytes": 8, "seconds": 3e-5,
                                 "stable": false}],
       "incast": [{"senders": 4, "bytes": 1e5, "factor": 2.5}, [8, 1e5, 4]]})",
      "m.json");
  EXPECT_EQ(machine.between.L, 1e-6);
  EXPECT_EQ(machine.between.o_recv, 3e-6);
  EXPECT_EQ(machine.between.O, 6e-9);
  EXPECT_EQ(machine.between.eager_limit, 4096);
  EXPECT_EQ(machine.ranks_per_node, 8);
  EXPECT_EQ(machine.name, "here");
  ASSERT_TRUE(machine.within.has_value());
  EXPECT_EQ(machine.within->G, 1e-10);
  EXPECT_FALSE(machine.between.large.has_value());
  EXPECT_EQ(messageCost(*machine.within, 99).send, 0);
  EXPECT_EQ(messageCost(*machine.within, 100).send, 301);
  EXPECT_EQ(messageCost(*machine.within, 100).receive, 302);
  EXPECT_EQ(machine.between.handshake, 2e-6);
  EXPECT_FALSE(machine.within->handshake.has_value());
  EXPECT_TRUE(machine.shared_ports);
  EXPECT_FALSE(machine.intra_ports);
  ASSERT_TRUE(machine.node_port.has_value());
  EXPECT_EQ(machine.node_port->g, 4e-7);
  EXPECT_EQ(machine.node_port->G, 5e-10);
  ASSERT_EQ(machine.measured_collectives.size(), 1u);
  EXPECT_EQ(machine.measured_collectives[0].operation, "reduce");
  EXPECT_EQ(machine.measured_collectives[0].seconds, 3e-5);
  EXPECT_EQ(machine.duplication->ranks, 8);
  EXPECT_EQ(machine.duplication->seconds, 2e-5);
  EXPECT_EQ(machine.unstable, (std::vector<std::string>{"between nodes: L", "within a node: G"}));
  ASSERT_EQ(machine.incast.size(), 2u);
  EXPECT_EQ(machine.incast[1].senders, 8);
  EXPECT_EQ(machine.incast[1].factor, 4);
}

TEST(Machine, FillsInWhatMayBeLeftOut) {
  Machine machine = parseMachine("{" + required + "}", "m.json");
  EXPECT_EQ(machine.between.O, 0);
  EXPECT_EQ(machine.between.eager_limit, 65536);
  EXPECT_EQ(machine.ranks_per_node, 1);
  EXPECT_FALSE(machine.within.has_value());
  EXPECT_FALSE(machine.node_port.has_value());
}

TEST(Machine, NamesTheAlgorithmsOfMpi) {
  const std::string plain = R"({"L": 1, "o_send": 2, "o_recv": 3, "g": 4, "G": 5, "collectives":)";
  const Machine machine = parseMachine(plain + R"({
    "broadcast": [ {"algorithm": "4-nomial tree", "setup": 7},
                   {"ranks": 16, "bytes": 100, "algorithm": "linear"},
                   {"ranks": 16, "algorithm": "fastest"} ],
    "alltoallv": [ {"ranks": 8, "algorithm": "pairwise"} ] }})",
                                       "m.json");
  EXPECT_EQ(mpiRow(machine, "broadcast", 15, 1000)->algorithm, "4-nomial tree");
  EXPECT_EQ(mpiRow(machine, "broadcast", 15, 1000)->setup, 7);
  EXPECT_EQ(mpiRow(machine, "broadcast", 99, 99)->algorithm, "fastest");
  EXPECT_EQ(mpiRow(machine, "broadcast", 16, 100)->algorithm, "linear");
  EXPECT_EQ(mpiRow(machine, "reduce", 16, 100), nullptr);
  EXPECT_FALSE(exchangesPairwise(machine, 7));
  EXPECT_TRUE(exchangesPairwise(machine, 8));
  const auto problem = [&](const std::string &collectives) {
    return problemOfMachine(plain + collectives + "}");
  };
  EXPECT_EQ(problem("\n[]"),
            "m.json:1: \"collectives\" is [], expected an object with lists of rows {ranks, bytes, "
            "algorithm}");
  EXPECT_EQ(problem("{\n\"scan\": [\n{\"algorithm\": \"chain\"},\n{\"algorithm\": \"bogus\"}]}"),
            "m.json:4: \"algorithm\" is \"bogus\", expected one of \"fastest\", \"chain\", "
            "\"recursive doubling\", \"binomial trees\"");
  EXPECT_EQ(problem("{\"scan\": [\n{\"ranks\": 0, \"algorithm\": \"chain\"}]}"),
            "m.json:2: \"ranks\" is 0, expected a whole number of at least 1");
  EXPECT_EQ(problem("{\"scan\": [{\"ranks\": 2}]}"),
            "m.json:1: a row of \"scan\" without \"algorithm\", expected one of \"fastest\", "
            "\"chain\", \"recursive doubling\", \"binomial trees\"");
  EXPECT_EQ(
      problem("{\n\"gossip\": []}").substr(0, 60),
      std::string("m.json:2: \"gossip\" is [], expected an operation, one of \"bro").substr(0, 60));
}

TEST(Machine, RefusesWithFileAndLine) {
  EXPECT_EQ(problemOfMachine("{\n\"L\": 1,\n}"),
            "m.json:3: not JSON, expected an object with L, o_send, o_recv, g and G");
  EXPECT_EQ(problemOfMachine("[1]"), "m.json:1: found array, expected an object of parameters");
  EXPECT_EQ(problemOfMachine("{\"L\": 1}"),
            "m.json:1: no \"o_send\", expected it as a number of at least 0");
  EXPECT_EQ(problemOfMachine("{" + required + ",\n\n\"O\": -1}"),
            "m.json:3: \"O\" is -1, expected a number of at least 0");
  EXPECT_EQ(problemOfMachine("{" + required + ",\n\"ranks_per_node\": 0.5}"),
            "m.json:2: \"ranks_per_node\" is 0.5, expected a whole number of at least 1");
  EXPECT_EQ(problemOfMachine("{" + required + ",\n\"intra\": {\n\"L\": \"fast\"}}"),
            "m.json:3: \"L\" is \"fast\", expected a number of at least 0");
  EXPECT_EQ(problemOfMachine("{" + required + ",\n\"node_port\": {\"g\": 1e-6}}"),
            "m.json:2: no \"G\", expected it as a number of at least 0");
  EXPECT_EQ(problemOfMachine("{" + required + ",\n\"node_port\": 1}"),
            "m.json:2: \"node_port\" is 1, expected an object with g and G");
  EXPECT_EQ(problemOfMachine("{" + required + ",\n\"shared_ports\": 1}"),
            "m.json:2: \"shared_ports\" is 1, expected true or false");
  const std::string rows = "{" + required + ",\n\"measured_collectives\": ";
  EXPECT_EQ(problemOfMachine(rows + "7}"), "m.json:2: \"measured_collectives\" is 7, expected a "
                                           "list of rows {operation, ranks, bytes, seconds}");
  EXPECT_EQ(problemOfMachine(rows + "[\n{\"operation\": \"scan\"}]}"),
            "m.json:3: \"operation\" is \"scan\", expected broadcast, scatter, gather, allgather, "
            "all-to-all or reduce");
  const std::string good = R"({"operation": "reduce", "ranks": 8, "bytes": 8, "seconds": 1})";
  EXPECT_EQ(problemOfMachine(rows + "[" + good +
                             ",\n{\"operation\": \"reduce\", \"ranks\": 2.5, "
                             "\"bytes\": 8, \"seconds\": 1}]}"),
            "m.json:3: \"ranks\" is 2.5, expected a whole number of at least 1");
  EXPECT_EQ(problemOfMachine(rows + "[" + good + ",\n{\"operation\": \"reduce\", \"ranks\": 2}]}"),
            "m.json:3: no \"bytes\", expected it as a number of at least 0");
  EXPECT_EQ(problemOfMachine("{" + required + ",\n\"incast\": 7}"),
            "m.json:2: \"incast\" is 7, expected a list of rows {senders, bytes, factor}");
  EXPECT_EQ(problemOfMachine("{" + required + ",\n\"calibration\": {\n\"unstable\": [7]}}"),
            "m.json:3: \"unstable\" is [7], expected a list of names of figures");
}

TEST(Machine, DefaultIsComplete) {
  Machine machine = defaultMachine();
  EXPECT_EQ(machine.name, "default: switched Gigabit Ethernet");
  EXPECT_GT(machine.between.L, 0);
  EXPECT_GT(machine.between.G, 0);
}
