// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run that is analysed part by part has the figures of the run that is analysed at once.

#include "analysis/epochs/EpochTotals.h"
#include "analysis/file/FormatError.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/Sanitized.h"
#include "test/analysis/epochs/RandomTrace.h"
#include "test/benchmark/epochs/Applications.h"

#include <gtest/gtest.h>

#include <string>

namespace sendwright {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// Each rank does `times` times what it did once.
Profile repeated(Profile profile, std::uint64_t times) {
  for (RankProfile &rank : profile.ranks) {
    Grammar &sequence = rank.sequence;
    if (sequence.rules.empty() || sequence.rules[0].empty())
      continue;
    for (std::vector<GrammarItem> &rule : sequence.rules)
      for (GrammarItem &item : rule)
        item.symbol += item.isRule ? 1 : 0;
    sequence.rules.insert(sequence.rules.begin(), {{1, true, times}});
  }
  return profile;
}

/// A first part of the program that is not repeated, so that ranks do not go in step.
Profile withBeginning(Profile profile, std::uint64_t seed) {
  for (std::size_t rank = 0; rank + 1 < profile.ranks.size(); ++rank) {
    Event send, receive;
    send.function = MpiFunctionId::Send;
    receive.function = MpiFunctionId::Recv;
    send.tag = receive.tag = 77;
    send.peer = static_cast<int>(rank) + 1;
    receive.peer = static_cast<int>(rank);
    auto front = [&](RankProfile &run, const Event &event) {
      run.events.push_back(event);
      if (run.sequence.rules.empty())
        run.sequence.rules.emplace_back();
      run.sequence.rules[0].insert(
          run.sequence.rules[0].begin(),
          {static_cast<std::uint32_t>(run.events.size() - 1), false, 1 + seed % 7});
    };
    front(profile.ranks[rank + 1], receive);
    front(profile.ranks[rank], send);
  }
  return profile;
}

void expectSame(const EpochAnalysis &parts, const EpochAnalysis &whole, const std::string &what) {
  EXPECT_EQ(parts.graph.ranks(), whole.graph.ranks()) << what;
  EXPECT_EQ(parts.graph.messages, whole.graph.messages) << what;
  EXPECT_EQ(parts.graph.wildcardReceives, whole.graph.wildcardReceives) << what;
  EXPECT_EQ(parts.graph.types.size(), whole.graph.types.size()) << what;
  EXPECT_EQ(parts.figures.epochs, whole.figures.epochs) << what;
  EXPECT_EQ(parts.figures.complexEpochs, whole.figures.complexEpochs) << what;
  EXPECT_EQ(parts.figures.buffers, whole.figures.buffers) << what;
  EXPECT_EQ(parts.figures.wholeProgramBuffers, whole.figures.wholeProgramBuffers) << what;
  EXPECT_EQ(parts.figures.buffered, whole.figures.buffered) << what;
  EXPECT_EQ(parts.superEpochs.count, whole.superEpochs.count) << what;
  EXPECT_EQ(parts.superEpochs.full, whole.superEpochs.full) << what;
  EXPECT_EQ(parts.superEpochs.partial, whole.superEpochs.partial) << what;
  EXPECT_EQ(parts.superEpochs.component, whole.superEpochs.component) << what;
  EXPECT_EQ(parts.buffers, whole.buffers) << what;
}

/// Whether the run could be analysed in parts.
bool compare(const Profile &profile, std::uint64_t events, const Numbers &buffers,
             const std::string &what) {
  const TraceLocation locate("run", profile);
  const auto parts = analyzeInParts(profile, locate, buffers, events);
  if (parts)
    expectSame(*parts, analyzeEpochs(profile, locate, buffers), what);
  return parts.has_value();
}

TEST(EpochTotals, RandomRunsHaveTheFiguresOfTheWhole) {
  int inParts = 0;
  for (std::uint64_t seed = 0; seed < std::uint64_t(someOf(1500)) && !testing::Test::HasFailure();
       ++seed) {
    const std::string text = randomTrace(seed, 2 + static_cast<int>(seed % 5),
                                         4 + static_cast<int>(seed % 40), seed % 3 == 0);
    Profile profile = repeated(parseTextTrace(text, "random.trace"), 1 + seed % 6);
    if (seed % 2)
      profile = withBeginning(std::move(profile), seed);
    const Numbers least = analyzeEpochs(profile, TraceLocation("run", profile)).figures.buffers;
    Numbers more = least;
    for (std::uint32_t &each : more)
      each += 1;
    for (std::uint64_t events : {1, 7, 40, 200})
      for (const Numbers &buffers : {Numbers(), more})
        inParts += compare(profile, events, buffers,
                           "seed " + std::to_string(seed) + ", parts of " + std::to_string(events) +
                               " events\n" + text);
  }
  EXPECT_GT(inParts, someOf(5000)); // of 12000
}

TEST(EpochTotals, ApplicationsHaveTheFiguresOfTheWhole) {
  for (std::uint64_t events : {100, 1000, 20000, 0})
    for (const Profile &profile : {matrixMultiplication(26), fourierTransform(16, 40),
                                   heatGrid(17, 60), bodyRing(12), equationString(33, 50)}) {
      EXPECT_TRUE(compare(profile, events, {}, "least"));
      EXPECT_TRUE(compare(profile, events, {5}, "5 buffers"));
    }
}

std::optional<EpochAnalysis> inParts(const std::string &events) {
  const std::string text = "sendwright-trace 1\nranks 2\n" + events;
  const Profile profile = parseTextTrace(text, "t.trace");
  return analyzeInParts(profile, TraceLocation("t.trace", profile, text), {}, 1);
}

TEST(EpochTotals, WhatCannotBeCutIsLeftToTheWholeRun) {
  EXPECT_FALSE(inParts("rank 0\nsend 1 tag=1\nrank 1\nrecv 0 tag=*\n")) << "any tag";
  EXPECT_FALSE(inParts("rank 0\nirecv 1 req=1\ncancel req=1\nwait req=1\nrank 1\n")) << "cancel";
  EXPECT_FALSE(inParts("rank 0\nsend 1\nrank 1\n")) << "no receive";
  EXPECT_FALSE(inParts("rank 0\nrecv 1\nrank 1\n")) << "no send";
  EXPECT_FALSE(inParts("rank 0\nrecv 1\nsend 1\nrank 1\nrecv 0\nsend 0\n")) << "deadlock";
  EXPECT_FALSE(inParts("rank 0\ncollective barrier\nrank 1\n")) << "a collective of one rank";
  EXPECT_TRUE(inParts("rank 0\nsend 1\nrank 1\nrecv 0\n"));
}

TEST(EpochTotals, ErrorsAreThoseOfTheWholeRun) {
  const std::string text = "sendwright-trace 1\nranks 2\nrank 0\nsend 1\nsend 1\nrank 1\nrecv 0\n";
  const Profile profile = parseTextTrace(text, "t.trace");
  try {
    analyzeEpochs(profile, TraceLocation("t.trace", profile, text), {}, EpochDetail::Totals);
    FAIL();
  } catch (const FormatError &error) {
    EXPECT_STREQ(error.what(), "t.trace:5: no receive takes this message from rank 0 to rank 1, "
                               "expected one on rank 1");
  }
}

TEST(EpochTotals, TooFewBuffersAreAnError) {
  const Profile profile = bodyRing(4);
  EXPECT_THROW(analyzeEpochs(profile, TraceLocation("ring", profile), {0}, EpochDetail::Totals),
               FormatError);
  EXPECT_THROW(analyzeEpochs(profile, TraceLocation("ring", profile), {1, 1}, EpochDetail::Totals),
               FormatError);
}

} // namespace
} // namespace sendwright
