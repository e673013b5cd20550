// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/CommonPatterns.h"

#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace sendwright {
namespace {

/// Letters are patterns, '-' is an execution that sends nothing, and '|' a collective call.
PatternHistory historyOf(const std::string &text) {
  PatternRecord record;
  std::uint64_t calls = 0;
  for (const char letter : text)
    if (letter == '|')
      ++calls;
    else
      record.note(letter == '-' ? 0 : static_cast<std::uint64_t>(letter), calls);
  return record.history(calls);
}

std::string repeated(const std::string &text, int times) {
  std::string all;
  while (times-- > 0)
    all += text;
  return all;
}

/// A rank's letters in the order in which the record numbers them.
std::string lettersOf(const std::string &text) {
  std::string letters = "-";
  for (const char letter : text)
    if (letter != '|' && letters.find(letter) == std::string::npos)
      letters += letter;
  return letters;
}

/// Each common pattern as a word, with a letter for each rank.
std::set<std::string> common(const std::vector<std::string> &ranks) {
  std::vector<PatternHistory> histories;
  for (const std::string &text : ranks)
    histories.push_back(historyOf(text));
  std::set<std::string> words;
  for (const CommonPattern &one : findCommonPatterns(histories).patterns) {
    std::string word;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      word += lettersOf(ranks[rank])[one.ofRanks[rank]];
    words.insert(word);
  }
  return words;
}

using Words = std::set<std::string>;

TEST(CommonPatterns, RanksThatExecuteTheLoopAlikeNeedNoCalls) {
  EXPECT_EQ(common({repeated("abacaab", 10), repeated("xyx-xxy", 10)}), (Words{"ax", "by", "c-"}));
}

TEST(CommonPatterns, OneThatIsAheadIsCutOff) {
  EXPECT_EQ(common({repeated("abac", 10) + "cc", repeated("xyxz", 10)}), (Words{"ax", "by", "cz"}));
}

TEST(CommonPatterns, WhatComesSeldomIsNoPattern) {
  EXPECT_EQ(common({repeated("aab", 10) + "cc", repeated("xxy", 10) + "zz"}), (Words{"ax", "by"}));
}

TEST(CommonPatterns, ARankThatCannotTellThemApartTakesPartInNeither) {
  EXPECT_EQ(common({repeated("abcbac", 6), repeated("xxyxxy", 6)}), (Words{"a-", "b-", "cy"}));
}

TEST(CommonPatterns, WhatWasSentBeforeTellsThemApart) {
  EXPECT_EQ(common({repeated("|aabc", 12) + "|", repeated("|xxyx", 12) + "|"}),
            (Words{"ax", "by", "cx"}));
  std::vector<PatternHistory> histories{historyOf(repeated("|aabc", 12) + "|"),
                                        historyOf(repeated("|xxyx", 12) + "|")};
  const CommonPatterns found = findCommonPatterns(histories);
  ASSERT_EQ(found.patterns.size(), 3U);
  EXPECT_EQ(found.patterns.front().executions, 24U);
  const PatternContext &often = found.patterns.front().contexts.at(1);
  EXPECT_EQ(often.after, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(often.notAfter, (std::vector<std::uint32_t>{2}));
}

TEST(CommonPatterns, ARankThatLeavesOutCoarseLevelsTakesPartInFineOnes) {
  const std::string all = "|a|aaabcccdeeefeegcchaa", fine = "|x|xxxyzzzu-zzvxx", none = "|p|ppppp";
  EXPECT_EQ(common({repeated(all, 5) + "|", repeated(fine, 5) + "|", repeated(none, 5) + "|"}),
            (Words{"axp", "by-", "cz-", "du-", "e--", "f--", "g--", "hv-"}));
}

TEST(CommonPatterns, TheLongestRankMayBeTheOneThatSendsTheSameInTwo) {
  EXPECT_EQ(common({repeated("|a|aabbaa", 16) + "|", repeated("|x|xx-x", 16) + "|",
                    repeated("|y|yy-y", 16) + "|"}),
            (Words{"a--", "axy", "b--"}));
}

TEST(CommonPatterns, WithoutCallsSuchARankTakesPartInNothing) {
  EXPECT_EQ(common({repeated("aabca", 20), repeated("xxx", 33)}), (Words{"a-", "b-", "c-"}));
}

TEST(CommonPatterns, WhereTheGapMayBeInSeveralPlacesNothingIsGuessed) {
  EXPECT_EQ(common({repeated("|abc", 9) + "|", repeated("|x", 9) + "|"}),
            (Words{"a-", "b-", "c-"}));
}

TEST(CommonPatterns, ARankThatContradictsTheOthersTakesPartInNothing) {
  EXPECT_EQ(common({repeated("aab", 20), repeated("xyyzy", 12), repeated("uuv", 20)}),
            (Words{"a-u", "b-v"}));
}

TEST(CommonPatterns, OnlyTheLatestExecutionsCount) {
  EXPECT_EQ(common({"|aaaa|bbbb" + repeated("|abb", 60) + "|",
                    "|xxxx|xxxx" + repeated("|xyy", 60) + "|"}),
            (Words{"ax", "by"}));
}

TEST(CommonPatterns, ASetUpThatContradictsIsLeftOut) {
  EXPECT_EQ(common({"|aa" + repeated("|aab", 12) + "|", "|y" + repeated("|xxy", 12) + "|",
                    "|uv" + repeated("|uuv", 12) + "|"}),
            (Words{"axu", "byv"}));
}

TEST(CommonPatterns, ExecutionsAreCountedFromTheFirstThatWasLookedAt) {
  const PatternHistory one = historyOf(repeated("|abb", 60) + "|");
  const CommonPatterns found = findCommonPatterns({one, one});
  EXPECT_EQ(found.from, (ExecutionMoment{29, 0}));
  EXPECT_EQ(found.executions, 96U);
  ASSERT_EQ(found.patterns.size(), 2U);
  EXPECT_EQ(found.patterns[0].executions, 64U);
}

TEST(CommonPatterns, HistoriesThatDoNotOverlapHaveNone) {
  EXPECT_EQ(common({repeated("a", 4), repeated("||||x", 4)}), Words());
  EXPECT_TRUE(findCommonPatterns({}).patterns.empty());
  EXPECT_TRUE(findCommonPatterns({PatternHistory(), PatternHistory()}).patterns.empty());
}

/// Whatever ranks say: a rank's pattern is in at most one common pattern, and all ranks of a common
/// pattern have executed it equally often.
TEST(CommonPatterns, AllRanksCountTheExecutionsOfACommonPatternAlike) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::vector<PatternRecord> records(3);
    std::uint64_t calls = 0;
    const bool mayLeaveOut = random() % 2;
    const unsigned patterns = 1 + random() % 5, length = 10 + random() % 300;
    for (unsigned step = 0; step < length; ++step) {
      const unsigned kind = random() % patterns;
      for (unsigned rank = 0; rank < records.size(); ++rank)
        if (!mayLeaveOut || kind < 3 || rank == 0)
          records[rank].note((kind + rank) % 4 == 0 ? 0 : 1 + kind / (1 + rank % 2), calls);
      calls += random() % 6 == 0;
    }
    ++calls;
    std::vector<PatternHistory> histories;
    for (const PatternRecord &record : records)
      histories.push_back(record.history(calls));
    const CommonPatterns found = findCommonPatterns(histories);
    for (std::size_t rank = 0; rank < records.size(); ++rank) {
      std::set<std::uint32_t> own;
      for (const CommonPattern &one : found.patterns)
        if (one.ofRanks[rank] != 0) {
          const PatternContext &context = one.contextOf(rank);
          EXPECT_TRUE(own.insert(one.ofRanks[rank]).second || !context.after.empty());
          EXPECT_EQ(records[rank].countFrom(found.from, one.ofRanks[rank], context),
                    one.executions);
        }
    }
  }
}

