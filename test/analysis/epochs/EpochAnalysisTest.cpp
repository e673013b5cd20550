// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each mode of MPI means for buffers, on traces that are easy to check; and wrong input.

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/file/FormatError.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/run/RunBuilder.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

using Numbers = std::vector<std::uint32_t>;

EpochAnalysis analyze(const std::string &events, Numbers buffers = {}) {
  const std::string text = "sendwright-trace 1\nranks 2\n" + events;
  const Profile profile = parseTextTrace(text, "t.trace");
  return analyzeEpochs(profile, TraceLocation("t.trace", profile, text), std::move(buffers));
}

std::string problem(const std::string &events, Numbers buffers = {}) {
  try {
    analyze(events, std::move(buffers));
  } catch (const FormatError &error) {
    return error.what();
  }
  return "";
}

TEST(EpochAnalysis, HeadOnSendsNeedABufferEach) {
  const EpochAnalysis result = analyze("rank 0\nsend 1\nrecv 1\nrank 1\nsend 0\nrecv 0\n");
  EXPECT_EQ(result.events(), 4U);
  EXPECT_EQ(result.graph.messages, 2U);
  EXPECT_EQ(result.figures.epochs, 1U);
  EXPECT_EQ(result.figures.complexEpochs, 1U);
  EXPECT_EQ(result.figures.buffers, (Numbers{1, 1}));
  EXPECT_EQ(result.figures.wholeProgramBuffers, (Numbers{1, 1}));
  EXPECT_FALSE(result.safeWithoutBuffers());
}

TEST(EpochAnalysis, OrderedSendsNeedNone) {
  const EpochAnalysis result = analyze("rank 0\nsend 1\nrecv 1\nrank 1\nrecv 0\nsend 0\n");
  EXPECT_EQ(result.figures.epochs, 2U);
  EXPECT_TRUE(result.safeWithoutBuffers());
  EXPECT_EQ(result.figures.buffers, (Numbers{0, 0}));
  EXPECT_EQ(result.figures.wholeProgramBuffers, (Numbers{1, 1}));
}

TEST(EpochAnalysis, SynchronousSendsNeedNone) {
  const EpochAnalysis result = analyze("rank 0\nssend 1\nrank 1\nrecv 0\n");
  EXPECT_EQ(result.figures.wholeProgramBuffers, (Numbers{0, 0}));
  EXPECT_TRUE(result.safeWithoutBuffers());
  EXPECT_EQ(
      analyze("rank 0\nissend 1 req=1\nwait req=1\nrank 1\nrecv 0\n").figures.wholeProgramBuffers,
      (Numbers{0, 0}));
}

TEST(EpochAnalysis, BufferedSendsBringTheirOwn) {
  EXPECT_TRUE(analyze("rank 0\nbsend 1\nrecv 1\nrank 1\nbsend 0\nrecv 0\n").safeWithoutBuffers());
}

TEST(EpochAnalysis, NonblockingSendsWaitOnlyWhereTheyAreWaitedFor) {
  EXPECT_TRUE(analyze("rank 0\nisend 1 req=1\nrecv 1\nwait req=1\n"
                      "rank 1\nisend 0 req=1\nrecv 0\nwait req=1\n")
                  .safeWithoutBuffers());
  EXPECT_FALSE(analyze("rank 0\nisend 1 req=1\nwait req=1\nrecv 1\n"
                       "rank 1\nisend 0 req=1\nwait req=1\nrecv 0\n")
                   .safeWithoutBuffers());
}

TEST(EpochAnalysis, PostedReceivesNeedNone) {
  EXPECT_TRUE(analyze("rank 0\nirecv 1 req=1\nsend 1\nwait req=1\n"
                      "rank 1\nirecv 0 req=1\nsend 0\nwait req=1\n")
                  .safeWithoutBuffers());
}

TEST(EpochAnalysis, ReceivesPostedBeforeTheSendByMessagesNotByTheClock) {
  const char *const ordered = "rank 0\nrecv 1 tag=1\nsend 1\n"
                              "rank 1\nirecv 0 req=1\nsend 0 tag=1\nwait req=1\n";
  EXPECT_EQ(analyze(ordered).figures.wholeProgramBuffers, (Numbers{1, 0}));
  const char *const early = "rank 0\nsend 1 t=9\nrank 1\nirecv 0 req=1 t=1\nwait req=1\n";
  EXPECT_EQ(analyze(early).figures.wholeProgramBuffers, (Numbers{0, 1}));
}

