// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each rank only its current super epoch is under construction: a rank's nodes never go back to
// an earlier super epoch. If a node waits for a node that its rank left long ago, bisection of the
// rank's list of ends finds the super epoch.

#include "analysis/epochs/SuperEpochs.h"

#include "analysis/epochs/BufferTimeline.h"
#include "analysis/epochs/EpochWalk.h"
#include "analysis/epochs/LastingMessages.h"

#include <algorithm>
#include <span>

namespace sendwright {

namespace {

constexpr std::uint32_t noTail = UINT32_MAX;

/// One rank's super epochs; the last is under construction.
struct Construction {
  std::vector<RankSuperEpoch> parts; // `component`: an element of Components
  std::vector<std::uint32_t> tails;  // by part: nodes done before its first complex epoch
  BufferTimeline timeline;           // of the last part's tail
  std::uint32_t lasting = 0;

  bool isIn(std::uint32_t superEpoch) const {
    return !parts.empty() && parts.back().superEpoch == superEpoch;
  }
};

/// Disjoint sets of elements, which are numbered as they are added.
class Components {
public:
  void reserve(std::size_t elements) { parents.reserve(elements); }
  std::uint32_t add() {
    parents.push_back(static_cast<std::uint32_t>(parents.size()));
    return parents.back();
  }
  std::uint32_t find(std::uint32_t element) {
    while (parents[element] != element)
      element = parents[element] = parents[parents[element]];
    return element;
  }
  /// The earlier root stays: chains remain short, because elements are joined soon after they are
  /// added.
  void join(std::uint32_t first, std::uint32_t second) {
    first = find(first);
    second = find(second);
    parents[std::max(first, second)] = std::min(first, second);
  }
  /// The last step: replaces elements by the numbers of their sets, and returns the size of each
  /// set. One pass in order, because every parent comes before its children.
  std::vector<std::uint32_t> number() {
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t element = 0; element < parents.size(); ++element) {
      const bool isRoot = parents[element] == element;
      parents[element] =
          isRoot ? static_cast<std::uint32_t>(sizes.size()) : parents[parents[element]];
      if (isRoot)
        sizes.push_back(0);
      ++sizes[parents[element]];
    }
    return sizes;
  }
  std::uint32_t numberOf(std::uint32_t element) const { return parents[element]; }

private:
  std::vector<std::uint32_t> parents;
};

class Builder {
public:
  Builder(const CommunicationGraph &graph, const Epochs &epochs, const Dependencies &dependencies,
          const EpochFigures &figures, const std::vector<std::uint32_t> &buffers)
      : graph(graph), epochs(epochs), dependencies(dependencies), figures(figures),
        buffers(buffers), walk(graph, epochs), ranks(graph.ranks()),
        posted(graph.collectives.size()) {
    if (figures.complexEpochs > 0)
      lasting = findLastingMessages(graph, epochs, dependencies);
    // Never more super epochs than epochs. Unused capacity takes no memory; growing would.
    for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank) {
      ranks[rank].parts.reserve(epochs.ofRank[rank]);
      ranks[rank].tails.reserve(epochs.ofRank[rank]);
    }
    components.reserve(epochs.parts.size());
  }

  SuperEpochs build() {
    for (std::size_t epoch = 0; walk.next(); ++epoch)
      place(figures.complex[epoch]);
    return finish();
  }

private:
  /// A message to a rank that has nothing else in the super epoch.
  struct Visit {
    std::uint32_t rank, superEpoch, element;
    bool operator<(const Visit &other) const {
      return std::pair(rank, superEpoch) < std::pair(other.rank, other.superEpoch);
    }
  };

  // Placing an epoch.

