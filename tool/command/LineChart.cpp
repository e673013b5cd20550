// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/LineChart.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"

#include <algorithm>
#include <cmath>

namespace sendwright {

namespace {

constexpr double width = 640, height = 400;
constexpr double left = 76, right = 20, top = 62, bottom = 52;
// Colours that people who see few colours can tell apart (M. Okabe and K. Ito, 2008).
constexpr const char *colours[] = {"#0072b2", "#d55e00", "#009e73",
                                   "#cc79a7", "#56b4e9", "#e69f00"};

std::string textAt(double x, double y, const std::string &words, const std::string &more) {
  return formatted("<text x=\"%.1f\" y=\"%.1f\" ", x, y) + more + ">" +
         escaped(words, TextPlace::Markup) + "</text>\n";
}

/// Maps values to positions along one axis.
struct Scale {
  bool logarithmic = false;
  double low = 0, high = 1;  // values at the ends
  double begin = 0, end = 1; // their positions
  std::vector<double> ticks;

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
  double place(double value) const {
    const double share =
        logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return begin + share * (end - begin);
  }
};

/// Steps of 1, 2 or 5 times a power of ten, from 0 or below.
void chooseLinearTicks(Scale &scale) {
  const double range = scale.high - scale.low;
  const double power = std::pow(10, std::floor(std::log10(range / 5)));
  double step = 10 * power;
  for (double factor : {5.0, 2.0, 1.0})
    if (range / (factor * power) <= 8)
      step = factor * power;
  scale.low = std::floor(scale.low / step + 1e-9) * step;
  scale.high = std::ceil(scale.high / step - 1e-9) * step;
  const double count = std::round((scale.high - scale.low) / step);
  for (int tick = 0; tick <= static_cast<int>(count); ++tick)
    scale.ticks.push_back(scale.low + tick * step);
}

/// Powers of `base`, at most a dozen of them.
void chooseLogarithmicTicks(Scale &scale, double base) {
  const double first = std::floor(std::log(scale.low) / std::log(base) + 1e-9);
  const double last = std::max(std::ceil(std::log(scale.high) / std::log(base) - 1e-9), first + 1);
  const double step = std::ceil((last - first) / 12);
  scale.low = std::pow(base, first);
  scale.high = std::pow(base, last);
  for (double power = first; power <= last; power += step)
    scale.ticks.push_back(std::pow(base, power));
}

/// A scale for the values that `value` gives for all points; linear where `base` is 0.
template <typename Value> Scale scaleFor(const LineChart &chart, double base, Value &&value) {
  const bool logarithmic = base > 0;
  Scale scale;
  scale.logarithmic = logarithmic;
  bool any = false;
  for (const ChartLine &line : chart.lines)
    for (const auto &point : line.points) {
      const double here = value(point);
      if (!scale.shows(here))
        continue;
      scale.low = any ? std::min(scale.low, here) : (logarithmic ? here : std::min(here, 0.0));
      scale.high = any ? std::max(scale.high, here) : here;
      any = true;
    }
  if (!any || scale.high < scale.low)
    scale.low = logarithmic ? 1 : 0, scale.high = logarithmic ? base : 1;
  if (scale.high == scale.low)
    scale.high = logarithmic ? scale.low * base : scale.low + 1;
  logarithmic ? chooseLogarithmicTicks(scale, base) : chooseLinearTicks(scale);
  return scale;
}

std::string gridOf(const Scale &across, const Scale &up) {
  std::string svg;
  for (double tick : across.ticks) {
    const double x = across.place(tick);
    svg += formatted("<path d=\"M%.1f %.1fV%.1f\" stroke=\"#ddd\"/>\n", x, up.begin, up.end);
    svg += textAt(x, height - bottom + 18, formatted("%.6g", tick), "text-anchor=\"middle\"");
  }
  for (double tick : up.ticks) {
    const double y = up.place(tick);
    svg +=
        formatted("<path d=\"M%.1f %.1fH%.1f\" stroke=\"#ddd\"/>\n", across.begin, y, across.end);
    svg += textAt(left - 8, y + 4, formatted("%.4g", tick), "text-anchor=\"end\"");
  }
  return svg;
}

std::string drawn(const ChartLine &line, const char *colour, const Scale &across, const Scale &up) {
  std::string path, marks;
  for (const auto &[x, y] : line.points) {
    if (!across.shows(x) || !up.shows(y))
      continue;
    path += formatted("%c%.1f %.1f", path.empty() ? 'M' : 'L', across.place(x), up.place(y));
    if (!line.model)
      marks += formatted("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", across.place(x),
                         up.place(y), colour);
  }
  return "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"1.5\"" +
         (line.model ? " stroke-dasharray=\"5 4\"" : "") + "/>\n" + marks;
}

} // namespace

std::string svgOf(const LineChart &chart) {
  Scale across = scaleFor(chart, 2, [](const auto &point) { return point.first; });
  Scale up = scaleFor(chart, chart.base, [](const auto &point) { return point.second; });
  across.begin = left;
  across.end = width - right;
  up.begin = height - bottom;
  up.end = top;
  std::string svg = formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g "
      "%g\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n",
      width, height, width, height);
  svg += "<title>" + escaped(chart.title, TextPlace::Markup) + "</title>\n";
  svg += formatted("<rect width=\"%g\" height=\"%g\" fill=\"white\"/>\n", width, height);
  svg += textAt(left, 24, chart.title, "font-size=\"14\"");
  svg += gridOf(across, up);
  svg +=
      textAt((left + width - right) / 2, height - 12, chart.acrossTitle, "text-anchor=\"middle\"");
  svg += textAt(0, 0, chart.upTitle,
                formatted("text-anchor=\"middle\" transform=\"translate(18 %g) rotate(-90)\"",
                          (height - bottom + top) / 2));
  std::string legend;
  for (std::size_t index = 0; index < chart.lines.size(); ++index) {
    const char *colour = colours[index % std::size(colours)];
    svg += drawn(chart.lines[index], colour, across, up);
    legend += textAt(left + static_cast<double>(index % 4) * (width - left - right) / 4,
                     48 + 15 * static_cast<double>(index / 4), chart.lines[index].name,
                     formatted("fill=\"%s\"", colour));
  }
  svg += legend; // above the drawing
  return svg + "</svg>\n";
}

} // namespace sendwright
