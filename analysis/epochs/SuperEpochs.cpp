// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each rank only its current super epoch is under construction: a rank's nodes never go back to
// an earlier one. What else must be looked up, where a node waits for one that its rank has long
// left behind, is found in the list of ends by bisection.

#include "analysis/epochs/SuperEpochs.h"

#include "analysis/epochs/BufferTimeline.h"
#include "analysis/epochs/EpochWalk.h"
#include "analysis/epochs/LastingMessages.h"

#include <algorithm>
#include <numeric>

namespace sendwright {

namespace {

constexpr std::uint32_t noTail = UINT32_MAX;

/// One rank's super epoch under construction, and the ends of all.
struct Construction {
  struct Part {
    std::uint32_t superEpoch, end, tail; // tail: nodes done before its first complex epoch
    std::uint32_t element;               // of the components
  };
  std::vector<Part> parts;
  BufferTimeline timeline; // of the last part's tail
  std::uint32_t lasting = 0;
};

/// Disjoint sets, numbered as they come.
class Components {
public:
  std::uint32_t add() {
    parents.push_back(static_cast<std::uint32_t>(parents.size()));
    return parents.back();
  }
  std::uint32_t find(std::uint32_t element) {
    while (parents[element] != element)
      element = parents[element] = parents[parents[element]];
    return element;
  }
  /// The earlier root stays: chains remain short, for elements are joined soon after they come.
  void join(std::uint32_t first, std::uint32_t second) {
    first = find(first);
    second = find(second);
    parents[std::max(first, second)] = std::min(first, second);
  }
  std::size_t size() const { return parents.size(); }

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
  }

  SuperEpochs build() {
    std::size_t epoch = 0;
    epochs.forEach(
        [&](std::size_t begin, std::size_t end) { place(begin, end, figures.complex[epoch++]); });
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

  // Where an epoch goes.

  void place(std::size_t begin, std::size_t end, bool complex) {
    superEpoch = 0;
    behindTail = false;
    const std::vector<NodeRange> &ranges = walk.ranges(begin, end);
    forEachPosted(begin, end, [this](std::uint32_t number) {
      const CollectiveInstance &instance = graph.collectives[number];
      for (std::uint32_t i = instance.membersBegin; i < instance.membersEnd; ++i)
        followNode(graph.members[i]);
    });
    for (const NodeRange &range : ranges) {
      if (!ranks[range.rank].parts.empty()) {
        const Construction::Part &last = ranks[range.rank].parts.back();
        follow(last.superEpoch, last.tail != noTail);
      }
      for (Node node = range.first; node <= range.last; ++node)
        followOthers(node);
    }
    const bool tail = complex || behindTail;
    if (tail && !fits(ranges)) {
      ++superEpoch;
      if (complex)
        fits(ranges); // it does: none of its ranks has anything there yet
      enter(ranges, complex);
    } else {
      enter(ranges, tail);
    }
    connect(ranges);
    forEachPosted(begin, end, [&](std::uint32_t number) { posted[number] = {superEpoch, tail}; });
  }

  /// The non-blocking collectives of all with all in an epoch. They are between those who begin and
  /// those who wait for them.
  template <typename Visit>
  void forEachPosted(std::size_t begin, std::size_t end, Visit visit) const {
    for (std::size_t place = begin; place < end; ++place)
      if (const Node node = epochs.order[place] & ~Epochs::firstOfEpoch; node >= graph.nodes())
        if (graph.collectives[node - graph.nodes()].posted)
          visit(node - graph.nodes());
  }

  void follow(std::uint32_t other, bool tail) {
    if (other > superEpoch) {
      superEpoch = other;
      behindTail = tail;
    } else if (other == superEpoch) {
      behindTail |= tail;
    }
  }

  /// What a node waits for besides the one before it, on ranks that may have gone on since.
  void followOthers(Node node) {
    const NodeKind kind = graph.kind(node);
    const bool crosses = kind == NodeKind::Wait ||
                         ((kind == NodeKind::Send || kind == NodeKind::SynchronousSend) &&
                          graph.kind(graph.link[node]) != NodeKind::Receive) ||
                         (kind == NodeKind::Receive && graph.representative(node) == node) ||
                         (kind == NodeKind::Collective &&
                          graph.collectives[graph.link[node]].flow != CollectiveFlow::AllToAll);
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
      else // a node of it, for they all have one place
        followNode(graph.members[graph.collectives[other - graph.nodes()].membersBegin]);
    }
  }

