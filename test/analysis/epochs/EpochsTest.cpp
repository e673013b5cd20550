// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epochs themselves: which calls wait for one another in a circle if nothing is buffered, and in
// which order epochs come.

#include "analysis/epochs/Epochs.h"
#include "analysis/epochs/EpochWalk.h"
#include "analysis/epochs/graph/UnboundedExecution.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/epochs/RandomTrace.h"
#include "test/analysis/run/RunBuilder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sendwright {
namespace {

struct Found {
  CommunicationGraph graph;
  Epochs epochs;

  explicit Found(const Profile &profile) {
    const TraceLocation locate("run", profile);
    graph = buildCommunicationGraph(profile, locate);
    EpochFinder finder(graph);
    executeUnbounded(graph, profile, locate, [&finder](Node node) { finder.visit(node); });
    epochs = finder.take();
  }
  explicit Found(const std::string &trace)
      : Found(parseTextTrace("sendwright-trace 1\n" + trace, "run")) {}

  std::uint32_t epochOf(std::uint32_t rank, std::uint32_t position) const {
    return epochs.epochOf[graph.representative(graph.begin[rank] + position)];
  }

  /// The circular epochs: "RANK:FIRST-LAST" for each rank in the epoch, positions from 1; in
  /// brackets if the epoch ends without buffers.
  std::vector<std::string> circles() const {
    std::vector<std::string> lines;
    for (EpochWalk walk(graph, epochs); walk.next();) {
      if (!walk.circular())
        continue;
      std::vector<std::string> parts(graph.ranks());
      for (const NodeRange &range : walk.ranges())
        parts[range.rank] = std::to_string(range.rank) + ":" +
                            std::to_string(graph.position(range.first)) + "-" +
                            std::to_string(graph.position(range.last));
      std::string line;
      for (const std::string &part : parts)
        line += (line.empty() || part.empty() ? "" : " ") + part;
      lines.push_back(endsUnbuffered(graph, walk.ranges()) ? "(" + line + ")" : line);
    }
    return lines;
  }
};

using Lines = std::vector<std::string>;

TEST(Epochs, CallsInOrderWaitInNoCircle) {
  const Found found("ranks 2\nrank 0\nsend 1\nrecv 1\nrank 1\nrecv 0\nsend 0\n");
  EXPECT_EQ(found.circles(), Lines{});
  // A blocking send and its receive are one node.
  EXPECT_EQ(found.epochOf(0, 1), found.epochOf(1, 1));
  EXPECT_LT(found.epochOf(0, 1), found.epochOf(0, 2));
}

TEST(Epochs, HeadOnSendsAreACircleOfBothRanks) {
  const Found found("ranks 2\nrank 0\nsend 1\nrecv 1\nrank 1\nsend 0\nrecv 0\n");
  EXPECT_EQ(found.circles(), Lines{"0:1-2 1:1-2"});
}

TEST(Epochs, ACircleHoldsNoCallBeforeOrBehindItNorABystander) {
  const Found found("ranks 4\n"
                    "rank 0\nsend 3\nsend 1\nrecv 2\nsend 3\n"
                    "rank 1\nsend 2\nrecv 0\n"
                    "rank 2\nsend 0\nrecv 1\n"
                    "rank 3\nrecv 0\nrecv 0\n");
  EXPECT_EQ(found.circles(), Lines{"0:2-3 1:1-2 2:1-2"});
  EXPECT_LT(found.epochOf(0, 1), found.epochOf(0, 2));
  EXPECT_LT(found.epochOf(0, 2), found.epochOf(0, 4));
}

TEST(Epochs, CirclesThatFollowOneAnotherAreTwo) {
  const std::string zero = "send 1\nrecv 1\n", one = "send 0\nrecv 0\n";
  const Found found("ranks 2\nrank 0\n" + zero + zero + "rank 1\n" + one + one);
  EXPECT_EQ(found.circles(), (Lines{"0:1-2 1:1-2", "0:3-4 1:3-4"}));
}

/// The posted receive takes the message, so that nobody waits.
TEST(Epochs, APostedReceiveOpensTheCircle) {
  EXPECT_EQ(Found("ranks 2\nrank 0\nirecv 1 req=1\nsend 1\nwait req=1\n"
                  "rank 1\nsend 0\nrecv 0\n")
                .circles(),
            Lines{});
}

/// A send waits for a rank that waits in a collective for the sender.
TEST(Epochs, ACollectiveBetweenSendAndReceiveIsInTheCircle) {
  const Found found(
      "ranks 3\nrank 0\nsend 1\ncollective barrier\nrank 1\ncollective barrier\nrecv 0\n"
      "rank 2\ncollective barrier\n");
  EXPECT_EQ(found.circles(), Lines{"0:1-2 1:1-2 2:1-1"});
}

/// Calls that send and receive wait for one another and end.
TEST(Epochs, ARingOfSendrecvsIsACircleThatEnds) {
  RunBuilder run(3);
  for (int rank = 0; rank < 3; ++rank)
    for (int step = 0; step < 2; ++step)
      run.sendReceive(rank, (rank + 1) % 3, (rank + 2) % 3, 0, 8, noSite);
  EXPECT_EQ(Found(run.profile).circles(), (Lines{"(0:1-3 1:1-3 2:1-3)", "(0:4-6 1:4-6 2:4-6)"}));
}

/// The Sendrecv waits for both calls of the other rank, of which the second waits for the first.
TEST(Epochs, ASendrecvWaitsForWhatItReceivesAndForWhoReceivesWhatItSends) {
  RunBuilder run(2);
  run.sendReceive(0, 1, 1, 0, 8, noSite);
  run.send(1, 0, 8, noSite);
  run.receive(1, 0);
  EXPECT_EQ(Found(run.profile).circles(), Lines{"(0:1-3 1:1-2)"});
}

/// By definition: no epoch waits for a later epoch, and every node but a rank's start is in an
/// epoch.
TEST(Epochs, RandomRunsHaveTheirEpochsInAnExecutableOrder) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Found found(parseTextTrace(randomTrace(seed, 2 + static_cast<int>(seed % 5), 30), "run"));
    const CommunicationGraph &graph = found.graph;
    std::vector<std::uint32_t> parts(graph.ranks());
    Node nodes = graph.ranks();
    std::uint32_t earlier = 0;
    for (EpochWalk walk(graph, found.epochs); walk.next();) {
      if (walk.ranges().empty()) // a non-blocking collective
        continue;
      const NodeRange &any = walk.ranges().front();
      const std::uint32_t epoch = found.epochs.epochOf[graph.representative(any.first)];
      ASSERT_LT(earlier, epoch) << "seed " << seed;
      earlier = epoch;
      for (const NodeRange &range : walk.ranges()) {
        nodes += range.last - range.first + 1;
        ++parts[range.rank];
        for (Node node = range.first; node <= range.last; ++node) {
          const Node representative = graph.representative(node);
          ASSERT_EQ(found.epochs.epochOf[representative], epoch) << "seed " << seed;
          Node before;
          for (std::uint32_t arc = 0; (before = predecessor(graph, representative, arc)) != noNode;
               ++arc)
            ASSERT_LE(found.epochs.epochOf[before], epoch) << "seed " << seed;
        }
      }
    }
    EXPECT_EQ(nodes, graph.nodes()) << "seed " << seed;
    EXPECT_EQ(parts, found.epochs.ofRank) << "seed " << seed;
  }
}

} // namespace
} // namespace sendwright
