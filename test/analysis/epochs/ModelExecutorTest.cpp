// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what the analysis promises by executing random traces with few buffers.

#include "test/analysis/epochs/ModelExecutor.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/Sanitized.h"
#include "test/analysis/epochs/RandomTrace.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

struct Analyzed {
  explicit Analyzed(const std::string &text)
      : profile(parseTextTrace(text, "random.trace")), locate("random.trace", profile, text) {
    result = analyzeEpochs(profile, locate);
  }
  Profile profile;
  TraceLocation locate;
  EpochAnalysis result;
};

std::string traceOf(std::uint64_t seed) {
  return randomTrace(seed, 2 + static_cast<int>(seed % 5), 8 + static_cast<int>(seed % 40),
                     seed % 3 == 0);
}

constexpr int traces = someOf(1000);
constexpr CollectiveWaits bothWaits[] = {CollectiveWaits::ForData, CollectiveWaits::ForAllMembers};

/// Whether collectives may wait for all members, as MPI allows: not in programs that rely on a root
/// that goes on early.
bool mayMeet(const Analyzed &analyzed) {
  return executeModel(analyzed.result, analyzed.result.figures.wholeProgramBuffers, {}, 1).ended;
}

TEST(ModelExecutor, EnoughWithEveryKindOfSynchronization) {
  int larger = 0, met = 0;
  for (std::uint64_t seed = 0; seed < std::uint64_t(traces); ++seed) {
    const std::string text = traceOf(seed);
    Analyzed least(text);
    const bool meets = mayMeet(least);
    met += meets;
    for (std::uint32_t more : {0U, 1U}) {
      std::vector<std::uint32_t> buffers = least.result.figures.buffers;
      for (std::uint32_t &each : buffers)
        each += more;
      const EpochAnalysis analysis = analyzeEpochs(least.profile, least.locate, buffers);
      larger += analysis.superEpochs.count < least.result.superEpochs.count;
      for (SynchronizationKind kind : {SynchronizationKind::Full, SynchronizationKind::Partial,
                                       SynchronizationKind::Component})
        for (std::uint64_t order = 0; order < 6; ++order) {
          const CollectiveWaits waits = bothWaits[meets ? order % 2 : 0];
          const ModelExecution execution =
              executeModel(analysis, buffers, kind, seed * 31 + order / 2, waits);
          ASSERT_TRUE(execution.ended)
              << "seed " << seed << " kind " << static_cast<int>(kind) << " more " << more << "\n"
              << text;
          ASSERT_FALSE(execution.sentEarly)
              << "seed " << seed << " kind " << static_cast<int>(kind) << " more " << more << "\n"
              << text;
          for (std::size_t rank = 0; rank < buffers.size(); ++rank)
            ASSERT_LE(execution.mostInUse[rank], buffers[rank]);
        }
    }
  }
  EXPECT_GT(larger, someOf(20)); // more buffers really join super epochs
  EXPECT_GT(met, someOf(500));
}

TEST(ModelExecutor, ComplexEpochsAreWhatDeadlocksWithoutBuffers) {
  int safe = 0;
  for (std::uint64_t seed = 0; seed < std::uint64_t(traces); ++seed) {
    const std::string text = traceOf(seed);
    Analyzed analyzed(text);
    const std::vector<std::uint32_t> none(analyzed.result.graph.ranks());
    const ModelExecution execution = executeModel(analyzed.result, none, {}, seed);
    ASSERT_EQ(execution.ended, analyzed.result.safeWithoutBuffers()) << "seed " << seed << "\n"
                                                                     << text;
    safe += execution.ended;
  }
  EXPECT_GT(safe, someOf(50));
  EXPECT_LT(safe, someOf(950));
}

TEST(ModelExecutor, LeastBuffersDoNotSufficeWithoutSynchronizing) {
  int deadlocks = 0;
  for (std::uint64_t seed = 0; seed < std::uint64_t(traces); ++seed) {
    Analyzed analyzed(traceOf(seed));
    deadlocks += !executeModel(analyzed.result, analyzed.result.buffers, {}, seed).ended;
  }
  EXPECT_GT(deadlocks, someOf(20));
}

TEST(ModelExecutor, NoSendWaitsWithTheWholeProgramsBuffers) {
  for (std::uint64_t seed = 0; seed < std::uint64_t(traces); ++seed) {
    const std::string text = traceOf(seed);
    Analyzed analyzed(text);
    const ModelExecution execution =
        executeModel(analyzed.result, analyzed.result.figures.wholeProgramBuffers, {}, seed,
                     CollectiveWaits::ForData);
    ASSERT_TRUE(execution.ended);
    ASSERT_FALSE(execution.senderWaited) << "seed " << seed << "\n" << text;
  }
}

} // namespace
} // namespace sendwright
