// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs whose overhead follows a known law must give this law back.

#include "analysis/scaling/Scaling.h"
#include "analysis/calibration/LeastSquares.h"
#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sendwright;

namespace {

/// A run with an overhead, of work that takes one processor `serial` seconds.
ScalingRun runWith(int ranks, double serial, double overhead) {
  ScalingRun run;
  run.ranks = ranks;
  run.seconds = (serial + overhead) / ranks;
  run.computation = serial;
  run.communication = overhead;
  run.size = serial * 1000;
  return run;
}

} // namespace

TEST(LeastSquares, FindsAPlane) {
  const std::vector<double> x{1, 2, 3, 5}, z{1e9, 3e9, 2e9, 2e9};
  std::vector<double> y;
  for (std::size_t index = 0; index < x.size(); ++index)
    y.push_back(4 - 2 * x[index] + 3e-9 * z[index]);
  const auto fit = fitLeastSquares({x, z}, y);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->coefficients[0], 4, 1e-9);
  EXPECT_NEAR(fit->coefficients[1], -2, 1e-9);
  EXPECT_NEAR(fit->coefficients[2], 3e-9, 1e-18);
  EXPECT_NEAR(fit->squares, 0, 1e-15);
}

TEST(LeastSquares, RefusesWhatIsNotDetermined) {
  EXPECT_FALSE(fitLeastSquares({{1, 1, 1}}, {1, 2, 3}));
  EXPECT_FALSE(fitLeastSquares({{1, 2, 3}, {2, 4, 6}}, {1, 2, 3}));
  EXPECT_FALSE(fitLeastSquares({{1}}, {1}));
}

TEST(Scaling, SpeedUpAndEfficiencyFromOneRank) {
  const ScalingReport report = analyzeScaling({runWith(4, 10, 6), runWith(1, 10, 0)});
  EXPECT_EQ(report.source, SerialTime::OneRank);
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_EQ(report.rows[0].run.ranks, 1);
  EXPECT_DOUBLE_EQ(report.rows[1].speedUp, 2.5);
  EXPECT_DOUBLE_EQ(report.rows[1].efficiency, 0.625);
  EXPECT_DOUBLE_EQ(report.rows[1].communication, 0.375);
  EXPECT_DOUBLE_EQ(report.rows[1].overhead, 6);
  EXPECT_EQ(report.fitted, 1u);
}

TEST(Scaling, RecoversAPowerLaw) {
  std::vector<ScalingRun> runs;
  for (int ranks : {2, 4, 8, 16})
    runs.push_back(runWith(ranks, 10, 0.1 * std::pow(ranks, 1.5)));
  const ScalingReport report = analyzeScaling(runs);
  EXPECT_EQ(report.source, SerialTime::Computation);
  ASSERT_EQ(report.laws.size(), 2u);
  const OverheadLaw &law = report.laws[0];
  EXPECT_EQ(law.shape, OverheadShape::Power);
  EXPECT_NEAR(law.exponent, 1.5, 1e-9);
  EXPECT_NEAR(law.factor, 0.1, 1e-9);
  EXPECT_NEAR(*law.residual, 0, 1e-9);
  EXPECT_GT(*report.laws[1].residual, 0.01);
  EXPECT_NEAR(*law.serialFor(64, 0.8), 4 * 0.1 * 512, 1e-6);
}

TEST(Scaling, RecoversALinearithmicLaw) {
  std::vector<ScalingRun> runs{runWith(1, 10, 0)};
  for (int ranks : {2, 4, 8, 16, 32})
    runs.push_back(runWith(ranks, 10, 0.02 * ranks * std::log2(ranks)));
  const ScalingReport report = analyzeScaling(runs);
  EXPECT_EQ(report.fitted, 5u);
  EXPECT_EQ(report.laws[0].shape, OverheadShape::Linearithmic);
  EXPECT_NEAR(report.laws[0].factor, 0.02, 1e-9);
}

