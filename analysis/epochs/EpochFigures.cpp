// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/BufferTimeline.h"
#include "analysis/epochs/EpochWalk.h"
#include "analysis/epochs/LastingMessages.h"
#include "analysis/epochs/SuperEpochs.h"

#include <algorithm>

namespace sendwright {

namespace {

/// An epoch of Sendrecvs that wait only for one another ends without buffers: it is not complex.
bool isComplex(const CommunicationGraph &graph, const EpochWalk &walk) {
  if (!walk.circular())
    return false;
  for (const NodeRange &range : walk.ranges())
    for (Node node = range.first; node <= range.last; ++node)
      if (graph.types[graph.type[node]].exchange)
        return !endsUnbuffered(graph, walk.ranges());
  return true;
}

std::vector<std::uint32_t> measureWholeProgram(const CommunicationGraph &graph,
                                               const Dependencies &dependencies) {
  std::vector<std::uint32_t> result;
  BufferTimeline timeline;
  for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank) {
    timeline.clear();
    const Node start = graph.begin[rank];
    for (Node node = start; node < graph.begin[rank + 1]; ++node)
      if (isReceiveKind(graph.kind(node)) && dependencies[node] < node - start)
        timeline.add(dependencies[node], node - start);
    result.push_back(timeline.peak());
  }
  return result;
}

class Measurement {
public:
  Measurement(const CommunicationGraph &graph, const Epochs &epochs,
              const Dependencies &dependencies)
      : graph(graph), epochs(epochs), dependencies(dependencies), walk(graph, epochs) {}

  EpochFigures run() {
    result.buffers.assign(graph.ranks(), 0);
    result.buffered.assign(graph.types.size(), 0);
    while (walk.next()) {
      const bool complex = isComplex(graph, walk);
      result.complex.push_back(complex);
      result.complexEpochs += complex;
      result.epochs += sends();
      if (complex)
        measure();
    }
    result.wholeProgramBuffers = measureWholeProgram(graph, dependencies);
    return std::move(result);
  }

private:
  bool sends() const {
    for (const NodeRange &range : walk.ranges())
      for (Node node = range.first; node <= range.last; ++node)
        if (isSendKind(graph.kind(node)))
          return true;
    return false;
  }

  void measure() {
    if (!lastingKnown) {
      lasting = findLastingMessages(graph, epochs, dependencies);
      lastingKnown = true;
    }
    for (const NodeRange &range : walk.ranges()) {
      const Node start = graph.begin[range.rank];
      timeline.clear();
      if (!addIntervals(graph, epochs, dependencies, range, range.first - 1 - start, timeline))
        continue;
      std::uint32_t most = timeline.peak();
      if (!lasting.empty())
        most += lasting.most(range.rank, range.first - start, range.last - start);
      result.buffers[range.rank] = std::max(result.buffers[range.rank], most);
      for (Node node = range.first; node <= range.last; ++node)
        if (isReceiveKind(graph.kind(node)) && graph.link[node] != noNode &&
            mayOccupyBuffer(graph.kind(graph.link[node])))
          ++result.buffered[graph.type[graph.link[node]]];
    }
  }

  const CommunicationGraph &graph;
  const Epochs &epochs;
  const Dependencies &dependencies;
  EpochWalk walk;
  EpochFigures result;
  LastingMessages lasting;
  bool lastingKnown = false;
  BufferTimeline timeline;
};

} // namespace

EpochFigures measureEpochs(const CommunicationGraph &graph, const Epochs &epochs,
                           const Dependencies &dependencies) {
  return Measurement(graph, epochs, dependencies).run();
}

} // namespace sendwright