TEST(PatternRecord, NumbersPatternsAndKnowsWhenTheyWereThere) {
  PatternRecord record;
  EXPECT_EQ(record.note(7, 2), 1U);
  EXPECT_EQ(record.note(0, 2), 0U);
  EXPECT_EQ(record.note(9, 3), 2U);
  EXPECT_EQ(record.note(7, 3), 1U);
  EXPECT_EQ(record.numberOf(9), 2U);
  EXPECT_EQ(record.numberOf(8), 0U);
  const std::vector<PastExecution> expected{{{2, 0}, 1}, {{2, 1}, 0}, {{3, 0}, 2}, {{3, 1}, 1}};
  EXPECT_EQ(record.history(4).executions, expected);
  EXPECT_EQ(record.countFrom({2, 0}, 1), 2U);
  EXPECT_EQ(record.countFrom({2, 1}, 1), 1U);
}

TEST(PatternRecord, ARowIsOfPatternsThatWereThereTwice) {
  PatternRecord record;
  for (const std::uint64_t digest : {5, 6, 5, 6})
    record.note(digest, 0);
  EXPECT_EQ(record.repeated(), 0U);
  record.note(5, 0);
  record.note(6, 0);
  EXPECT_EQ(record.repeated(), 2U);
  record.note(8, 0);
  EXPECT_EQ(record.repeated(), 0U);
}

