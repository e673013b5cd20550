// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/EpochAnalysis.h"

#include "analysis/epochs/EpochTotals.h"
#include "analysis/file/NumberList.h"
#include "analysis/file/Progress.h"

#include <algorithm>
#include <map>
#include <optional>

namespace sendwright {

namespace {

void checkBuffers(const TraceLocation &locate, const EpochFigures &figures,
                  std::vector<std::uint32_t> &buffers) {
  const std::vector<std::uint32_t> &least = figures.buffers;
  if (buffers.empty())
    buffers = least;
  if (buffers.size() == 1)
    buffers.assign(least.size(), buffers[0]);
  if (buffers.size() != least.size())
    locate.fail(std::to_string(buffers.size()) + " numbers of buffers, expected one for each of " +
                std::to_string(least.size()) + " ranks");
  std::size_t few = 0;
  std::string first;
  for (std::size_t rank = 0; rank < least.size(); ++rank)
    if (buffers[rank] < least[rank] && ++few == 1)
      first = std::to_string(buffers[rank]) + (buffers[rank] == 1 ? " buffer" : " buffers") +
              " for rank " + std::to_string(rank) + ", expected at least " +
              std::to_string(least[rank]);
  if (few > 0)
    locate.fail(first +
                (few > 1 ? " (" + std::to_string(few - 1) + " more ranks need more, too)" : ""));
}

EpochAnalysis analyzeWhole(const Profile &profile, const TraceLocation &locate,
                           std::vector<std::uint32_t> buffers) {
  EpochAnalysis result;
  Progress steps("steps", 4, Progress::Total::Steps);
  result.graph = buildCommunicationGraph(profile, locate);
  steps.advance();
  EpochFinder finder(result.graph);
  {
    Progress progress("calls", result.graph.nodes());
    result.dependencies = executeUnbounded(result.graph, profile, locate, [&](Node node) {
      finder.visit(node);
      progress.advance();
    });
  }
  result.epochs = finder.take();
  steps.advance();
  result.figures = measureEpochs(result.graph, result.epochs, result.dependencies);
  steps.advance();
  checkBuffers(locate, result.figures, buffers);
  result.superEpochs =
      buildSuperEpochs(result.graph, result.epochs, result.dependencies, result.figures, buffers);
  result.buffers = std::move(buffers);
  return result;
}

} // namespace

EpochAnalysis analyzeEpochs(const Profile &profile, const TraceLocation &locate,
                            std::vector<std::uint32_t> buffers, EpochDetail detail) {
  if (detail == EpochDetail::Totals)
    if (std::optional<EpochAnalysis> result = analyzeInParts(profile, locate, buffers)) {
      checkBuffers(locate, result->figures, result->buffers);
      return std::move(*result);
    }
  return analyzeWhole(profile, locate, std::move(buffers));
}

std::vector<std::uint32_t> parseBuffers(const std::string &value, const std::string &option) {
  const std::vector<std::uint64_t> numbers =
      parseNumberList(value, option, "numbers of buffers", UINT32_MAX);
  return std::vector<std::uint32_t>(numbers.begin(), numbers.end());
}

void formatBoundaries(const EpochAnalysis &analysis,
                      const std::function<void(std::string_view)> &write) {
  const CommunicationGraph &graph = analysis.graph;
  std::string text;
  for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank) {
    std::uint64_t events = 0;
    Node node = graph.begin[rank];
    const char *separator = "";
    for (const RankSuperEpoch &part : analysis.superEpochs.ranks[rank]) {
      for (; node - graph.begin[rank] <= part.end; ++node)
        events += (isSendKind(graph.kind(node)) || isReceiveKind(graph.kind(node))) &&
                  graph.link[node] != noNode;
      text += separator + std::to_string(part.superEpoch) + ":" + std::to_string(events);
      separator = " ";
    }
    text += "\n";
    if (text.size() > (1 << 16)) {
      write(text);
      text.clear();
    }
  }
  write(text);
}

std::vector<PlaceCount> placesInNeed(const Profile &profile, const EpochAnalysis &analysis) {
  const CommunicationGraph &graph = analysis.graph;
  std::map<std::string, std::uint64_t> places;
  for (std::size_t type = 0; type < graph.types.size(); ++type) {
    const std::uint64_t count = analysis.figures.buffered[type];
    if (count == 0)
      continue;
    const RankProfile &rank = profile.ranks[graph.types[type].rank];
    places[callPlace(profile, rank, rank.events[graph.types[type].event])] += count;
  }
  std::vector<PlaceCount> result;
  result.reserve(places.size());
  for (const auto &[name, count] : places)
    result.push_back({name, count});
  std::stable_sort(
      result.begin(), result.end(),
      [](const PlaceCount &first, const PlaceCount &second) { return first.count > second.count; });
  return result;
}

} // namespace sendwright