  void followNode(Node node) {
    const std::vector<Construction::Part> &parts = ranks[graph.rank(node)].parts;
    const std::uint32_t position = graph.position(node);
    const auto part = std::lower_bound(
        parts.begin(), parts.end(), position,
        [](const Construction::Part &each, std::uint32_t wanted) { return each.end < wanted; });
    if (part != parts.end())
      follow(part->superEpoch, part->tail != noTail && position > part->tail);
  }

  // Whether it fits.

  /// Adds what the epoch needs in the tail of `superEpoch`. False, and nothing is added, where a
  /// rank has too few buffers for it.
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
    if (!rank.parts.empty() && rank.parts.back().superEpoch == superEpoch &&
        rank.parts.back().tail != noTail) {
      tail = rank.parts.back().tail;
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
      if (rank.parts.empty() || rank.parts.back().superEpoch != superEpoch) {
        rank.parts.push_back({superEpoch, 0, noTail, components.add()});
        count = std::max(count, superEpoch + 1);
      }
      if (tail && rank.parts.back().tail == noTail)
        rank.parts.back().tail = range.first - 1 - start;
      rank.parts.back().end = range.last - start;
    }
  }

  // Who exchanges messages in it.

  void connect(const std::vector<NodeRange> &ranges) {
    for (const NodeRange &range : ranges)
      for (Node node = range.first; node <= range.last; ++node) {
        if (!isSendKind(graph.kind(node)))
          continue;
        const std::uint32_t receiver = graph.rank(graph.link[node]);
        const std::uint32_t own = ranks[range.rank].parts.back().element;
        const std::vector<Construction::Part> &parts = ranks[receiver].parts;
        if (!parts.empty() && parts.back().superEpoch == superEpoch)
          components.join(own, parts.back().element);
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
      std::vector<RankSuperEpoch> &list = result.ranks[rank];
      list.reserve(ranks[rank].parts.size());
      std::uint32_t end = 0;
      for (const Construction::Part &part : ranks[rank].parts) {
        for (; visit != visits.end() && visit->rank == rank && visit->superEpoch < part.superEpoch;
             ++visit)
          addVisit(list, *visit, end);
        for (; visit != visits.end() && visit->rank == rank && visit->superEpoch == part.superEpoch;
             ++visit)
          components.join(visit->element, part.element);
        list.push_back({part.superEpoch, part.end, part.element});
        end = part.end;
      }
      for (; visit != visits.end() && visit->rank == rank; ++visit)
        addVisit(list, *visit, end);
      ranks[rank] = {};
    }
    numberComponents(result);
    return result;
  }

  void addVisit(std::vector<RankSuperEpoch> &list, const Visit &visit, std::uint32_t end) {
    if (list.empty() || list.back().superEpoch != visit.superEpoch)
      list.push_back({visit.superEpoch, end, components.add()});
    components.join(visit.element, list.back().component);
  }

  void numberComponents(SuperEpochs &result) {
    std::vector<std::uint32_t> numbers(components.size(), UINT32_MAX);
    for (std::vector<RankSuperEpoch> &list : result.ranks)
      for (RankSuperEpoch &part : list) {
        std::uint32_t &number = numbers[components.find(part.component)];
        if (number == UINT32_MAX) {
          number = static_cast<std::uint32_t>(result.componentSizes.size());
          result.componentSizes.push_back(0);
        }
        ++result.componentSizes[number];
        part.component = number;
      }
    result.full = count > 0 ? std::uint64_t{count - 1} * graph.ranks() : 0;
    for (const std::vector<RankSuperEpoch> &list : result.ranks)
      for (const RankSuperEpoch &part : list)
        if (part.superEpoch > 0) {
          ++result.partial;
          result.component += result.componentSizes[part.component] > 1;
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
  std::vector<Posted> posted; // per collective
  LastingMessages lasting;
  std::uint32_t count = 0;

  // Of the epoch that is placed.
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