  void place(bool complex) {
    superEpoch = 0;
    behindTail = false;
    const std::vector<NodeRange> &ranges = walk.ranges();
    for (std::uint32_t number : walk.postedCollectives()) {
      const CollectiveInstance &instance = graph.collectives[number];
      for (std::uint32_t i = instance.membersBegin; i < instance.membersEnd; ++i)
        followNode(graph.members[i]);
    }
    for (const NodeRange &range : ranges) {
      if (const Construction &rank = ranks[range.rank]; !rank.parts.empty())
        follow(rank.parts.back().superEpoch, rank.tails.back() != noTail);
      for (Node node = range.first; node <= range.last; ++node)
        followOthers(node);
    }
    const bool tail = complex || behindTail;
    if (tail && !fits(ranges)) {
      ++superEpoch;
      if (complex)
        fits(ranges); // always succeeds: none of its ranks has anything there yet
      enter(ranges, complex);
    } else {
      enter(ranges, tail);
    }
    connect(ranges);
    for (std::uint32_t number : walk.postedCollectives())
      posted[number] = {superEpoch, tail};
  }

  void follow(std::uint32_t other, bool tail) {
    if (other > superEpoch) {
      superEpoch = other;
      behindTail = tail;
    } else if (other == superEpoch) {
      behindTail |= tail;
    }
  }

  /// Follows what a node waits for besides its predecessor, on ranks that may have gone on since.
  void followOthers(Node node) {
    const NodeKind kind = graph.kind(node);
    const bool crosses = kind == NodeKind::Wait ||
                         ((kind == NodeKind::Send || kind == NodeKind::SynchronousSend) &&
                          graph.kind(graph.link[node]) != NodeKind::Receive) ||
                         (kind == NodeKind::Receive && graph.representative(node) == node);
    if (!crosses)
      return;
    const Node representative = graph.representative(node);
    for (std::uint32_t arc = 1;; ++arc) {
      const Node other = predecessor(graph, representative, arc);
      if (other == noNode)
        return;
      if (other < graph.nodes())
        followNode(other);
      else if (graph.collectives[other - graph.nodes()].posted)
        follow(posted[other - graph.nodes()].superEpoch, posted[other - graph.nodes()].tail);
      else // any member, because all members are in the same place
        followNode(graph.members[graph.collectives[other - graph.nodes()].membersBegin]);
    }
  }

  void followNode(Node node) {
    const Construction &rank = ranks[graph.rank(node)];
    const std::uint32_t position = graph.position(node);
    const auto part = std::lower_bound(
        rank.parts.begin(), rank.parts.end(), position,
        [](const RankSuperEpoch &each, std::uint32_t wanted) { return each.end < wanted; });
    if (part == rank.parts.end())
      return;
    const std::uint32_t tail = rank.tails[static_cast<std::size_t>(part - rank.parts.begin())];
    follow(part->superEpoch, tail != noTail && position > tail);
  }

  // Checking whether an epoch fits.

  /// Adds what the epoch needs to the tail of `superEpoch`. False, with nothing added, if some rank
  /// has too few buffers for it.
  bool fits(const std::vector<NodeRange> &ranges) {
    std::size_t tried = 0;
    bool enough = true;
    while (enough && tried < ranges.size())
      enough = fitsRank(ranges[tried++]);
    for (std::size_t i = 0; i < tried; ++i) {
      Construction &rank = ranks[ranges[i].rank];
      enough ? rank.timeline.keep() : rank.timeline.takeBack();
    }
    return enough;
  }

  bool fitsRank(const NodeRange &range) {
    Construction &rank = ranks[range.rank];
    const std::uint32_t start = graph.begin[range.rank];
    std::uint32_t tail = range.first - 1 - start;
    if (rank.isIn(superEpoch) && rank.tails.back() != noTail) {
      tail = rank.tails.back();
    } else {
      rank.timeline.clear(); // the rank's tail begins here
      rank.lasting = 0;
    }
    rank.timeline.begin();
    const bool needs = addIntervals(graph, epochs, dependencies, range, tail, rank.timeline);
    if (!lasting.empty())
      rank.lasting =
          std::max(rank.lasting, lasting.most(range.rank, range.first - start, range.last - start));
    return !needs || rank.timeline.peak() + rank.lasting <= buffers[range.rank];
  }

  void enter(const std::vector<NodeRange> &ranges, bool tail) {
    for (const NodeRange &range : ranges) {
      Construction &rank = ranks[range.rank];
      const std::uint32_t start = graph.begin[range.rank];
      if (!rank.isIn(superEpoch)) {
        rank.parts.push_back({superEpoch, 0, components.add()});
        rank.tails.push_back(noTail);
        count = std::max(count, superEpoch + 1);
      }
      if (tail && rank.tails.back() == noTail)
        rank.tails.back() = range.first - 1 - start;
      rank.parts.back().end = range.last - start;
    }
  }

