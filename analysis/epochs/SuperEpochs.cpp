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
#include <utility>

namespace sendwright {

namespace {

constexpr std::uint32_t noTail = UINT32_MAX;

using Partners = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// One rank's super epochs; the last is under construction.
struct Construction {
  std::vector<RankSuperEpoch> parts; // `component`: an element of Components
  std::vector<std::uint32_t> tails;  // by part: nodes done before its first complex epoch
  BufferTimeline timeline;           // of the last part's tail
  std::uint32_t lasting = 0;
  bool isAlone = false; // whether it has calls that wait for no other rank

  std::uint32_t current() const { return parts.empty() ? 0 : parts.back().superEpoch; }
  bool isIn(std::uint32_t superEpoch) const {
    return !parts.empty() && parts.back().superEpoch == superEpoch;
  }
};

/// Disjoint sets of elements, which are numbered as they are added.
class Components {
public:
  std::size_t size() const { return parents.size(); }
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

/// A run, or one of its parts, that is analysed at the time.
struct PartOfRun {
  const CommunicationGraph &graph;
  const Epochs &epochs;
  const Dependencies &dependencies;
  const std::vector<bool> &complex; // by epoch
  const std::vector<std::uint32_t> &buffers;
};

/// Whether a node may be in an epoch that waits for nothing but its own rank.
bool mayBeAlone(NodeKind kind) {
  return kind != NodeKind::Start && kind != NodeKind::Send && kind != NodeKind::SynchronousSend &&
         kind != NodeKind::Receive && kind != NodeKind::Collective;
}

class Builder {
public:
  explicit Builder(std::uint32_t ranks) : ranks(ranks) {}

  void add(const PartOfRun &partOfRun) {
    part = &partOfRun;
    if (count == 0)
      for (const NodeType &type : part->graph.types)
        ranks[type.rank].isAlone |= mayBeAlone(type.kind);
    const CommunicationGraph &graph = part->graph;
    posted.assign(graph.collectives.size(), {});
    lasting = {};
    if (std::find(part->complex.begin(), part->complex.end(), true) != part->complex.end())
      lasting = findLastingMessages(graph, part->epochs, part->dependencies);
    // Never more super epochs than epochs. Unused capacity takes no memory; growing would.
    for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank) {
      ranks[rank].parts.reserve(ranks[rank].parts.size() + part->epochs.ofRank[rank]);
      ranks[rank].tails.reserve(ranks[rank].tails.size() + part->epochs.ofRank[rank]);
    }
    components.reserve(components.size() + part->epochs.parts.size());
    EpochWalk walk(graph, part->epochs);
    for (std::size_t epoch = 0; walk.next(); ++epoch)
      place(walk, part->complex[epoch]);
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

  void place(const EpochWalk &walk, bool complex) {
    const CommunicationGraph &graph = part->graph;
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
    const CommunicationGraph &graph = part->graph;
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
    const CommunicationGraph &graph = part->graph;
    const Construction &rank = ranks[graph.rank(node)];
    const std::uint32_t position = graph.position(node);
    const auto found = std::lower_bound(
        rank.parts.begin(), rank.parts.end(), position,
        [](const RankSuperEpoch &each, std::uint32_t wanted) { return each.end < wanted; });
    if (found == rank.parts.end())
      return;
    const std::uint32_t tail = rank.tails[static_cast<std::size_t>(found - rank.parts.begin())];
    follow(found->superEpoch, tail != noTail && position > tail);
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
    const std::uint32_t start = part->graph.origin[range.rank];
    std::uint32_t tail = range.first - 1 - start;
    if (rank.isIn(superEpoch) && rank.tails.back() != noTail) {
      tail = rank.tails.back();
    } else {
      rank.timeline.clear(); // the rank's tail begins here
      rank.lasting = 0;
    }
    rank.timeline.begin();
    const bool needs =
        addIntervals(part->graph, part->epochs, part->dependencies, range, tail, rank.timeline);
    if (!lasting.empty())
      rank.lasting =
          std::max(rank.lasting, lasting.most(range.rank, range.first - start, range.last - start));
    return !needs || rank.timeline.peak() + rank.lasting <= part->buffers[range.rank];
  }