TEST(EpochAnalysis, MessagesToOneselfNeedABuffer) {
  EXPECT_EQ(analyze("rank 0\nsend 0\nrecv 0\n").figures.buffers, (Numbers{1, 0}));
  EXPECT_EQ(analyze("rank 0\nirecv 0 req=1\nsend 0\nwait req=1\n").figures.buffers,
            (Numbers{0, 0}));
  EXPECT_EQ(analyze("rank 0\nisend 0 req=1\nwait req=1\nrecv 0\n").figures.buffers,
            (Numbers{1, 0}));
}

TEST(EpochAnalysis, WildcardReceivesUseTheRecordedSource) {
  const EpochAnalysis result =
      analyze("rank 0\nrecv * from=1 tag=3\nrecv 1 tag=2\nrank 1\nsend 0 tag=2\nsend 0 tag=3\n");
  EXPECT_EQ(result.graph.wildcardReceives, 1U);
  EXPECT_EQ(result.figures.buffers, (Numbers{2, 0}));
}

TEST(EpochAnalysis, AnyTagTakesTheFirstMessage) {
  EXPECT_TRUE(analyze("rank 0\nrecv 1 tag=*\nrecv 1 tag=5\nrank 1\nsend 0 tag=2\nsend 0 tag=5\n")
                  .safeWithoutBuffers());
}

TEST(EpochAnalysis, TagsAndCommunicatorsKeepMessagesApart) {
  EXPECT_FALSE(analyze("rank 0\nrecv 1 comm=2\nrecv 1\nrank 1\nsend 0\nsend 0 comm=2\n")
                   .safeWithoutBuffers());
}

TEST(EpochAnalysis, NullRanksAreNothing) {
  const EpochAnalysis result =
      analyze("rank 0\nsend null\nirecv null req=1\nwait req=1\nrecv null\n");
  EXPECT_EQ(result.events(), 0U);
  EXPECT_EQ(result.superEpochs.count, 0U);
}

TEST(EpochAnalysis, CollectivesSynchronizeByWhatTheyImply) {
  auto whole = [](const std::string &collective) {
    return analyze("rank 0\nsend 1\n" + collective + "\nsend 1\nrank 1\nrecv 0\n" + collective +
                   "\nrecv 0\n")
        .figures.wholeProgramBuffers[1];
  };
  EXPECT_EQ(whole("collective barrier"), 1U);
  EXPECT_EQ(whole("collective bcast root=1"), 1U);
  EXPECT_EQ(whole("collective bcast root=0"), 2U);
  EXPECT_EQ(whole("collective reduce root=0"), 1U);
  EXPECT_EQ(whole("collective reduce root=1"), 2U);
  EXPECT_EQ(whole("collective scan"), 2U);
  EXPECT_EQ(whole("collective ibarrier req=1\nwait req=1"), 1U);
  EXPECT_EQ(whole("collective comm_dup"), 2U);
}

TEST(EpochAnalysis, CollectivesMayWaitForAllMembers) {
  auto sendBefore = [](const std::string &collective) {
    return analyze("rank 0\nsend 1\n" + collective + "\nrank 1\n" + collective + "\nrecv 0\n")
        .safeWithoutBuffers();
  };
  EXPECT_FALSE(sendBefore("collective barrier"));
  EXPECT_FALSE(sendBefore("collective bcast root=1"));
  EXPECT_FALSE(sendBefore("collective reduce root=0"));
  EXPECT_FALSE(sendBefore("collective cart_create"));
  EXPECT_FALSE(sendBefore("collective ibcast root=1 req=1\nwait req=1"));
  EXPECT_TRUE(analyze("rank 0\nsend 1\ncollective ibcast root=1 req=1\nwait req=1\n"
                      "rank 1\ncollective ibcast root=1 req=1\nrecv 0\nwait req=1\n")
                  .safeWithoutBuffers());
}

Event sendReceive(int to, int from) {
  Event event;
  event.function = MpiFunctionId::Sendrecv;
  event.peer = to;
  event.receivePeer = from;
  return event;
}

TEST(EpochAnalysis, SendrecvIsBothHalves) {
  RunBuilder run(3);
  for (int rank = 0; rank < 3; ++rank) {
    RankProfile &each = run.profile.ranks[static_cast<std::size_t>(rank)];
    each.events.push_back(sendReceive((rank + 1) % 3, (rank + 2) % 3));
    each.sequence.rules[0].push_back({0, false, 5});
  }
  const EpochAnalysis result = analyzeEpochs(run.profile, TraceLocation("ring", run.profile));
  EXPECT_EQ(result.graph.messages, 15U);
  EXPECT_TRUE(result.safeWithoutBuffers());
  EXPECT_EQ(result.superEpochs.count, 1U);
}

