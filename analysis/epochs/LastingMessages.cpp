// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/LastingMessages.h"

#include <algorithm>

namespace sendwright {

std::uint32_t LastingMessages::most(std::uint32_t rank, std::uint32_t first, std::uint32_t last) {
  Rank &own = ranks[rank];
  for (; own.next < own.changes.size() && own.changes[own.next].first <= first; ++own.next)
    own.count += own.changes[own.next].second;
  std::int32_t count = own.count, largest = own.count;
  for (std::size_t at = own.next; at < own.changes.size() && own.changes[at].first <= last; ++at) {
    count += own.changes[at].second;
    largest = std::max(largest, count);
  }
  return static_cast<std::uint32_t>(largest);
}

bool lastsBeyondEpoch(const CommunicationGraph &graph, const Epochs &epochs, Node send) {
  return graph.kind(send) == NodeKind::PostedSend &&
         epochs.epochOf[graph.representative(send)] !=
             epochs.epochOf[graph.representative(graph.link[send])];
}

LastingMessages findLastingMessages(const CommunicationGraph &graph, const Epochs &epochs,
                                    const Dependencies &dependencies) {
  LastingMessages result;
  if (std::none_of(graph.types.begin(), graph.types.end(),
                   [](const NodeType &type) { return type.kind == NodeKind::PostedSend; }))
    return result;
  for (Node node = 0; node < graph.nodes(); ++node) {
    if (!isSendKind(graph.kind(node)) || !lastsBeyondEpoch(graph, epochs, node))
      continue;
    const Node receive = graph.link[node];
    if (dependencies[receive] >= graph.position(receive))
      continue;
    result.ranks.resize(graph.ranks());
    auto &changes = result.ranks[graph.rank(receive)].changes;
    changes.emplace_back(dependencies[receive] + 1, 1);
    changes.emplace_back(graph.position(receive) + 1, -1);
  }
  for (LastingMessages::Rank &rank : result.ranks)
    std::sort(rank.changes.begin(), rank.changes.end());
  return result;
}

bool addIntervals(const CommunicationGraph &graph, const Epochs &epochs,
                  const Dependencies &dependencies, const NodeRange &range, std::uint32_t tail,
                  BufferTimeline &timeline) {
  const Node start = graph.origin[range.rank];
  bool any = false;
  for (Node node = range.first; node <= range.last; ++node) {
    if (!isReceiveKind(graph.kind(node)))
      continue;
    const std::uint32_t after = std::max(dependencies[node], tail);
    if (after >= node - start)
      continue;
    any = true;
    if (!lastsBeyondEpoch(graph, epochs, graph.link[node]))
      timeline.add(after, node - start);
  }
  return any;
}

} // namespace sendwright