  // Finding who exchanges messages.

  void connect(const std::vector<NodeRange> &ranges) {
    for (const NodeRange &range : ranges)
      for (Node node = range.first; node <= range.last; ++node) {
        if (!isSendKind(graph.kind(node)))
          continue;
        const std::uint32_t receiver = graph.rank(graph.link[node]);
        const std::uint32_t own = ranks[range.rank].parts.back().component;
        if (ranks[receiver].isIn(superEpoch))
          components.join(own, ranks[receiver].parts.back().component);
        else
          visits.push_back({receiver, superEpoch, own});
      }
  }

  // The result.

  SuperEpochs finish() {
    SuperEpochs result;
    result.count = count;
    result.ranks.resize(graph.ranks());
    std::sort(visits.begin(), visits.end());
    auto visit = visits.begin();
    for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank) {
      auto end = visit;
      while (end != visits.end() && end->rank == rank)
        ++end;
      result.ranks[rank] = std::move(ranks[rank].parts);
      if (visit != end)
        result.ranks[rank] = withVisits(result.ranks[rank], {visit, end});
      ranks[rank] = {};
      visit = end;
    }
    countSynchronizations(result);
    return result;
  }

  /// A rank's super epochs, including those that it is in only because of others' messages.
  std::vector<RankSuperEpoch> withVisits(const std::vector<RankSuperEpoch> &parts,
                                         std::span<const Visit> ofRank) {
    std::vector<RankSuperEpoch> list;
    auto visit = ofRank.begin();
    std::uint32_t end = 0;
    auto addUntil = [&](std::uint64_t superEpoch) {
      for (; visit != ofRank.end() && visit->superEpoch < superEpoch; ++visit) {
        if (list.empty() || list.back().superEpoch != visit->superEpoch)
          list.push_back({visit->superEpoch, end, components.add()});
        components.join(visit->element, list.back().component);
      }
    };
    for (const RankSuperEpoch &part : parts) {
      addUntil(part.superEpoch);
      list.push_back(part);
      addUntil(std::uint64_t{part.superEpoch} + 1);
      end = part.end;
    }
    addUntil(UINT64_MAX);
    return list;
  }

  void countSynchronizations(SuperEpochs &result) {
    result.componentSizes = components.number();
    for (std::vector<RankSuperEpoch> &list : result.ranks)
      for (RankSuperEpoch &part : list)
        part.component = components.numberOf(part.component);
    result.full = count > 0 ? std::uint64_t{count - 1} * graph.ranks() : 0;
    for (std::uint32_t size : result.componentSizes) {
      result.partial += size;
      result.component += size > 1 ? size : 0;
    }
    for (const std::vector<RankSuperEpoch> &list : result.ranks)
      if (!list.empty() && list[0].superEpoch == 0) { // nobody waits before the first super epoch
        --result.partial;
        result.component -= result.componentSizes[list[0].component] > 1;
      }
  }

  const CommunicationGraph &graph;
  const Epochs &epochs;
  const Dependencies &dependencies;
  const EpochFigures &figures;
  const std::vector<std::uint32_t> &buffers;
  EpochWalk walk;
  std::vector<Construction> ranks;
  Components components;
  std::vector<Visit> visits;
  struct Posted {
    std::uint32_t superEpoch = 0;
    bool tail = false;
  };
  std::vector<Posted> posted; // by collective
  LastingMessages lasting;
  std::uint32_t count = 0;

  // The epoch being placed.
  std::uint32_t superEpoch = 0;
  bool behindTail = false;
};

} // namespace

SuperEpochs buildSuperEpochs(const CommunicationGraph &graph, const Epochs &epochs,
                             const Dependencies &dependencies, const EpochFigures &figures,
                             const std::vector<std::uint32_t> &buffers) {
  return Builder(graph, epochs, dependencies, figures, buffers).build();
}

} // namespace sendwright
