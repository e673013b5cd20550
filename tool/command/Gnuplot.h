// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Charts over numbers of ranks as SVG files, drawn by the program gnuplot, which is looked for only
// when a chart is asked for.

#ifndef SENDWRIGHT_TOOL_COMMAND_GNUPLOT_H
#define SENDWRIGHT_TOOL_COMMAND_GNUPLOT_H

#include <string>
#include <utility>
#include <vector>

namespace sendwright {

struct ChartLine {
  std::string name;                              ///< in the legend
  std::vector<std::pair<double, double>> points; ///< x above 0, ascending
  bool model = false;                            ///< dashed and without marks: not measured
};

struct LineChart {
  std::string title, acrossTitle, upTitle;
  double base = 0; ///< of the logarithmic vertical scale, which shows values above 0; 0: a linear
                   ///< scale. The horizontal scale always uses powers of 2
  std::vector<ChartLine> lines;
};

/// The chart as a complete file. Values that a scale cannot show are left out. Throws FormatError
/// if gnuplot is missing or fails. Linear in the points.
std::string svgOf(const LineChart &chart);

} // namespace sendwright

#endif