TEST(PatternRecord, ForgetsEverythingWhenThereAreTooManyPatterns) {
  PatternRecord record;
  for (std::uint64_t digest = 1; digest <= PatternRecord::mostPatterns; ++digest)
    record.note(digest, 0);
  EXPECT_EQ(record.forgotten(), 0U);
  EXPECT_EQ(record.note(1000, 0), 1U);
  EXPECT_EQ(record.forgotten(), 1U);
  EXPECT_EQ(record.countFrom({0, 5}, 1), std::nullopt);
  EXPECT_EQ(record.countFrom({0, PatternRecord::mostPatterns}, 1), 1U);
}

TEST(PatternRecord, OldExecutionsAreForgotten) {
  PatternRecord record;
  for (std::size_t times = 0; times <= PatternRecord::length; ++times)
    record.note(3, 0);
  record.note(3, 1);
  EXPECT_EQ(record.countFrom({0, 1}, 1), std::nullopt);
  EXPECT_EQ(record.countFrom({0, 2}, 1), PatternRecord::length);
}

TEST(PatternRecord, AllExecutionsSinceTheLastCallAreCounted) {
  PatternRecord record;
  record.note(3, 0);
  for (std::size_t times = 0; times <= PatternRecord::length; ++times)
    record.note(4, 1);
  EXPECT_EQ(record.countFrom({1, 0}, 2), PatternRecord::length + 1);
  EXPECT_EQ(record.countSince(1, 2), PatternRecord::length + 1);
  EXPECT_EQ(record.countSince(2, 2), 0U);
  EXPECT_EQ(record.history(1).sinceCall,
            (std::vector<std::uint64_t>{0, PatternRecord::length + 1}));
  EXPECT_EQ(record.history(2).sinceCall, (std::vector<std::uint64_t>{0, 0}));
}

TEST(PatternRecord, CountsWhatCameAfterOtherPatterns) {
  PatternRecord record;
  for (const std::uint64_t digest : {7, 9, 7, 7, 0, 7})
    record.note(digest, 0);
  EXPECT_EQ(record.countFrom({0, 1}, 1, {{2, 0}, {1}}), 2U);
  EXPECT_EQ(record.countFrom({0, 1}, 1, {{1}, {2, 0}}), 1U);
  EXPECT_EQ(record.countFrom({0, 0}, 1, {{0}, {1, 2}}), 2U);
}

TEST(PatternRecord, WhatWasForgottenIsNotCounted) {
  PatternRecord record;
  for (std::uint64_t digest = 0; digest <= PatternRecord::mostPatterns + 1; ++digest)
    record.note(1 + digest, 1);
  EXPECT_TRUE(record.history(1).sinceCall.empty());
  EXPECT_EQ(record.countFrom({1, 0}, 1), std::nullopt);
  record.note(1, 2);
  EXPECT_EQ(record.countFrom({2, 0}, record.numberOf(1)), 1U);
}

TEST(PatternHistory, BytesAreReadAsTheyWereWritten) {
  const PatternHistory history = historyOf("ab|-a||b");
  ByteWriter out;
  encodeHistory(out, history);
  const std::string bytes = out.take();
  ByteReader in(bytes, "a history");
  const PatternHistory read = decodeHistory(in, 2);
  EXPECT_EQ(read.sinceCall, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(read.calls, history.calls);
  EXPECT_EQ(read.executions, history.executions);
  ByteReader again(bytes, "a history");
  EXPECT_THROW(decodeHistory(again, 1), FormatError);
  ByteReader more(bytes, "a history");
  EXPECT_THROW(decodeHistory(more, 3), FormatError);
}

TEST(PatternHistory, MomentsThatGoBackAreAnError) {
  PatternHistory history = historyOf("a|a");
  std::swap(history.executions[0].moment, history.executions[1].moment);
  ByteWriter out;
  encodeHistory(out, history);
  const std::string bytes = out.take();
  ByteReader in(bytes, "a history");
  EXPECT_THROW(decodeHistory(in, 1), FormatError);
}

} // namespace
} // namespace sendwright
