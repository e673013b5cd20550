// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain is one of the broadcasts, so the tests of all algorithms check its schedule, its
// formula and plans that use it. Here is only what is its own: who sends to whom.

#include "analysis/schedules/Collectives.h"

#include <gtest/gtest.h>

#include <utility>

namespace sendwright {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Sender and receiver of each message; empty if no broadcast has this name.
Pairs messagesOf(std::string_view name, const CollectiveTask &task) {
  Pairs pairs;
  for (const CollectiveAlgorithm &algorithm : algorithmsOf(Collective::Broadcast))
    if (algorithm.name == name)
      for (const ScheduledMessage &message :
           algorithm.schedule(task, LinkParameters(), SlotsKept::No).messages)
        pairs.emplace_back(message.from, message.to);
  return pairs;
}

TEST(ChainBroadcast, EachRankPassesTheMessageToTheNext) {
  EXPECT_EQ(messagesOf("chain", {5, 100, 3}), (Pairs{{3, 4}, {4, 0}, {0, 1}, {1, 2}}));
}

} // namespace
} // namespace sendwright
