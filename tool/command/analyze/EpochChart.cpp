// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/analyze/EpochChart.h"

#include "analysis/file/FigureText.h"
#include "tool/command/base/SvgDrawing.h"

#include <algorithm>
#include <cmath>

namespace sendwright {

namespace {

constexpr double columnWidth = 58, rowHeight = 64, leftOfEpoch = 76, aboveEpoch = 70,
                 besidesEpoch = 30, vertexRadius = 7;
// Colours that people who see few colours can tell apart (M. Okabe and K. Ito, 2008).
constexpr const char *sendColour = "#d55e00", *receiveColour = "#0072b2", *otherColour = "#999";

const char *colourOf(NodeKind kind) {
  return isSendKind(kind) ? sendColour : isReceiveKind(kind) ? receiveColour : otherColour;
}

/// What a node does, in one word.
const char *wordOf(NodeKind kind) {
  switch (kind) {
  case NodeKind::Start:
    return "start";
  case NodeKind::Send:
    return "send";
  case NodeKind::SynchronousSend:
    return "ssend";
  case NodeKind::BufferedSend:
    return "bsend";
  case NodeKind::PostedSend:
    return "isend";
  case NodeKind::PostedSynchronousSend:
    return "issend";
  case NodeKind::PostedBufferedSend:
    return "ibsend";
  case NodeKind::Receive:
    return "recv";
  case NodeKind::PostedReceive:
    return "irecv";
  case NodeKind::Wait:
    return "wait";
  case NodeKind::Collective:
  case NodeKind::PostedCollective:
    return "collective";
  }
  return "";
}

struct Point {
  double x = 0, y = 0;
};

Point placeOf(const EpochVertex &vertex) {
  return {leftOfEpoch + columnWidth * vertex.column, aboveEpoch + rowHeight * vertex.row};
}

/// From the edge of one vertex to the edge of another.
void drawArc(SvgDrawing &drawing, const EpochArc &arc, Point from, Point to) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const bool isLoop = length < 2 * vertexRadius; // both ends at one place: nothing to show
  if (isLoop)
    return;
  const double across = vertexRadius * (to.x - from.x) / length,
               down = vertexRadius * (to.y - from.y) / length;
  const bool isBent = arc.isMessage && from.y == to.y; // of a rank to itself
  const std::string way =
      isBent ? formatted("Q%.1f %.1f ", (from.x + to.x) / 2, from.y - rowHeight / 2) : "L";
  drawing.path(formatted("M%.1f %.1f", from.x + across, from.y + down) + way +
                   formatted("%.1f %.1f", to.x - across, to.y - down),
               arc.isMessage
                   ? formatted("fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" "
                               "marker-end=\"url(#message)\"",
                               sendColour)
                   : std::string("fill=\"none\" stroke=\"#888\" marker-end=\"url(#order)\""));
}

} // namespace

std::string epochSvg(const Profile &profile, const EpochAnalysis &analysis, const EpochList &list,
                     std::size_t epoch) {
  const ListedEpoch &listed = list.epochs[epoch];
  const EpochDrawing graph = drawEpoch(analysis.graph, listed);
  const std::string title = formatted(
      "Epoch %zu: %s, %llu messages, %zu ranks", epoch, listed.isComplex ? "complex" : "simple",
      static_cast<unsigned long long>(listed.messages), listed.ranks.size());
  const double width =
      std::max(leftOfEpoch + columnWidth * (graph.columns - 1) + besidesEpoch, 420.0);
  SvgDrawing drawing(
      width, aboveEpoch + rowHeight * static_cast<double>(graph.ranks.size() - 1) + besidesEpoch,
      title);
  drawing.defineArrow("message", sendColour);
  drawing.defineArrow("order", "#888");
  drawing.text(10, 22, title, "font-size=\"14\"");
  drawing.text(10, 40, "grey arrows: the program's order; coloured arrows: messages",
               "font-size=\"11\"");
  for (std::size_t row = 0; row < graph.ranks.size(); ++row)
    drawing.text(10, aboveEpoch + rowHeight * static_cast<double>(row) + 4,
                 "rank " + std::to_string(graph.ranks[row]));
  for (const EpochArc &arc : graph.arcs)
    drawArc(drawing, arc, placeOf(graph.vertices[arc.from]), placeOf(graph.vertices[arc.to]));
  for (const EpochVertex &vertex : graph.vertices) {
    const Point place = placeOf(vertex);
    const NodeKind kind = analysis.graph.kind(vertex.node);
    drawing.circle(place.x, place.y, vertexRadius, formatted("fill=\"%s\"", colourOf(kind)),
                   nodeText(profile, analysis.graph, vertex.node));
    drawing.text(place.x, place.y + vertexRadius + 11, wordOf(kind),
                 "text-anchor=\"middle\" font-size=\"10\"");
  }
  return drawing.file();
}

} // namespace sendwright
