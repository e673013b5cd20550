// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epochs one by one, the super epochs that they belong to, and the layout of a drawing.

#include "analysis/epochs/EpochList.h"
#include "analysis/file/FormatError.h"
#include "analysis/trace/TextTrace.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

/// Ranks 1 and 2 exchange values twice, then report to rank 0.
constexpr const char *twoExchanges = "rank 0\nrecv 1\nrecv 2\n"
                                     "rank 1\nsend 2\nrecv 2\nsend 2\nrecv 2\nsend 0\n"
                                     "rank 2\nsend 1\nrecv 1\nsend 1\nrecv 1\nsend 0\n";

EpochAnalysis analyzeListed(const std::string &events, std::vector<std::uint32_t> buffers = {}) {
  const std::string text = "sendwright-trace 1\nranks 3\n" + events;
  const Profile profile = parseTextTrace(text, "t.trace");
  return analyzeEpochs(profile, TraceLocation("t.trace", profile, text), std::move(buffers));
}

TEST(EpochList, NamesKindMessagesRanksAndSuperEpoch) {
  const EpochAnalysis analysis = analyzeListed(twoExchanges);
  const EpochList list = listEpochs(analysis, "t.trace");
  ASSERT_EQ(list.epochs.size(), analysis.figures.epochs);
  ASSERT_EQ(list.epochs.size(), 4U);
  const ListedEpoch &second = list.epochs[1];
  EXPECT_TRUE(second.isComplex);
  EXPECT_EQ(second.superEpoch, 1U);
  EXPECT_EQ(second.messages, 2U);
  ASSERT_EQ(second.ranks.size(), 2U);
  EXPECT_EQ(second.ranks[0].rank, 1U);
  EXPECT_EQ(second.ranks[0].eventsBefore, 2U);
  EXPECT_EQ(second.ranks[0].events, 2U);
  const ListedEpoch &last = list.epochs[3];
  EXPECT_FALSE(last.isComplex);
  EXPECT_EQ(last.superEpoch, 2U);
  EXPECT_EQ(last.ranks[0].rank, 0U);
  EXPECT_EQ(last.ranks[0].events, 1U);
}

TEST(EpochList, AddsUpToSuperEpochs) {
  const EpochAnalysis analysis = analyzeListed(twoExchanges);
  const EpochList list = listEpochs(analysis, "t.trace");
  ASSERT_EQ(list.superEpochs.size(), analysis.superEpochs.count);
  EXPECT_EQ(list.superEpochs[0].ranks, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(list.superEpochs[0].complexEpochs, 1U);
  EXPECT_EQ(list.superEpochs[2].ranks, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(list.superEpochs[2].epochs, 2U);
  EXPECT_EQ(list.superEpochs[2].messages, 2U);
  const EpochList together = listEpochs(analyzeListed(twoExchanges, {2}), "t.trace");
  ASSERT_EQ(together.superEpochs.size(), 1U);
  EXPECT_EQ(together.superEpochs[0].epochs, 4U);
}

TEST(EpochList, TheLargestIsTheComplexEpochWithTheMostMessages) {
  const EpochList list = listEpochs(analyzeListed(twoExchanges), "t.trace");
  EXPECT_EQ(largestEpoch(list), 0U); // the first of two
  EXPECT_EQ(largestEpoch(listEpochs(analyzeListed("rank 0\nsend 1\nrank 1\nrecv 0\n"), "t")), 0U);
  EXPECT_FALSE(largestEpoch(listEpochs(analyzeListed(""), "t")));
}

TEST(EpochDrawing, AReceiveIsRightOfItsSend) {
  const EpochAnalysis analysis = analyzeListed(twoExchanges);
  const EpochList list = listEpochs(analysis, "t.trace");
  EXPECT_EQ(verticesOf(list.epochs[0]), 4U);
  const EpochDrawing drawing = drawEpoch(analysis.graph, list.epochs[0]);
  EXPECT_EQ(drawing.ranks, (std::vector<std::uint32_t>{1, 2}));
  ASSERT_EQ(drawing.vertices.size(), 4U);
  EXPECT_EQ(drawing.columns, 2U);
  std::size_t messages = 0;
  for (const EpochArc &arc : drawing.arcs) {
    messages += arc.isMessage;
    EXPECT_LT(drawing.vertices[arc.from].column, drawing.vertices[arc.to].column);
  }
  EXPECT_EQ(messages, 2U);
  EXPECT_EQ(drawing.arcs.size(), 4U);
}

TEST(EpochDrawing, LeavesOutMessagesOfOtherEpochs) {
  const EpochAnalysis analysis = analyzeListed("rank 0\nisend 1 req=1\nwait req=1\nrank 1\n"
                                               "irecv 0 req=1\nwait req=1\n");
  const EpochList list = listEpochs(analysis, "t.trace");
  ASSERT_EQ(list.epochs.size(), 1U);
  EXPECT_EQ(list.epochs[0].ranks.size(), 1U);
  EXPECT_TRUE(drawEpoch(analysis.graph, list.epochs[0]).arcs.empty());
}

} // namespace
} // namespace sendwright
