// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/ScalingCharts.h"

#include "analysis/file/FigureText.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/OutputFile.h"
#include "tool/command/Gnuplot.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

/// Adds a line over the ranks of the runs; one line for each size where sizes do not follow the
/// ranks.
template <typename Value>
void addLines(LineChart &chart, const std::string &name, const ScalingReport &report, bool model,
              Value &&value) {
  const bool bySize = report.severalSizes && !report.sizeFollowsRanks;
  std::map<double, ChartLine> lines;
  for (const ScalingRow &row : report.rows) {
    ChartLine &line = lines[bySize ? row.run.size : 0];
    line.name = name + (bySize ? formatted(", size %g", row.run.size) : "");
    line.model = model;
    line.points.emplace_back(row.run.ranks, value(row));
  }
  for (auto &[size, line] : lines)
    chart.lines.push_back(std::move(line));
}

LineChart speedUpChart(const ScalingReport &report) {
  LineChart chart{"Speed-up", "ranks", "time of one processor / time", 2, {}};
  addLines(chart, "measured", report, false, [](const ScalingRow &row) { return row.speedUp; });
  ChartLine &ideal = chart.lines.emplace_back(ChartLine{"p", {}, true});
  for (const ScalingRow &row : report.rows)
    ideal.points.emplace_back(row.run.ranks, row.run.ranks);
  return chart;
}

LineChart efficiencyChart(const ScalingReport &report) {
  LineChart chart{"Efficiency, and the share of communication", "ranks", "%", 0, {}};
  addLines(chart, "efficiency", report, false,
           [](const ScalingRow &row) { return 100 * row.efficiency; });
  addLines(chart, "communication", report, false,
           [](const ScalingRow &row) { return 100 * row.communication; });
  return chart;
}

LineChart overheadChart(const ScalingReport &report) {
  LineChart chart{
      "Overhead: p times the time, minus the time of one processor", "ranks", "seconds", 10, {}};
  constexpr double notShown = -1; // of one rank
  addLines(chart, "measured", report, false,
           [](const ScalingRow &row) { return row.run.ranks > 1 ? row.overhead : notShown; });
  for (const OverheadLaw &law : report.laws)
    addLines(chart, lawText(law), report, true, [&law](const ScalingRow &row) {
      return row.run.ranks > 1 ? law.overhead(row.run.ranks, row.serial) : notShown;
    });
  return chart;
}

LineChart isoefficiencyChart(const ShownScaling &result) {
  LineChart chart{"Isoefficiency: work needed", "ranks", "seconds of one processor", 10, {}};
  for (double efficiency : shownEfficiencies) {
    const std::string name = formatted("efficiency %.0f %%", 100 * efficiency);
    ChartLine &line = chart.lines.emplace_back(ChartLine{name, {}, true});
    for (double ranks : result.ranks)
      if (const auto serial = result.report.laws[0].serialFor(ranks, efficiency))
        line.points.emplace_back(ranks, *serial);
  }
  return chart;
}

} // namespace

void writeScalingCharts(const ShownScaling &result, const std::filesystem::path &folder) {
  const ScalingReport &report = result.report;
  std::vector<std::pair<const char *, std::string>> files;
  files.emplace_back("speed-up.svg", svgOf(speedUpChart(report)));
  files.emplace_back("efficiency.svg", svgOf(efficiencyChart(report)));
  if (!report.laws.empty())
    files.emplace_back("overhead.svg", svgOf(overheadChart(report)));
  if (!report.laws.empty() && !report.sizeFollowsRanks &&
      !isoefficiencyText(report.laws[0]).empty())
    files.emplace_back("isoefficiency.svg", svgOf(isoefficiencyChart(result)));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw FormatError(folder.string() + ": cannot be made: " + error.message() +
                      ", expected a folder");
  for (const auto &[name, svg] : files)
    writeWholeFile(folder / name, svg);
}

} // namespace sendwright
