// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many message buffers each rank needs, without and with synchronisation, and the lines that
// need them.

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/epochs/EpochList.h"
#include "analysis/file/FormatError.h"
#include "tool/command/report/ReportSections.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostPlaces = 200;
constexpr std::uint64_t mostVertices = 300; // of a graph that fits into a page

/// The communication graph of the epoch that is worth a drawing, and fits: the complex epoch with
/// the most messages. Null if there is none.
Json graphOfEpoch(const Profile &profile, const EpochAnalysis &analysis, const std::string &name) {
  EpochList list;
  try {
    list = listEpochs(analysis, name);
  } catch (const FormatError &) { // too many
    return nullptr;
  }
  for (ListedEpoch &epoch : list.epochs)
    if (!epoch.isComplex || verticesOf(epoch) > mostVertices)
      epoch.messages = 0;
  const std::optional<std::size_t> largest = largestEpoch(list);
  if (!largest || list.epochs[*largest].messages == 0)
    return nullptr;
  const EpochDrawing drawing = drawEpoch(analysis.graph, list.epochs[*largest]);
  Json vertices = Json::array(), arcs = Json::array();
  for (const EpochVertex &vertex : drawing.vertices) {
    const NodeKind kind = analysis.graph.kind(vertex.node);
    vertices.push_back({vertex.row, vertex.column,
                        isSendKind(kind)      ? "send"
                        : isReceiveKind(kind) ? "receive"
                                              : "other",
                        nodeText(profile, analysis.graph, vertex.node)});
  }
  for (const EpochArc &arc : drawing.arcs)
    arcs.push_back({arc.from, arc.to, arc.isMessage});
  return {{"epoch", *largest},
          {"messages", list.epochs[*largest].messages},
          {"super_epoch", list.epochs[*largest].superEpoch},
          {"ranks", drawing.ranks},
          {"columns", drawing.columns},
          {"vertices", std::move(vertices)},
          {"arcs", std::move(arcs)}};
}

/// Where the plan synchronises; null if it does not.
Json synchronizedJson(const ReportData &data) {
  if (!data.synchronization())
    return nullptr;
  const SynchronizationPlan &plan = *data.synchronization();
  Json json = {{"kind", nameOf(plan.kind)},
               {"buffers", plan.buffers},
               {"synchronizations", plan.synchronizations},
               {"unmarked", plan.actsUnmarked},
               {"calls", Json::array()}};
  for (const SynchronizedCall &call : plan.calls)
    if (json["calls"].size() < mostPlaces)
      json["calls"].push_back({{"call", call.site.display()},
                               {"function", call.site.function},
                               {"times", call.actions.acts},
                               {"ranks", call.actions.ranks}});
  return json;
}

} // namespace

nlohmann::ordered_json buffersSection(const ReportData &data) {
  if (!data.epochs)
    return {{"absent", "The run's epochs cannot be found. " + data.noEpochs}};
  const EpochAnalysis &result = *data.epochs;
  Json json = {{"messages", result.graph.messages},
               {"epochs", result.figures.epochs},
               {"complex_epochs", result.figures.complexEpochs},
               {"super_epochs", result.superEpochs.count},
               {"buffers", result.figures.buffers},
               {"whole_program_buffers", result.figures.wholeProgramBuffers},
               {"synchronizations",
                {{"full", result.superEpochs.full},
                 {"partial", result.superEpochs.partial},
                 {"component", result.superEpochs.component}}},
               {"safe_without_buffers", result.safeWithoutBuffers()},
               {"synchronized", synchronizedJson(data)},
               {"graph", graphOfEpoch(data.profile, result, data.name())},
               {"places", Json::array()}};
  std::vector<PlaceCount> places = placesInNeed(data.profile, result);
  places.resize(std::min(places.size(), mostPlaces));
  for (const PlaceCount &place : places)
    json["places"].push_back({{"place", place.name}, {"messages", place.count}});
  return json;
}

} // namespace sendwright
