// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/calibration/Calibration.h"

#include "analysis/calibration/LeastSquares.h"
#include "analysis/file/FigureText.h"

#include <algorithm>
#include <optional>

namespace sendwright {

namespace {

/// The value below which the given share of the sorted samples lies, interpolated between samples.
double quantile(const std::vector<double> &sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

struct StraightLine {
  double intercept = 0, slope = 0;
};

/// Flat if all x are equal.
StraightLine lineThrough(const std::vector<double> &x, const std::vector<double> &y) {
  if (const std::optional<LeastSquaresFit> fit = fitLeastSquares({x}, y))
    return {fit->coefficients[0], fit->coefficients[1]};
  return {y.empty() ? 0 : y.front(), 0};
}

/// The parameters of one round; never below 0, whatever the measurements say.
struct RoundParameters {
  double L, o_send, o_recv, O, O_recv, G;
};

RoundParameters fitRound(const CalibrationRound &round) {
  std::vector<double> bytes, send, receive, largeBytes, intervals;
  for (const SizeTimes &times : round.small) {
    bytes.push_back(times.bytes);
    send.push_back(times.send);
    receive.push_back(times.receive);
  }
  for (const StreamTimes &times : round.large) {
    largeBytes.push_back(times.bytes);
    intervals.push_back(times.interval);
  }
  const StraightLine sending = lineThrough(bytes, send);
  const StraightLine receiving = lineThrough(bytes, receive);
  const SizeTimes &smallest = round.small.front();
  const auto atLeastNone = [](double value) { return std::max(value, 0.0); };
  return {atLeastNone(smallest.roundTrip / 2 - smallest.send - smallest.receive),
          atLeastNone(sending.intercept),
          atLeastNone(receiving.intercept),
          atLeastNone(sending.slope),
          atLeastNone(receiving.slope),
          atLeastNone(lineThrough(largeBytes, intervals).slope)};
}

/// Median and spread of a value over the rounds.
template <typename Value> Figure over(const std::vector<CalibrationRound> &rounds, Value &&value) {
  std::vector<double> samples;
  samples.reserve(rounds.size());
  for (const CalibrationRound &round : rounds)
    samples.push_back(value(round));
  return figureOf(std::move(samples));
}

/// g over the rounds, or a note that a processor hides it.
void fitGap(LinkFigures &link, const std::vector<CalibrationRound> &rounds, double negligible) {
  std::vector<double> intervals;
  intervals.reserve(rounds.size());
  for (const CalibrationRound &round : rounds)
    intervals.push_back(round.interval);
  const Figure interval = figureOf(std::move(intervals), negligible);
  const double send =
      over(rounds, [](const CalibrationRound &round) { return round.small.front().send; }).median;
  const double receive = over(rounds, [](const CalibrationRound &round) {
                           return round.small.front().receive;
                         }).median;
  link.gapSeen = interval.median > 1.1 * std::max(send, receive);
  if (link.gapSeen) {
    link.g = interval;
    return;
  }
  link.g.note = "cannot be seen: messages follow one another every " +
                microseconds(interval.median, 3) + ", as fast as " +
                (send >= receive ? "o_send" : "o_recv") + " allows; g is at most that";
}

} // namespace

Figure figureOf(std::vector<double> samples, double negligible) {
  Figure figure;
  if (samples.empty())
    return figure;
  std::sort(samples.begin(), samples.end());
  figure.median = quantile(samples, 0.5);
  figure.spread = quantile(samples, 0.75) - quantile(samples, 0.25);
  figure.stable = figure.spread <= std::max(figure.median / 10, negligible);
  if (!figure.stable)
    figure.note = "varies from one measurement to the next";
  return figure;
}

LinkFigures fitLink(const std::vector<CalibrationRound> &rounds) {
  std::vector<double> L, sending, receiving, sendingByte, receivingByte, byte;
  for (const CalibrationRound &round : rounds) {
    const RoundParameters parameters = fitRound(round);
    L.push_back(parameters.L);
    sending.push_back(parameters.o_send);
    receiving.push_back(parameters.o_recv);
    sendingByte.push_back(parameters.O);
    receivingByte.push_back(parameters.O_recv);
    byte.push_back(parameters.G);
  }
  const double oneWay = over(rounds, [](const CalibrationRound &round) {
                          return round.small.front().roundTrip / 2;
                        }).median;
  const double negligible = oneWay / 100;
  const double negligibleByte = negligible / rounds.front().small.back().bytes;
  LinkFigures link;
  link.L = figureOf(std::move(L), negligible);
  if (link.L.median == 0)
    markUnstable(link.L, "the two calls take longer than half a round trip");
  link.o_send = figureOf(std::move(sending), negligible);
  link.o_recv = figureOf(std::move(receiving), negligible);
  link.O = figureOf(std::move(sendingByte), negligibleByte);
  link.O_recv = figureOf(std::move(receivingByte), negligibleByte);
  link.G = figureOf(std::move(byte));
  fitGap(link, rounds, negligible);
  return link;
}

NodePortFigures fitNodePort(const std::vector<NodePortRound> &rounds, int pairs,
                            const LinkFigures &between) {
  std::vector<double> intervals, slopes;
  for (const NodePortRound &round : rounds) {
    std::vector<double> bytes, times;
    for (const StreamTimes &stream : round.large) {
      bytes.push_back(stream.bytes);
      times.push_back(stream.interval);
    }
    slopes.push_back(std::max(lineThrough(bytes, times).slope, 0.0));
    intervals.push_back(round.interval);
  }
  NodePortFigures port;
  port.G = figureOf(std::move(slopes));
  const double own =
      std::max({between.o_send.median, between.o_recv.median, between.g.median}) / pairs;
  const Figure interval = figureOf(std::move(intervals), own / 100);
  port.gapSeen = interval.median > 1.1 * own;
  if (port.gapSeen)
    port.g = interval;
  else
    port.g.note = "cannot be seen: messages of " + std::to_string(pairs) +
                  " ranks follow one another every " + microseconds(interval.median, 3) +
                  ", as fast as these ranks allow; g is at most that";
  return port;
}

std::vector<std::pair<const char *, Figure *>> namedFigures(LinkFigures &link) {
  return {{"L", &link.L}, {"o_send", &link.o_send}, {"o_recv", &link.o_recv}, {"g", &link.g},
          {"G", &link.G}, {"O", &link.O},           {"O_recv", &link.O_recv}};
}

void markUnstable(Figure &figure, const std::string &reason) {
  figure.stable = false;
  figure.note += (figure.note.empty() ? "" : "; ") + reason;
}

} // namespace sendwright
