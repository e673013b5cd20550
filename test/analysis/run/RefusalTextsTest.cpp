// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentences of calls that could meet messages, and of ranks that wait in a circle.

#include "analysis/run/CircularWait.h"
#include "analysis/run/MatchingConflicts.h"

#include <gtest/gtest.h>

#include <set>

using namespace sendwright;

namespace {

/// Expects one sentence for each kind of a refusal.
template <typename Refusal> void expectSentences() {
  std::set<std::string> sentences;
  for (int number = 0; number <= static_cast<int>(Refusal::lastKind); ++number) {
    Refusal refusal;
    refusal.kind = static_cast<typename Refusal::Kind>(number);
    const std::string sentence = textOf(refusal);
    EXPECT_NE(sentence, "") << number;
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
}

} // namespace

TEST(RefusalTexts, EachKindHasASentenceOfItsOwn) {
  expectSentences<CircularWait>();
  expectSentences<MatchingConflict>();
}

TEST(RefusalTexts, ASentenceNamesItsFacts) {
  EXPECT_EQ(textOf(CircularWait{CircularWait::Kind::ComesTooLate, 2, 1}),
            "rank 2 comes to it only after rank 1, which would wait for it there");
  EXPECT_EQ(textOf(MatchingConflict{
                MatchingConflict::Kind::Send, MpiFunctionId::Send, {2, 3, 7}, "app.c:60"}),
            "rank 2 sends to rank 3 with tag 7 at app.c:60, too");
  EXPECT_EQ(textOf(MatchingConflict{MatchingConflict::Kind::Probe, MpiFunctionId::Iprobe, {}, ""}),
            "MPI_Iprobe could see its messages");
}
