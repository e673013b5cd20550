// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many message buffers each rank needs, without and with synchronisation, and the lines that
// need them.

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/epochs/EpochList.h"
#include "analysis/file/FormatError.h"
#include "tool/command/report/ReportSections.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostPlaces = 200;
constexpr std::uint64_t mostVertices = 300; // of a graph that fits into a page
constexpr std::size_t mostGraphs = 12;

Json graphJson(const Profile &profile, const EpochAnalysis &analysis, const EpochList &list,
               std::size_t number) {
  const EpochDrawing drawing = drawEpoch(analysis.graph, list.epochs[number]);
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
  return {{"epoch", number},
          {"messages", list.epochs[number].messages},
          {"super_epoch", list.epochs[number].superEpoch},
          {"ranks", drawing.ranks},
          {"columns", drawing.columns},
          {"vertices", std::move(vertices)},
          {"arcs", std::move(arcs)}};
}

/// The communication graphs of epochs that are worth a drawing, and fit: complex epochs, those with
/// the most messages first.
Json graphsOfEpochs(const Profile &profile, const EpochAnalysis &analysis,
                    const std::string &name) {
  Json graphs = Json::array();
  EpochList list;
  try {
    list = listEpochs(analysis, name);
  } catch (const FormatError &) { // too many
    return graphs;
  }
  std::vector<std::size_t> worth;
  for (std::size_t number = 0; number < list.epochs.size(); ++number)
    if (list.epochs[number].isComplex && list.epochs[number].messages > 0 &&
        verticesOf(list.epochs[number]) <= mostVertices)
      worth.push_back(number);
  std::stable_sort(worth.begin(), worth.end(), [&](std::size_t one, std::size_t other) {
    return list.epochs[one].messages > list.epochs[other].messages;
  });
  worth.resize(std::min(worth.size(), mostGraphs));
  for (const std::size_t number : worth)
    graphs.push_back(graphJson(profile, analysis, list, number));
  return graphs;
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
               {"graphs", graphsOfEpochs(data.profile, result, data.name())},
               {"places", Json::array()}};
  std::vector<PlaceCount> places = placesInNeed(data.profile, result);
  places.resize(std::min(places.size(), mostPlaces));
  for (const PlaceCount &place : places)
    json["places"].push_back({{"place", place.name}, {"messages", place.count}});
  return json;
}

} // namespace sendwright
