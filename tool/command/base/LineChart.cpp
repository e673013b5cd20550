// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/base/LineChart.h"

#include "analysis/file/FigureText.h"
#include "tool/command/base/SvgDrawing.h"

#include <algorithm>
#include <cmath>

namespace sendwright {

namespace {

constexpr double width = 640, height = 400;
constexpr double left = 76, right = 20, top = 62, bottom = 52;
// Colours that people who see few colours can tell apart (M. Okabe and K. Ito, 2008).
constexpr const char *colours[] = {"#0072b2", "#d55e00", "#009e73",
                                   "#cc79a7", "#56b4e9", "#e69f00"};

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

void drawGrid(SvgDrawing &drawing, const Scale &across, const Scale &up) {
  for (double tick : across.ticks) {
    const double x = across.place(tick);
    drawing.path(formatted("M%.1f %.1fV%.1f", x, up.begin, up.end), "stroke=\"#ddd\"");
    drawing.text(x, height - bottom + 18, formatted("%.6g", tick), "text-anchor=\"middle\"");
  }
  for (double tick : up.ticks) {
    const double y = up.place(tick);
    drawing.path(formatted("M%.1f %.1fH%.1f", across.begin, y, across.end), "stroke=\"#ddd\"");
    drawing.text(left - 8, y + 4, formatted("%.4g", tick), "text-anchor=\"end\"");
  }
}

void drawLine(SvgDrawing &drawing, const ChartLine &line, const char *colour, const Scale &across,
              const Scale &up) {
  std::string steps;
  for (const auto &[x, y] : line.points)
    if (across.shows(x) && up.shows(y))
      steps += formatted("%c%.1f %.1f", steps.empty() ? 'M' : 'L', across.place(x), up.place(y));
  drawing.path(steps, formatted("fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s", colour,
                                line.model ? " stroke-dasharray=\"5 4\"" : ""));
  if (line.model)
    return;
  for (const auto &[x, y] : line.points)
    if (across.shows(x) && up.shows(y))
      drawing.circle(across.place(x), up.place(y), 3, formatted("fill=\"%s\"", colour));
}

} // namespace

std::string svgOf(const LineChart &chart) {
  Scale across = scaleFor(chart, 2, [](const auto &point) { return point.first; });
  Scale up = scaleFor(chart, chart.base, [](const auto &point) { return point.second; });
  across.begin = left;
  across.end = width - right;
  up.begin = height - bottom;
  up.end = top;
  SvgDrawing drawing(width, height, chart.title);
  drawing.text(left, 24, chart.title, "font-size=\"14\"");
  drawGrid(drawing, across, up);
  drawing.text((left + width - right) / 2, height - 12, chart.acrossTitle,
               "text-anchor=\"middle\"");
  drawing.text(0, 0, chart.upTitle,
               formatted("text-anchor=\"middle\" transform=\"translate(18 %g) rotate(-90)\"",
                         (height - bottom + top) / 2));
  const auto lineColour = [](std::size_t index) { return colours[index % std::size(colours)]; };
  for (std::size_t index = 0; index < chart.lines.size(); ++index)
    drawLine(drawing, chart.lines[index], lineColour(index), across, up);
  for (std::size_t index = 0; index < chart.lines.size(); ++index) // the legend, above the lines
    drawing.text(left + static_cast<double>(index % 4) * (width - left - right) / 4,
                 48 + 15 * static_cast<double>(index / 4), chart.lines[index].name,
                 formatted("fill=\"%s\"", lineColour(index)));
  return drawing.file();
}

} // namespace sendwright
