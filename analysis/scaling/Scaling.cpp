// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/scaling/Scaling.h"

#include "analysis/calibration/LeastSquares.h"
#include "analysis/file/FormatError.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace sendwright {

namespace {

double shapeOf(const OverheadLaw &law, double ranks) {
  return law.shape == OverheadShape::Linearithmic ? ranks * std::log2(ranks)
                                                  : std::pow(ranks, law.exponent);
}

/// The run whose time stands for one processor: a run on one rank, of the same size if there is
/// one; otherwise the run with the fewest ranks.
const ScalingRun &baseOf(const std::vector<ScalingRun> &sorted, double size) {
  const ScalingRun *base = &sorted.front();
  for (const ScalingRun &run : sorted)
    if (run.ranks == base->ranks && run.size == size)
      base = &run;
  return *base;
}

ScalingRow rowOf(const ScalingRun &run, double serial) {
  ScalingRow row{run, serial, 0, 0, 0, 0};
  const double all = run.computation + run.communication;
  row.speedUp = run.seconds > 0 ? serial / run.seconds : 0;
  row.efficiency = row.speedUp / run.ranks;
  row.communication = all > 0 ? run.communication / all : 0;
  row.overhead = run.ranks * run.seconds - serial;
  return row;
}

/// The points that laws are fitted to, in logarithms.
struct OverheadPoints {
  std::vector<double> ranks, linearithmic, serial, overhead;
};

OverheadPoints pointsOf(const std::vector<ScalingRow> &rows) {
  OverheadPoints points;
  for (const ScalingRow &row : rows) {
    // Less than a thousandth of the time is not overhead but noise in the time of one processor.
    if (row.run.ranks < 2 || row.overhead <= 1e-3 * row.serial)
      continue;
    const double ranks = row.run.ranks;
    points.ranks.push_back(std::log(ranks));
    points.linearithmic.push_back(std::log(ranks * std::log2(ranks)));
    points.serial.push_back(std::log(row.serial));
    points.overhead.push_back(std::log(row.overhead));
  }
  return points;
}

/// Says in `law` how good a fit with so many parameters and this sum of squares is.
void judgeFit(OverheadLaw &law, double squares, std::size_t parameters,
              const OverheadPoints &points) {
  const std::size_t count = points.overhead.size();
  if (count > parameters)
    law.residual = std::sqrt(squares / static_cast<double>(count - parameters));
  const double mean = std::accumulate(points.overhead.begin(), points.overhead.end(), 0.0) /
                      static_cast<double>(count);
  double all = 0;
  for (const double overhead : points.overhead)
    all += (overhead - mean) * (overhead - mean);
  constexpr double constant = 1e-9; // of ln T_o, squared
  law.explained = all <= constant * static_cast<double>(count) ? 1 : 1 - squares / all;
}

std::optional<OverheadLaw> fitPower(const OverheadPoints &points, bool withWork) {
  std::vector<std::vector<double>> columns{points.ranks};
  if (withWork)
    columns.push_back(points.serial);
  const std::optional<LeastSquaresFit> fit = fitLeastSquares(columns, points.overhead);
  if (!fit)
    return std::nullopt;
  OverheadLaw law;
  law.factor = std::exp(fit->coefficients[0]);
  law.exponent = fit->coefficients[1];
  law.workExponent = withWork ? fit->coefficients[2] : 0;
  judgeFit(law, fit->squares, fit->coefficients.size(), points);
  return law;
}

std::optional<OverheadLaw> fitLinearithmic(const OverheadPoints &points, bool withWork) {
  std::vector<double> rest;
  rest.reserve(points.overhead.size());
  for (std::size_t index = 0; index < points.overhead.size(); ++index)
    rest.push_back(points.overhead[index] - points.linearithmic[index]);
  std::vector<std::vector<double>> columns;
  if (withWork)
    columns.push_back(points.serial);
  const std::optional<LeastSquaresFit> fit = fitLeastSquares(columns, rest);
  if (!fit)
    return std::nullopt;
  OverheadLaw law;
  law.shape = OverheadShape::Linearithmic;
  law.factor = std::exp(fit->coefficients[0]);
  law.workExponent = withWork ? fit->coefficients[1] : 0;
  judgeFit(law, fit->squares, fit->coefficients.size(), points);
  return law;
}

/// Whether there are three sizes: with two, a logarithm goes through the runs like any power.
bool haveThreeSizes(const OverheadPoints &points) {
  std::vector<double> sizes = points.serial;
  std::sort(sizes.begin(), sizes.end());
  const auto isSame = [](double one, double other) { return other - one < 1e-6; };
  return std::unique(sizes.begin(), sizes.end(), isSame) - sizes.begin() >= 3;
}

/// T_o = a p^b T_s / (ln T_s + offset) for a given offset: linear in the logarithms.
std::optional<LeastSquaresFit> fitWithOffset(const OverheadPoints &points, double offset) {
  std::vector<double> rest;
  rest.reserve(points.overhead.size());
  for (std::size_t index = 0; index < points.overhead.size(); ++index)
    rest.push_back(points.overhead[index] - points.serial[index] +
                   std::log(points.serial[index] + offset));
  return fitLeastSquares({points.ranks}, rest);
}

/// The offset is sought so that ln T_s + offset of the smallest work is between 0.1 and 100;
/// nothing if the best is at either end, where the law is a power.
std::optional<OverheadLaw> fitLogarithmic(const OverheadPoints &points) {
  if (!haveThreeSizes(points))
    return std::nullopt;
  const double smallest = *std::min_element(points.serial.begin(), points.serial.end());
  constexpr int steps = 1200;
  const auto offsetOf = [&](int step) {
    return 0.1 * std::pow(1000, static_cast<double>(step) / steps) - smallest;
  };
  int best = 0;
  double least = HUGE_VAL;
  for (int step = 0; step <= steps; ++step)
    if (const auto fit = fitWithOffset(points, offsetOf(step)); fit && fit->squares < least) {
      least = fit->squares;
      best = step;
    }
  const auto fit = fitWithOffset(points, offsetOf(best));
  if (!fit || best == 0 || best == steps)
    return std::nullopt;
  OverheadLaw law;
  law.shape = OverheadShape::Logarithmic;
  law.factor = std::exp(fit->coefficients[0]);
  law.exponent = fit->coefficients[1];
  law.offset = offsetOf(best);
  judgeFit(law, fit->squares, fit->coefficients.size() + 1, points);
  return law;
}

/// `sorted` by ranks.
std::vector<ScaledDown> scaleDown(const std::vector<ScalingRow> &sorted) {
  std::vector<ScaledDown> bounds;
  for (const ScalingRow &row : sorted) {
    const ScalingRow *largest = &row;
    for (const ScalingRow &other : sorted)
      if (other.run.size == row.run.size && other.run.ranks > largest->run.ranks)
        largest = &other;
    if (largest->run.ranks > row.run.ranks)
      bounds.push_back(
          {row.run.ranks, row.run.size, row.run.seconds,
           largest->run.seconds * (1 + static_cast<double>(largest->run.ranks) / row.run.ranks)});
  }
  return bounds;
}

} // namespace