TEST(Scaling, SeparatesWorkFromRanks) {
  std::vector<ScalingRun> runs;
  for (int ranks : {2, 4, 8})
    for (double serial : {1.0, 8.0})
      runs.push_back(runWith(ranks, serial, 0.05 * std::pow(ranks, 1.2) * std::sqrt(serial)));
  const ScalingReport report = analyzeScaling(runs);
  EXPECT_TRUE(report.severalSizes);
  EXPECT_FALSE(report.sizeFollowsRanks);
  EXPECT_NEAR(report.laws[0].exponent, 1.2, 1e-9);
  EXPECT_NEAR(report.laws[0].workExponent, 0.5, 1e-9);
  const double needed = *report.laws[0].serialFor(8, 0.5);
  EXPECT_NEAR(report.laws[0].overhead(8, needed), needed, 1e-9); // half of the time is overhead
}

/// Runs of the sorts that are the examples of isoefficiency: `overhead` of p ranks and n keys, of
/// which a comparison takes a microsecond.
template <typename Overhead> ScalingReport reportOfSorts(Overhead &&overhead) {
  std::vector<ScalingRun> runs;
  for (const int ranks : {2, 4, 8, 16, 32})
    for (const double keys : {1e4, 1e5, 1e6, 1e7})
      runs.push_back(runWith(ranks, 1e-6 * keys * std::log2(keys), 1e-6 * overhead(ranks, keys)));
  return analyzeScaling(runs);
}

TEST(Scaling, OddEvenTranspositionNeedsExponentialWork) {
  // (n/p) log (n/p) + n steps: p times that without n log n is n (p - log p).
  const ScalingReport report =
      reportOfSorts([](int p, double n) { return n * (p - std::log2(p)); });
  const OverheadLaw &law = report.laws[0];
  EXPECT_EQ(law.shape, OverheadShape::Logarithmic);
  EXPECT_LT(*law.residual, 0.1);
  EXPECT_NEAR(law.exponent, 1.2, 0.1); // between p - log p of 2 and of 32 ranks
  EXPECT_TRUE(doubtsOf(law, report).empty());
  // An efficiency of one half needs log2 n = p - log2 p.
  const double serial = *law.serialFor(24, 0.5);
  const double keys = std::exp2(24 - std::log2(24));
  EXPECT_NEAR(std::log2(serial / 1e-6), std::log2(keys * std::log2(keys)), 2);
  EXPECT_NEAR(law.overhead(24, serial), serial, 1e-6 * serial);
  EXPECT_FALSE(law.serialFor(1e6, 0.9)); // more than a number can say
}

TEST(Scaling, PrefixSumsNeedLinearithmicWork) {
  // n/p + log p steps: p times that without n is p log p, whatever n is.
  const ScalingReport report = reportOfSorts([](int p, double) { return 1e4 * p * std::log2(p); });
  EXPECT_EQ(report.laws[0].shape, OverheadShape::Linearithmic);
  EXPECT_NEAR(report.laws[0].workExponent, 0, 1e-9);
}

TEST(Scaling, TwoSizesDoNotShowALogarithm) {
  std::vector<ScalingRun> runs;
  for (const int ranks : {2, 4, 8})
    for (const double serial : {1.0, 8.0})
      runs.push_back(runWith(ranks, serial, ranks * serial / (std::log(serial) + 5)));
  for (const OverheadLaw &law : analyzeScaling(runs).laws)
    EXPECT_NE(law.shape, OverheadShape::Logarithmic);
}

TEST(Scaling, RunsOnFewerRanksAreBoundedByTheLargest) {
  const ScalingReport report = analyzeScaling({runWith(8, 16, 8), runWith(2, 16, 1)});
  ASSERT_EQ(report.scaledDown.size(), 1u);
  EXPECT_EQ(report.scaledDown[0].ranks, 2);
  EXPECT_DOUBLE_EQ(report.scaledDown[0].seconds, 8.5);
  EXPECT_DOUBLE_EQ(report.scaledDown[0].bound, 24.0 / 2 + 3);
}

