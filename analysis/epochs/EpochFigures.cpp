// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/BufferTimeline.h"
#include "analysis/epochs/EpochWalk.h"
#include "analysis/epochs/LastingMessages.h"
#include "analysis/epochs/SuperEpochs.h"

#include <algorithm>

namespace sendwright {

namespace {

/// An epoch of Sendrecvs that wait only for one another ends without buffers: it is not complex.
bool isComplex(const CommunicationGraph &graph, const EpochWalk &walk, bool hasExchanges) {
  if (!walk.circular() || !hasExchanges)
    return walk.circular();
  for (const NodeRange &range : walk.ranges())
    for (Node node = range.first; node <= range.last; ++node)
      if (graph.types[graph.type[node]].exchange)
        return !endsUnbuffered(graph, walk.ranges());
  return true;
}

} // namespace

class EpochMeasurement::State {
public:
  explicit State(const CommunicationGraph &graph) : wholeProgram(graph.ranks()) {
    result.buffers.assign(graph.ranks(), 0);
    result.wholeProgramBuffers.assign(graph.ranks(), 0);
    result.buffered.assign(graph.types.size(), 0);
    hasExchanges = std::any_of(graph.types.begin(), graph.types.end(),
                               [](const NodeType &type) { return type.exchange; });
  }

  std::vector<bool> add(const CommunicationGraph &part, const Epochs &epochsOfPart,
                        const Dependencies &dependenciesOfPart) {
    graph = &part;
    epochs = &epochsOfPart;
    dependencies = &dependenciesOfPart;
    lastingKnown = false;
    std::vector<bool> complexEpochs;
    complexEpochs.reserve(epochs->circular.size());
    EpochWalk walk(*graph, *epochs);
    while (walk.next()) {
      const bool complex = isComplex(*graph, walk, hasExchanges);
      complexEpochs.push_back(complex);
      result.complexEpochs += complex;
      result.epochs += sends(walk);
      if (complex)
        measure(walk);
    }
    measureWholeProgram();
    return complexEpochs;
  }

  EpochFigures result;

private:
  bool sends(const EpochWalk &walk) const {
    for (const NodeRange &range : walk.ranges())
      for (Node node = range.first; node <= range.last; ++node)
        if (isSendKind(graph->kind(node)))
          return true;
    return false;
  }

  void measure(const EpochWalk &walk) {
    if (!lastingKnown) {
      lasting = findLastingMessages(*graph, *epochs, *dependencies);
      lastingKnown = true;
    }
    for (const NodeRange &range : walk.ranges()) {
      const Node origin = graph->origin[range.rank];
      timeline.clear();
      if (!addIntervals(*graph, *epochs, *dependencies, range, range.first - 1 - origin, timeline))
        continue;
      std::uint32_t most = timeline.peak();
      if (!lasting.empty())
        most += lasting.most(range.rank, range.first - origin, range.last - origin);
      result.buffers[range.rank] = std::max(result.buffers[range.rank], most);
      for (Node node = range.first; node <= range.last; ++node)
        if (isReceiveKind(graph->kind(node)) && graph->link[node] != noNode &&
            mayOccupyBuffer(graph->kind(graph->link[node])))
          ++result.buffered[graph->type[graph->link[node]]];
    }
  }

  void measureWholeProgram() {
    for (std::uint32_t rank = 0; rank < graph->ranks(); ++rank) {
      BufferTimeline &own = wholeProgram[rank];
      const Node origin = graph->origin[rank];
      for (Node node = graph->begin[rank]; node < graph->begin[rank + 1]; ++node)
        if (isReceiveKind(graph->kind(node)) && (*dependencies)[node] < node - origin)
          own.add((*dependencies)[node], node - origin);
      result.wholeProgramBuffers[rank] = own.peak();
    }
  }

  const CommunicationGraph *graph = nullptr;
  const Epochs *epochs = nullptr;
  const Dependencies *dependencies = nullptr;
  LastingMessages lasting;
  bool lastingKnown = false, hasExchanges = false;
  BufferTimeline timeline;
  std::vector<BufferTimeline> wholeProgram; // by rank
};

EpochMeasurement::EpochMeasurement(const CommunicationGraph &firstPart)
    : state(std::make_unique<State>(firstPart)) {}
EpochMeasurement::EpochMeasurement(EpochMeasurement &&) noexcept = default;
EpochMeasurement::~EpochMeasurement() = default;

std::vector<bool> EpochMeasurement::add(const CommunicationGraph &graph, const Epochs &epochs,
                                        const Dependencies &dependencies) {
  return state->add(graph, epochs, dependencies);
}

const EpochFigures &EpochMeasurement::figures() const { return state->result; }

EpochFigures measureEpochs(const CommunicationGraph &graph, const Epochs &epochs,
                           const Dependencies &dependencies) {
  EpochMeasurement measurement(graph);
  std::vector<bool> complex = measurement.add(graph, epochs, dependencies);
  EpochFigures result = measurement.figures();
  result.complex = std::move(complex);
  return result;
}

} // namespace sendwright
