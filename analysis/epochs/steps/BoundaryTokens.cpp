// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/steps/BoundaryTokens.h"

#include <algorithm>
#include <tuple>

namespace sendwright {

namespace {

/// How many nodes of a rank belong before `superEpoch`.
std::uint32_t nodesBefore(const std::vector<RankSuperEpoch> &parts, std::uint32_t superEpoch) {
  const auto part = std::lower_bound(
      parts.begin(), parts.end(), superEpoch,
      [](const RankSuperEpoch &each, std::uint32_t wanted) { return each.superEpoch < wanted; });
  return part == parts.begin() ? 0 : std::prev(part)->end;
}

/// Whether the message that `send` sends in `superEpoch` may come to its receiver too early.
bool isNeeded(const EpochAnalysis &analysis, Node send, std::uint32_t receiver,
              std::uint32_t superEpoch) {
  const std::uint32_t known = analysis.dependencies[analysis.graph.link[send]];
  return known != noDependency &&
         known < nodesBefore(analysis.superEpochs.ranks[receiver], superEpoch);
}

std::span<const BoundaryToken> rangeOf(const std::vector<BoundaryToken> &tokens,
                                       const std::vector<std::uint64_t> &begins,
                                       std::uint32_t rank) {
  return std::span(tokens).subspan(begins[rank], begins[rank + 1] - begins[rank]);
}

} // namespace

BoundaryTokens::BoundaryTokens(const EpochAnalysis &analysis) {
  const std::uint32_t ranks = analysis.graph.ranks();
  senderBegins.push_back(0);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    addTokensOf(analysis, rank);
    senderBegins.push_back(bySender.size());
  }
  receiverBegins.assign(ranks + 1, 0);
  for (const BoundaryToken &token : bySender)
    ++receiverBegins[token.receiver + 1];
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    receiverBegins[rank + 1] += receiverBegins[rank];
  byReceiver = bySender;
  std::sort(byReceiver.begin(), byReceiver.end(),
            [](const BoundaryToken &first, const BoundaryToken &second) {
              return std::tie(first.receiver, first.superEpoch, first.sender) <
                     std::tie(second.receiver, second.superEpoch, second.sender);
            });
}

/// Adds a token for the first message of each super epoch to each receiver that needs it; later
/// messages know what this message knew.
void BoundaryTokens::addTokensOf(const EpochAnalysis &analysis, std::uint32_t sender) {
  const CommunicationGraph &graph = analysis.graph;
  const Node start = graph.begin[sender];
  Node node = start + 1;
  std::vector<std::uint32_t> last(graph.ranks()); // super epoch of the last token for each receiver
  for (const RankSuperEpoch &part : analysis.superEpochs.ranks[sender]) {
    for (; node - start <= part.end; ++node) {
      if (part.superEpoch == 0 || !mayOccupyBuffer(graph.kind(node)))
        continue;
      const std::uint32_t receiver = graph.rank(graph.link[node]);
      if (receiver == sender || last[receiver] == part.superEpoch ||
          !isNeeded(analysis, node, receiver, part.superEpoch))
        continue;
      last[receiver] = part.superEpoch;
      bySender.push_back({sender, node - start, receiver, part.superEpoch});
    }
  }
}

std::span<const BoundaryToken> BoundaryTokens::awaitedBy(std::uint32_t sender) const {
  return rangeOf(bySender, senderBegins, sender);
}

std::span<const BoundaryToken> BoundaryTokens::announcedBy(std::uint32_t receiver) const {
  return rangeOf(byReceiver, receiverBegins, receiver);
}

} // namespace sendwright
