// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/graph/MessageChannels.h"

#include "analysis/trace/Profile.h"

#include <climits>
#include <numeric>

namespace sendwright {

std::uint32_t MessageChannels::number(const MessageChannel &channel) {
  auto [place, isNew] = numbers.try_emplace(channel, static_cast<std::uint32_t>(channels.size()));
  if (isNew)
    channels.push_back(channel);
  return place->second;
}

/// A counting sort. All sends of a channel belong to one rank, so they come in its order.
void MessageChannels::collectSends(const CommunicationGraph &graph) {
  std::vector<std::uint64_t> begin(channels.size() + 1);
  for (Node node = 0; node < graph.nodes(); ++node)
    if (isSendKind(graph.kind(node)))
      ++begin[graph.link[node] + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  sends.resize(begin.back());
  next.assign(begin.begin(), begin.end() - 1);
  for (Node node = 0; node < graph.nodes(); ++node)
    if (isSendKind(graph.kind(node)))
      sends[next[graph.link[node]]++] = node;
  next.assign(begin.begin(), begin.end() - 1);
  ends.assign(begin.begin() + 1, begin.end());
}

/// The earliest message left in any channel of the pair. Receives in order never leave a gap: what
/// is left of a channel is its end.
Node MessageChannels::takeAnyTag(const MessageChannel &channel) {
  MessageChannel first = channel;
  first.tag = INT_MIN;
  std::uint64_t *earliest = nullptr;
  for (auto each = numbers.lower_bound(first); each != numbers.end(); ++each) {
    MessageChannel pair = each->first;
    pair.tag = INT_MIN;
    if (pair != first)
      break;
    std::uint64_t &candidate = next[each->second];
    if (candidate < ends[each->second] && (!earliest || sends[candidate] < sends[*earliest]))
      earliest = &candidate;
  }
  return earliest ? sends[(*earliest)++] : noNode;
}

void MessageChannels::match(CommunicationGraph &graph) {
  collectSends(graph);
  for (Node node = 0; node < graph.nodes(); ++node) {
    if (!isReceiveKind(graph.kind(node)) || graph.link[node] == noNode)
      continue;
    const std::uint32_t channel = graph.link[node];
    Node send = noNode;
    if (channels[channel].tag == anyTag)
      send = takeAnyTag(channels[channel]);
    else if (next[channel] < ends[channel])
      send = sends[next[channel]++];
    graph.link[node] = send;
    if (send != noNode)
      graph.link[send] = node;
    graph.messages += send != noNode;
  }
  for (std::size_t channel = 0; channel < channels.size(); ++channel)
    for (std::uint64_t left = next[channel]; left < ends[channel]; ++left)
      graph.link[sends[left]] = noNode;
}

} // namespace sendwright