TEST(Scaling, DoubtsALawThatExplainsNothing) {
  std::vector<ScalingRun> runs;
  int number = 0;
  for (const int ranks : {2, 4, 8, 16, 32, 64})
    runs.push_back(runWith(ranks, 10, ++number % 2 ? 1.0 : 1.2));
  const ScalingReport report = analyzeScaling(runs);
  EXPECT_EQ(doubtsOf(report.laws[0], report), std::vector<LawDoubt>{LawDoubt::Unexplained});
  // The same overhead everywhere needs no explanation.
  for (ScalingRun &run : runs)
    run = runWith(run.ranks, 10, 1);
  const ScalingReport constant = analyzeScaling(runs);
  EXPECT_TRUE(doubtsOf(constant.laws[0], constant).empty());
}

TEST(Scaling, SaysWhatTheRunsCannotTell) {
  // Work that grows with the ranks: the two effects cannot be told apart.
  EXPECT_TRUE(
      analyzeScaling({runWith(2, 2, 1), runWith(4, 4, 2), runWith(8, 8, 4)}).sizeFollowsRanks);
  // Two runs: any power goes through them.
  const ScalingReport two = analyzeScaling({runWith(2, 10, 1), runWith(4, 10, 3)});
  for (const OverheadLaw &law : two.laws)
    EXPECT_EQ(law.residual.has_value(), law.shape == OverheadShape::Linearithmic);
  // More than p times as fast: no overhead to fit.
  EXPECT_EQ(analyzeScaling({runWith(1, 10, 0), runWith(2, 10, -1)}).fitted, 0u);
  // Overhead that grows as fast as the work.
  OverheadLaw law;
  law.factor = law.workExponent = 1;
  EXPECT_FALSE(law.serialFor(4, 0.5));
}

TEST(Scaling, DoubtsALawThatItsRunsDoNotSupport) {
  const auto doubtsOfRuns = [](std::vector<int> ranks, auto overhead) {
    std::vector<ScalingRun> runs;
    for (const int each : ranks)
      runs.push_back(runWith(each, 10, overhead(each)));
    const ScalingReport report = analyzeScaling(runs);
    return doubtsOf(report.laws[0], report);
  };
  using Doubts = std::vector<LawDoubt>;
  EXPECT_EQ(doubtsOfRuns({2, 4, 8, 16}, [](int p) { return 0.1 * std::pow(p, 1.5); }), Doubts{});
  EXPECT_EQ(doubtsOfRuns({2, 4, 8}, [](int p) { return 0.1 * std::pow(p, 1.5); }),
            Doubts{LawDoubt::FewRuns});
  EXPECT_EQ(doubtsOfRuns({2, 4, 8, 16}, [](int p) { return 1e-6 * std::pow(p, 14.5); }),
            Doubts{LawDoubt::Implausible});
  EXPECT_EQ(doubtsOfRuns({2, 4, 8, 16}, [](int p) { return p == 4 ? 9 : 0.1 * p; }),
            Doubts{LawDoubt::Deviates});
}

TEST(Scaling, TakesTheTimesOfAProfile) {
  Profile profile;
  for (double inside : {1.0, 3.0}) {
    RankProfile &rank = profile.ranks.emplace_back();
    rank.seconds = 4 + inside;
    rank.statistics.push_back({1, 0, 0, 0, inside});
  }
  const ScalingRun run = scalingRunOf(profile, "a.prof");
  EXPECT_EQ(run.ranks, 2);
  EXPECT_EQ(run.seconds, 7);
  EXPECT_EQ(run.computation, 8);
  EXPECT_EQ(run.communication, 4);
  profile.ranks.resize(1);
  profile.ranks[0].seconds = 0;
  EXPECT_THROW(scalingRunOf(profile, "a.prof"), FormatError);
}
