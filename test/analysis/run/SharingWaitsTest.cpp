// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circular waits: which shared exchange would leave ranks waiting for one another, and the
// sentences that say why. Messages sent from lines 1 to 9 of a.c are shared, one exchange for each
// line.

#include "analysis/run/SharingWaits.h"
#include "analysis/trace/TextTrace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace sendwright {
namespace {

constexpr unsigned allLines = 0;

/// One instance for each shared site. A rank enters it at its first send from there.
SharedMessages shareLines(const Profile &profile, const Timeline &timeline, unsigned only,
                          bool meets) {
  SharedMessages shared;
  shared.instanceOf.assign(timeline.messages.size(), SharedMessages::none);
  for (int site = 0; site < static_cast<int>(profile.sites.size()); ++site) {
    const unsigned line = profile.sites[static_cast<std::size_t>(site)].line;
    if (line > 9 || (only != allLines && line != only))
      continue;
    ExchangeInstance instance{site, {}, meets};
    for (std::size_t index = 0; index < timeline.messages.size(); ++index) {
      const EventPosition send = timeline.messages[index].send;
      if (timeline.ranks[send.rank].at(send.position).site != site)
        continue;
      shared.instanceOf[index] = static_cast<std::int64_t>(shared.instances.size());
      if (instance.entries.empty() || instance.entries.back().rank != send.rank)
        instance.entries.push_back(send);
    }
    shared.instances.push_back(instance);
  }
  return shared;
}

/// The result, by the lines of the exchanges.
std::map<unsigned, std::string> circles(const std::string &trace, unsigned only = allLines,
                                        bool meets = false) {
  const Profile profile = parseTextTrace("sendwright-trace 1\nranks 3\n" + trace, "run");
  const Timeline timeline = unroll(profile, 10000);
  std::map<unsigned, std::string> found;
  for (const auto &[site, wait] :
       findCircularWaits(timeline, shareLines(profile, timeline, only, meets)))
    found[profile.sites[static_cast<std::size_t>(site)].line] = textOf(wait);
  return found;
}

using Circles = std::map<unsigned, std::string>;

TEST(SharingWaits, AnExchangeThatAllEnterBeforeTheyWaitIsNoCircle) {
  EXPECT_EQ(circles("rank 0\nirecv 1 req=1\nsend 1 site=a.c:1\nwait req=1\n"
                    "rank 1\nirecv 0 req=1\nsend 0 site=a.c:1\nwait req=1\n"),
            Circles{});
}

/// A pipeline: the message may have to travel through the rank that waits for it.
TEST(SharingWaits, ARankThatReceivesBeforeItSendsWouldWaitForItself) {
  EXPECT_EQ(circles("rank 0\nsend 1 site=a.c:1\n"
                    "rank 1\nrecv 0\nsend 2 site=a.c:1\n"
                    "rank 2\nrecv 1\n"),
            (Circles{{1, "rank 1 waits for its messages before it has sent its own"}}));
}

TEST(SharingWaits, AMessageOutsideOfTheExchangeClosesACircle) {
  EXPECT_EQ(circles("rank 0\nsend 1 site=a.c:1\nrecv 2\n"
                    "rank 1\nrecv 0\nsend 2 tag=9\n"
                    "rank 2\nrecv 1 tag=9\nsend 0 site=a.c:1\n"),
            (Circles{{1, "rank 2 sends its own only after rank 1 has received its messages"}}));
}

TEST(SharingWaits, ACollectiveClosesACircle) {
  EXPECT_EQ(circles("rank 0\nsend 1 site=a.c:1\ncollective bcast root=1\n"
                    "rank 1\nrecv 0\ncollective bcast root=1\nrecv 2\n"
                    "rank 2\ncollective bcast root=1\nsend 1 site=a.c:1\n"),
            (Circles{{1, "rank 2 sends its own only after rank 1 has received its messages"}}));
}

TEST(SharingWaits, ANonblockingCollectiveIsWaitedForWhereItIsCompleted) {
  const std::string others = "rank 0\nsend 1 site=a.c:1\ncollective ibarrier req=1\nwait req=1\n"
                             "rank 1\nrecv 0\ncollective ibarrier req=1\nwait req=1\nrecv 2\n";
  EXPECT_EQ(circles(others + "rank 2\ncollective ibarrier req=1\nsend 1 site=a.c:1\nwait req=1\n"),
            Circles{});
  EXPECT_EQ(
      circles(others + "rank 2\ncollective ibarrier req=1\nwait req=1\nsend 1 site=a.c:1\n").size(),
      1U);
}

TEST(SharingWaits, OnlyTheExchangeThatClosesTheCircleIsNamed) {
  EXPECT_EQ(
      circles("rank 0\nirecv 1 req=1\nsend 1 site=a.c:1\nwait req=1\nsend 1 site=a.c:2\n"
              "irecv 1 req=1\nsend 1 site=a.c:3\nwait req=1\n"
              "rank 1\nirecv 0 req=1\nsend 0 site=a.c:1\nwait req=1\nrecv 0\nsend 2 site=a.c:2\n"
              "irecv 0 req=1\nsend 0 site=a.c:3\nwait req=1\n"
              "rank 2\nrecv 1\n"),
      (Circles{{2, "rank 1 waits for its messages before it has sent its own"}}));
}

/// Rank 0 enters the second exchange after the first is done, rank 1 the first after the second.
TEST(SharingWaits, OneOfTwoExchangesInACircleRemains) {
  const std::string trace = "rank 0\nrecv 2 tag=1\nsend 2 tag=2 site=a.c:2\n"
                            "rank 1\nrecv 2 tag=2\nsend 2 tag=1 site=a.c:1\n"
                            "rank 2\nsend 0 tag=1 site=a.c:1\nsend 1 tag=2 site=a.c:2\n"
                            "recv 0 tag=2\nrecv 1 tag=1\n";
  EXPECT_EQ(circles(trace).size(), 1U);
  EXPECT_EQ(circles(trace, 1), Circles{});
  EXPECT_EQ(circles(trace, 2), Circles{});
}

/// What rank 0 sends outside of the exchange before entering it waits for a receive that comes
/// after the exchange, unless it is buffered: by the program, or because the run must have buffered
/// it.
TEST(SharingWaits, SendsBesideTheExchangeAreBufferedOnlyWhereTheRunNeedsIt) {
  const auto found = [](const std::string &send, const std::string &headOn) {
    return circles("rank 0\n" + (headOn.empty() ? "" : "send 1 " + headOn + "\nrecv 1 tag=8\n") +
                   send +
                   " 1 tag=9 bytes=1000\nsend 2 site=a.c:1\n"
                   "rank 1\n" +
                   (headOn.empty() ? "" : "send 0 " + headOn + "\nrecv 0 tag=8\n") +
                   "recv 2\nrecv 0 tag=9\n"
                   "rank 2\nsend 1 site=a.c:1\nrecv 0\n");
  };
  const Circles circle{{1, "rank 0 sends its own only after rank 1 has received its messages"}};
  EXPECT_EQ(found("send", ""), circle);
  EXPECT_EQ(found("bsend", ""), Circles{});
  EXPECT_EQ(found("send", "tag=8 bytes=1000"), Circles{});
  EXPECT_EQ(found("send", "tag=8 bytes=999"), circle);
}

/// In a collective operation all ranks wait where they enter, even a rank that sends first.
TEST(SharingWaits, RanksThatMeetWaitWhereTheyEnter) {
  const std::string trace = "rank 0\nsend 1 site=a.c:1\nsend 1 tag=9\nrecv 1\n"
                            "rank 1\nirecv 0 req=1\nrecv 0 tag=9\nsend 0 site=a.c:1\nwait req=1\n";
  EXPECT_EQ(circles(trace), Circles{});
  EXPECT_EQ(circles(trace, allLines, true),
            (Circles{{1, "rank 1 comes to it only after rank 0, which would wait for it there"}}));
}

TEST(SharingWaits, NothingIsSharedInARunThatIsStuckWithoutIt) {
  const Circles found =
      circles("rank 0\nirecv 1 req=1\nsend 1 site=a.c:1\nwait req=1\nrecv 2\nsend 2\n"
              "rank 1\nirecv 0 req=1\nsend 0 site=a.c:1\nwait req=1\n"
              "rank 2\nrecv 0\nsend 0\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.at(1).substr(0, 39), "the run cannot be followed to its end t");
}

} // namespace
} // namespace sendwright
