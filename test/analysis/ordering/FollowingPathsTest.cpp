// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The longest chain that follows a point of a run. Runs are text traces; a send takes 4.

#include "analysis/ordering/FollowingPaths.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/epochs/RandomTrace.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

/// L 10, o_recv 3, g 4, G 1.
Machine chainMachine() {
  Machine machine;
  machine.between = {10, 2, 3, 4, 1};
  return machine;
}

/// For each rank, what follows each of its events.
std::vector<std::vector<double>> pathsOf(const std::string &text, std::uint64_t limit = 1000) {
  const Profile profile = parseTextTrace("sendwright-trace 1\n" + text, "run.trace");
  const Timeline timeline = unroll(profile, limit);
  const FollowingPaths paths(timeline, chainMachine());
  std::vector<std::vector<double>> lengths(timeline.ranks.size());
  for (std::size_t rank = 0; rank < lengths.size(); ++rank)
    for (std::size_t position = 0; position < timeline.ranks[rank].size(); ++position)
      lengths[rank].push_back(paths.after(rank, position));
  return lengths;
}

using Lengths = std::vector<double>;

} // namespace

TEST(FollowingPaths, OfWhatARankDoesAloneItIsWorkAndSends) {
  const auto paths = pathsOf("ranks 3\n"
                             "rank 0\nirecv 1 req=1\ncompute 7\nsend 1\nsend 2\nwait req=1\n"
                             "collective barrier\ncompute 1\n"
                             "rank 1\nirecv 0 req=1\nsend 0\nwait req=1\ncollective barrier\n"
                             "compute 5\n"
                             "rank 2\nrecv 0\ncollective barrier\ncompute 2\n");
  // Messages that their receivers only take before they synchronise cost no time.
  EXPECT_EQ(paths[0], (Lengths{20, 13, 9, 5, 5, 1, 0}));
  EXPECT_EQ(paths[1], (Lengths{9, 5, 5, 5, 0}));
  EXPECT_EQ(paths[2], (Lengths{5, 2, 0}));
}

TEST(FollowingPaths, AChainGoesOnAtTheReceiver) {
  // Rank 1 computes 100 after the message from rank 0, which takes 7 G for its 8 bytes, L and
  // o_recv.
  const auto paths = pathsOf("ranks 3\n"
                             "rank 0\ncompute 1\nsend 2\nsend 1 bytes=8\ncompute 30\n"
                             "rank 1\nrecv 0\ncompute 100\nsend 2\n"
                             "rank 2\nrecv 0\nrecv 1\n");
  EXPECT_EQ(paths[1], (Lengths{104, 4, 0}));
  EXPECT_EQ(paths[0], (Lengths{132, 128, 30, 0}));
}

TEST(FollowingPaths, EveryRunIsFollowedToItsBeginningAlsoOneThatWasCut) {
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (const std::uint64_t limit : {1000, 60, 11}) {
      const std::string text = randomTrace(seed, 5, 60);
      for (const Lengths &rank : pathsOf(text.substr(text.find('\n') + 1), limit))
        for (std::size_t position = 1; position < rank.size(); ++position)
          EXPECT_LE(rank[position], rank[position - 1]) << seed;
    }
}