TEST(EpochAnalysis, BoundariesCountSendsAndReceives) {
  const std::string exchange = "send 1\nrecv 1\n", other = "send 0\nrecv 0\n";
  const EpochAnalysis result =
      analyze("rank 0\n" + exchange + exchange + "rank 1\n" + other + other);
  std::string text;
  formatBoundaries(result, [&](std::string_view piece) { text += piece; });
  EXPECT_EQ(text, "0:2 1:4\n0:2 1:4\n");
  const EpochAnalysis string = analyze("rank 0\nsend 1\nsend 1\nrecv 1\nrecv 1\n"
                                       "rank 1\nsend 0\nsend 0\nrecv 0\nrecv 0\n",
                                       {2});
  EXPECT_EQ(string.figures.buffers, (Numbers{2, 2}));
}

TEST(EpochAnalysis, PlacesThatCauseTheNeed) {
  const std::string whole = "sendwright-trace 1\nranks 2\nrank 0\nsend 1 site=a.c:7\nrecv 1\n"
                            "recv 1\nrank 1\nsend 0 site=a.c:7\nrecv 0\nsend 0 site=a.c:9\n";
  const Profile profile = parseTextTrace(whole, "t");
  const auto places =
      placesInNeed(profile, analyzeEpochs(profile, TraceLocation("t", profile, whole)));
  ASSERT_EQ(places.size(), 1U);
  EXPECT_EQ(places[0].name, "a.c:7");
  EXPECT_EQ(places[0].count, 2U);
}

TEST(EpochAnalysis, WrongTracesAreOneErrorWithItsLine) {
  EXPECT_EQ(problem("rank 0\nsend 1\n"),
            "t.trace:4: no receive takes this message from rank 0 to rank 1, expected one on rank "
            "1");
  EXPECT_EQ(problem("rank 0\n# nothing\nrecv 1\n"),
            "t.trace:5: no send matches this receive from rank 1, expected one");
  EXPECT_EQ(problem("rank 0\nrecv *\nrank 1\nsend 0\n"),
            "t.trace:4: no message is known for this receive from any source, expected the source "
            "that it took in the run (from= in a text trace)");
  EXPECT_EQ(problem("rank 1\ntruncated\n").substr(0, 45),
            "t.trace:4: the recording stopped here, expect");
  EXPECT_EQ(problem("rank 0\nssend 1\nrecv 1\nrank 1\nssend 0\nrecv 0\n"),
            "t.trace:4: this synchronous send waits for its receive that never comes (as do rank "
            "1, line 7): expected a run that can happen, even with buffers for every message");
  EXPECT_EQ(problem("rank 0\nrecv 1\nsend 1\nrank 1\nrecv 0\nsend 0\n").substr(0, 44),
            "t.trace:4: this receive waits for a message ");
  EXPECT_EQ(problem("rank 0\ncollective barrier\nrank 1\ncollective allreduce\n"),
            "t.trace:6: MPI_Allreduce, expected MPI_Barrier as on rank 0: collectives must be "
            "called in the same order by all");
  EXPECT_EQ(problem("rank 0\ncollective bcast root=1\nrank 1\ncollective bcast root=0\n"),
            "t.trace:6: root 0, expected root 1 as on rank 0: collectives must be called in the "
            "same order by all");
  EXPECT_EQ(problem("rank 0\ncollective barrier\n"),
            "t.trace:4: MPI_Barrier is called by 1 of 2 ranks, expected all of the communicator");
}

TEST(EpochAnalysis, TooFewBuffersNameTheRank) {
  const std::string both = "rank 0\nsend 1\nrecv 1\nrank 1\nsend 0\nrecv 0\n";
  EXPECT_EQ(problem(both, {0}), "t.trace: 0 buffers for rank 0, expected at least 1 (1 more ranks "
                                "need more, too)");
  EXPECT_EQ(problem(both, {1, 0}), "t.trace: 0 buffers for rank 1, expected at least 1");
  EXPECT_EQ(problem(both, {1, 2, 3}),
            "t.trace: 3 numbers of buffers, expected one for each of 2 ranks");
}

TEST(EpochAnalysis, AllocationsAreNumbers) {
  EXPECT_EQ(parseBuffers("4", "--buffers"), Numbers{4});
  EXPECT_EQ(parseBuffers("0,1,2", "--buffers"), (Numbers{0, 1, 2}));
  for (const char *wrong : {"", "-1", "1,x", "99999999999", "1;2", "@missing"})
    EXPECT_THROW(parseBuffers(wrong, "--buffers"), FormatError) << wrong;
}

} // namespace
} // namespace sendwright