  void enter(const std::vector<NodeRange> &ranges, bool tail) {
    for (const NodeRange &range : ranges) {
      Construction &rank = ranks[range.rank];
      const std::uint32_t start = part->graph.origin[range.rank];
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
    const CommunicationGraph &graph = part->graph;
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

public:
  /// The whole run's super epochs.
  SuperEpochs finish() {
    SuperEpochs result;
    result.count = count;
    result.ranks = settle(UINT32_MAX);
    result.componentSizes = components.number();
    for (std::vector<RankSuperEpoch> &list : result.ranks)
      for (RankSuperEpoch &each : list)
        each.component = components.numberOf(each.component);
    countSynchronizations(result.ranks, result.componentSizes);
    result.partial = partial;
    result.component = ofComponents;
    result.full = count > 0 ? std::uint64_t{count - 1} * ranks.size() : 0;
    return result;
  }

  /// Counts the super epochs that no rank can enter any more, and forgets them.
  void forgetPast(const Partners &partners) {
    const std::uint32_t limit = firstOpen(partners);
    std::vector<std::vector<RankSuperEpoch>> past = settle(limit);
    const std::vector<std::uint32_t> sizes = components.number();
    for (std::vector<RankSuperEpoch> &list : past)
      for (RankSuperEpoch &each : list)
        each.component = components.numberOf(each.component);
    countSynchronizations(past, sizes);
    Components kept;
    std::vector<std::uint32_t> first(sizes.size(), UINT32_MAX); // by set: an element that is kept
    for (Construction &rank : ranks)
      for (RankSuperEpoch &each : rank.parts) {
        const std::uint32_t element = kept.add();
        std::uint32_t &ofSet = first[components.numberOf(each.component)];
        ofSet = std::min(ofSet, element);
        kept.join(ofSet, element);
        each.component = element;
      }
    for (Visit &visit : visits)
      visit.element = first[components.numberOf(visit.element)];
    components = std::move(kept);
  }

private:
  /// The first super epoch that some rank may still enter. A call that waits for another rank is
  /// not before the current super epoch of either.
  std::uint32_t firstOpen(const Partners &partners) const {
    std::uint32_t first = UINT32_MAX;
    for (const Construction &rank : ranks)
      if (rank.isAlone)
        first = std::min(first, rank.current());
    for (const auto &[one, other] : partners)
      first = std::min(first, std::max(ranks[one].current(), ranks[other].current()));
    return first;
  }

  /// Takes out, by rank, the super epochs below `limit`, including those that it is in only because
  /// of others' messages.
  std::vector<std::vector<RankSuperEpoch>> settle(std::uint32_t limit) {
    std::vector<std::vector<RankSuperEpoch>> result(ranks.size());
    std::sort(visits.begin(), visits.end());
    std::vector<Visit> kept;
    auto visit = visits.begin();
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
      const auto first = visit;
      while (visit != visits.end() && visit->rank == rank && visit->superEpoch < limit)
        ++visit;
      result[rank] = takeParts(ranks[rank], limit);
      if (visit != first)
        result[rank] = withVisits(result[rank], {first, visit});
      for (; visit != visits.end() && visit->rank == rank; ++visit)
        kept.push_back(*visit);
    }
    visits = std::move(kept);
    return result;
  }

  static std::vector<RankSuperEpoch> takeParts(Construction &rank, std::uint32_t limit) {
    if (rank.parts.empty() || rank.parts.back().superEpoch < limit) {
      rank.tails = {};
      return std::exchange(rank.parts, {});
    }
    const auto end =
        std::find_if(rank.parts.begin(), rank.parts.end(),
                     [limit](const RankSuperEpoch &each) { return each.superEpoch >= limit; });
    std::vector<RankSuperEpoch> result(rank.parts.begin(), end);
    rank.tails.erase(rank.tails.begin(), rank.tails.begin() + (end - rank.parts.begin()));
    rank.parts.erase(rank.parts.begin(), end);
    return result;
  }

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

  /// Nobody waits before the first super epoch.
  void countSynchronizations(const std::vector<std::vector<RankSuperEpoch>> &lists,
                             const std::vector<std::uint32_t> &sizes) {
    for (const std::vector<RankSuperEpoch> &list : lists)
      for (const RankSuperEpoch &each : list) {
        partial += each.superEpoch > 0;
        ofComponents += each.superEpoch > 0 && sizes[each.component] > 1;
      }
  }

  const PartOfRun *part = nullptr;
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
  std::uint64_t partial = 0, ofComponents = 0; // synchronisations

  // The epoch being placed.
  std::uint32_t superEpoch = 0;
  bool behindTail = false;
};

} // namespace

SuperEpochs buildSuperEpochs(const CommunicationGraph &graph, const Epochs &epochs,
                             const Dependencies &dependencies, const EpochFigures &figures,
                             const std::vector<std::uint32_t> &buffers) {
  Builder builder(graph.ranks());
  builder.add({graph, epochs, dependencies, figures.complex, buffers});
  return builder.finish();
}

class SuperEpochCounter::State {
public:
  State(std::uint32_t ranks, Partners partners) : builder(ranks), partners(std::move(partners)) {}
  Builder builder;
  Partners partners;
};

SuperEpochCounter::SuperEpochCounter(std::uint32_t ranks, Partners partners)
    : state(std::make_unique<State>(ranks, std::move(partners))) {}
SuperEpochCounter::SuperEpochCounter(SuperEpochCounter &&) noexcept = default;
SuperEpochCounter::~SuperEpochCounter() = default;

void SuperEpochCounter::add(const CommunicationGraph &graph, const Epochs &epochs,
                            const Dependencies &dependencies, const std::vector<bool> &complex,
                            const std::vector<std::uint32_t> &buffers) {
  state->builder.add({graph, epochs, dependencies, complex, buffers});
  state->builder.forgetPast(state->partners);
}

SuperEpochs SuperEpochCounter::finish() {
  SuperEpochs result = state->builder.finish();
  result.ranks.clear();
  result.componentSizes.clear();
  return result;
}

} // namespace sendwright