ScalingRun scalingRunOf(const Profile &profile, const std::string &name) {
  ScalingRun run;
  run.name = name;
  run.ranks = static_cast<int>(profile.ranks.size());
  for (const RankProfile &rank : profile.ranks) {
    double inside = 0;
    for (const EventStatistics &statistics : rank.statistics)
      inside += statistics.inside;
    run.seconds = std::max(run.seconds, rank.seconds);
    run.communication += inside;
    run.computation += std::max(rank.seconds - inside, 0.0);
  }
  if (!(run.seconds > 0))
    throw FormatError(name + ": no times in it, expected the profile of a run, not of a trace");
  return run;
}

double OverheadLaw::overhead(double ranks, double serial) const {
  if (shape == OverheadShape::Logarithmic)
    return factor * shapeOf(*this, ranks) * serial / (std::log(serial) + offset);
  return factor * shapeOf(*this, ranks) * std::pow(serial, workExponent);
}

std::optional<double> OverheadLaw::serialFor(double ranks, double efficiency) const {
  if (shape == OverheadShape::Logarithmic) {
    const double serial =
        std::exp(efficiency / (1 - efficiency) * factor * shapeOf(*this, ranks) - offset);
    return std::isfinite(serial) ? std::optional(serial) : std::nullopt;
  }
  if (workExponent >= 1)
    return std::nullopt;
  return std::pow(efficiency / (1 - efficiency) * factor * shapeOf(*this, ranks),
                  1 / (1 - workExponent));
}

std::vector<LawDoubt> doubtsOf(const OverheadLaw &law, const ScalingReport &report) {
  constexpr std::size_t fewRuns = 4;
  constexpr double largestResidual = 0.2; // of ln T_o
  constexpr double leastExplained = 0.5;
  constexpr double largestExponent = 4; // no known algorithm needs more than p^3
  std::vector<LawDoubt> doubts;
  if (report.fitted < fewRuns)
    doubts.push_back(LawDoubt::FewRuns);
  if (!law.residual)
    doubts.push_back(LawDoubt::NoResidual);
  else if (*law.residual > largestResidual)
    doubts.push_back(LawDoubt::Deviates);
  else if (law.explained < leastExplained)
    doubts.push_back(LawDoubt::Unexplained);
  const double growth =
      law.workExponent < 1 ? law.exponent / (1 - law.workExponent) : law.exponent; // of the work
  if (law.exponent < 0 || law.workExponent < 0 || growth > largestExponent)
    doubts.push_back(LawDoubt::Implausible);
  return doubts;
}

ScalingReport analyzeScaling(std::vector<ScalingRun> runs, std::optional<double> serial) {
  const double firstSize = runs.front().size;
  std::stable_sort(runs.begin(), runs.end(), [](const ScalingRun &one, const ScalingRun &other) {
    return std::tie(one.ranks, one.size) < std::tie(other.ranks, other.size);
  });
  ScalingReport report;
  report.source = serial                    ? SerialTime::Given
                  : runs.front().ranks == 1 ? SerialTime::OneRank
                                            : SerialTime::Computation;
  for (const ScalingRun &run : runs) {
    const ScalingRun &base = baseOf(runs, run.size);
    const double time =
        serial ? *serial * run.size / firstSize
               : (base.ranks == 1 ? base.seconds : base.computation) * run.size / base.size;
    report.rows.push_back(rowOf(run, time));
    report.severalSizes |= run.size != firstSize;
  }
  report.scaledDown = scaleDown(report.rows);
  const OverheadPoints points = pointsOf(report.rows);
  report.fitted = points.overhead.size();
  if (report.fitted == 0)
    return report;
  // If sizes follow the ranks, as in weak scaling, the law holds for these runs only.
  const bool withWork = report.severalSizes && fitPower(points, true);
  report.sizeFollowsRanks = report.severalSizes && !withWork;
  for (const std::optional<OverheadLaw> &law :
       {fitPower(points, withWork), fitLinearithmic(points, withWork),
        withWork ? fitLogarithmic(points) : std::nullopt})
    if (law)
      report.laws.push_back(*law);
  std::stable_sort(report.laws.begin(), report.laws.end(),
                   [](const OverheadLaw &one, const OverheadLaw &other) {
                     return one.residual.value_or(HUGE_VAL) < other.residual.value_or(HUGE_VAL);
                   });
  return report;
}

} // namespace sendwright
