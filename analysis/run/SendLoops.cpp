// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two walks over every rank. The first collects, for each loop, how many destinations an execution
// has and whether its sends are separated. Then, for every nesting of loops that occurs, one loop
// is chosen to hold the batches. The second walk cuts the sends into batches.

#include "analysis/run/SendLoops.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace sendwright {

namespace {

/// The nestings of loops that occur, as a tree: a node is a loop inside its surrounding loops.
struct Nesting {
  int outer = -1;
  int site = noSite;
  int batchSite = noSite; ///< decided after the first walk
};

class NestingTree {
public:
  int inside(int outer, int site) {
    auto [found, isNew] = index.try_emplace({outer, site}, static_cast<int>(nodes.size()));
    if (isNew)
      nodes.push_back({outer, site, noSite});
    return found->second;
  }
  std::vector<Nesting> nodes; // an outer node comes before its inner ones

private:
  std::map<std::pair<int, int>, int> index;
};

struct OpenLoop {
  int nesting;
  int site;
  bool implied; ///< deduced from the site of a send, without a mark
};

/// Follows the loops of one rank and reports to `Visitor`:
///   enter(open loops), leave(open loops, position), send(position, event, open loops),
///   end(position, event, open loops) for a call that ends batches.
template <typename Visitor> class LoopWalk {
public:
  LoopWalk(const RankTimeline &rank, std::size_t ranks, NestingTree &tree, Visitor &visitor)
      : rank(rank), ranks(ranks), tree(tree), visitor(visitor) {}

  void run() {
    for (std::size_t position = 0; position < rank.size(); ++position) {
      const Event &event = rank.at(position);
      if (event.kind == EventKind::SiteEnter) {
        leaveImplied(position);
        enter(event.site, false);
      } else if (event.kind == EventKind::SiteLeave) {
        leaveImplied(position);
        leaveMarked(event.site, position);
      } else if (isDeferrable(event, *rank.profile, ranks)) {
        implyLoop(event.site, position);
        visitor.send(position, event, open);
      } else if (endsBatch(event, *rank.profile, ranks)) {
        visitor.end(position, event, open);
        if (mpiFunction(event.function).role == MpiRole::Collective)
          leaveImplied(position);
      }
    }
    while (!open.empty())
      leave(rank.size());
  }

private:
  /// Most loops that may be open at the same time; deeper loops (recursion) count as their outer
  /// loops.
  static constexpr std::size_t deepest = 200;

  void enter(int site, bool implied) {
    if (open.size() == deepest) {
      tooDeep += !implied;
      return;
    }
    open.push_back({tree.inside(open.empty() ? -1 : open.back().nesting, site), site, implied});
    visitor.enter(open);
  }

  void leave(std::size_t position) {
    visitor.leave(open, position);
    open.pop_back();
  }

  void leaveImplied(std::size_t position) {
    if (!open.empty() && open.back().implied)
      leave(position);
  }

  /// Leaves the loop of this site, and inner loops whose end was not recorded.
  void leaveMarked(int site, std::size_t position) {
    if (tooDeep > 0) {
      --tooDeep;
      return;
    }
    bool isOpen = std::any_of(open.begin(), open.end(),
                              [&](const OpenLoop &loop) { return loop.site == site; });
    for (bool found = false; isOpen && !found;) {
      found = open.back().site == site;
      leave(position);
    }
  }

  void implyLoop(int site, std::size_t position) {
    if (!open.empty() && open.back().site == site)
      return;
    leaveImplied(position);
    if (site != noSite && (open.empty() || open.back().site != site))
      enter(site, true);
  }

  const RankTimeline &rank;
  std::size_t ranks;
  NestingTree &tree;
  Visitor &visitor;
  std::vector<OpenLoop> open; // outermost first
  std::size_t tooDeep = 0;    // loops entered beyond the limit
};

/// First walk: facts of executions.
class FactCollector {
public:
  explicit FactCollector(std::vector<LoopFacts> &loops) : loops(loops) {}

  void enter(const std::vector<OpenLoop> &) { executions.emplace_back(); }

  void leave(const std::vector<OpenLoop> &open, std::size_t) {
    LoopFacts &facts = loops[open.back().site];
    facts.destinations = std::max(facts.destinations, executions.back().destinations.size());
    executions.pop_back();
  }

  void send(std::size_t, const Event &event, const std::vector<OpenLoop> &open) {
    for (std::size_t depth = 0; depth < open.size(); ++depth) {
      Execution &execution = executions[depth];
      LoopFacts &facts = loops[open[depth].site];
      if (execution.ended && !facts.separated) {
        facts.separated = true;
        facts.separator = execution.separator;
        facts.waitsForOwnSends = execution.waitsForOwnSends;
      }
      execution.ended = false;
      execution.destinations.insert(event.peer);
      execution.ownRequests.insert(event.requests.begin(), event.requests.end());
    }
  }

  void end(std::size_t, const Event &event, const std::vector<OpenLoop> &) {
    for (Execution &execution : executions) {
      std::size_t own = 0;
      for (int request : event.requests)
        own += execution.ownRequests.erase(request);
      if (!execution.ended && !execution.destinations.empty()) {
        execution.ended = true;
        execution.separator = event.function;
        execution.waitsForOwnSends = own > 0 && own == event.requests.size();
      }
    }
  }

private:
  struct Execution {
    std::set<int> destinations;
    std::set<int> ownRequests; // of its sends that have not been waited for yet
    bool ended = false;
    MpiFunctionId separator = MpiFunctionId::Send;
    bool waitsForOwnSends = false;
  };
  std::vector<LoopFacts> &loops;
  std::vector<Execution> executions;
};

/// What a rank computes between two calls of an open batch.
struct ComputedGap {
  double seconds = 0;
  bool measuredOnce = false;
};

/// Computation before an event as far as it recurs: at most twice the shortest measured time, which
/// holds no interruption by the system, however many there were.
ComputedGap gapBefore(const RankTimeline &rank, std::uint32_t number) {
  const double shortest = rank.work[number] - rank.noise[number];
  const std::vector<EventStatistics> &measured = rank.profile->statistics;
  return {std::min(rank.work[number], 2 * shortest),
          number < measured.size() && measured[number].count == 1};
}

/// Seconds in all gaps. If an execution is the only one, its gaps tell what recurs: a gap that was
/// measured once counts up to twice their median.
double secondsIn(const std::vector<ComputedGap> &gaps) {
  constexpr std::size_t fewest = 3; // of two, either may be the one with an interruption
  double most = std::numeric_limits<double>::infinity();
  if (gaps.size() >= fewest) {
    std::vector<double> sorted;
    sorted.reserve(gaps.size());
    for (const ComputedGap &gap : gaps)
      sorted.push_back(gap.seconds);
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    most = 2 * *middle;
  }
  double sum = 0;
  for (const ComputedGap &gap : gaps)
    sum += gap.measuredOnce ? std::min(gap.seconds, most) : gap.seconds;
  return sum;
}

/// Second walk: batches.
class BatchCollector {
public:
  BatchCollector(const RankTimeline &rank, const NestingTree &tree, RankBatches &result)
      : rank(rank), tree(tree), result(result) {}

  void enter(const std::vector<OpenLoop> &) {}

  void leave(const std::vector<OpenLoop> &open, std::size_t position) {
    if (open.size() == depth)
      close(position);
  }

  void send(std::size_t position, const Event &, const std::vector<OpenLoop> &open) {
    if (open.empty())
      return;
    const int site = tree.nodes[open.back().nesting].batchSite;
    // The batch of an outer loop with sends of its own ends where a batch inside it begins.
    if (depth != 0 && result.batches.back().site != site)
      close(position);
    if (depth == 0) {
      // The innermost loop of this site: with recursion it may be open more than once.
      for (std::size_t at = open.size(); at > 0 && depth == 0; --at)
        if (open[at - 1].site == site) {
          depth = at;
          implied = open[at - 1].implied;
        }
      result.batches.push_back({site, result.sends.size(), result.sends.size(), position, 0});
      gaps.clear();
    } else {
      for (std::size_t at = lastSend + 1; at <= position; ++at)
        gaps.push_back(gapBefore(rank, rank.numbers[at]));
    }
    result.sends.push_back(position);
    lastSend = position;
  }

  void end(std::size_t position, const Event &, const std::vector<OpenLoop> &) { close(position); }

private:
  void close(std::size_t position) {
    if (depth == 0)
      return;
    result.batches.back().end = result.sends.size();
    result.batches.back().computation = secondsIn(gaps);
    // The end of an implied loop is unknown: it is at its last send or later.
    result.batches.back().issued = implied ? lastSend : position;
    depth = 0;
  }

  const RankTimeline &rank;
  const NestingTree &tree;
  RankBatches &result;
  std::size_t depth = 0; // of the loop whose batch is open, counted from 1; 0: no batch is open
  bool implied = false;  // whether that loop is implied
  std::size_t lastSend = 0;
  std::vector<ComputedGap> gaps; // of the open batch
};

/// Decides for every nesting which of its loops holds the batches.
class LoopChoice {
public:
  LoopChoice(NestingTree &tree, const std::vector<LoopFacts> &loops)
      : tree(tree), loops(loops), excluded(loops.size()) {
    for (std::size_t site = 0; site < loops.size(); ++site)
      excluded[site] = loops[site].refusal.empty() ? 0 : 1;
  }

  void run() {
    do
      for (Nesting &innermost : tree.nodes)
        innermost.batchSite = choose(innermost);
    while (excludeInterrupted());
  }

private:
  int choose(const Nesting &innermost) const {
    int chosen = innermost.site;
    for (int at = innermost.outer; at >= 0; at = tree.nodes[at].outer) {
      const int site = tree.nodes[at].site;
      if (loops[site].separated)
        break;
      if (!excluded[site] && loops[site].destinations > loops[chosen].destinations)
        chosen = site;
    }
    return chosen;
  }

  /// The end of an inner batch issues what the outer batch holds. If a loop also runs elsewhere,
  /// with batches of its own, it has batches here, too: then the outer loop has no batches.
  bool excludeInterrupted() {
    std::vector<char> holds(loops.size());
    for (const Nesting &innermost : tree.nodes)
      if (loops[innermost.batchSite].destinations >= 2)
        holds[innermost.batchSite] = 1;
    bool changed = false;
    for (const Nesting &innermost : tree.nodes)
      for (const Nesting *at = &innermost; at->site != innermost.batchSite;
           at = &tree.nodes[at->outer])
        if (holds[at->site] && !excluded[innermost.batchSite]) {
          excluded[innermost.batchSite] = 1;
          changed = true;
        }
    return changed;
  }

  NestingTree &tree;
  const std::vector<LoopFacts> &loops;
  std::vector<char> excluded; // by site: may not hold the batches of inner loops
};

/// Counts the calls of each site, and finds which loop's batches hold its sends.
void countCalls(const Timeline &timeline, SendLoops &result) {
  const std::size_t ranks = timeline.ranks.size();
  for (const RankTimeline &rank : timeline.ranks)
    for (std::size_t number = 0; number < rank.profile->events.size(); ++number) {
      const Event &event = rank.profile->events[number];
      if (event.kind != EventKind::Call || event.site < 0 ||
          static_cast<std::size_t>(event.site) >= result.loops.size())
        continue;
      LoopFacts &facts = result.loops[event.site];
      const MpiRole role = mpiFunction(event.function).role;
      const std::uint64_t count = rank.count[number];
      if (isDeferrable(event, *rank.profile, ranks))
        facts.sends += count;
      else if (isSynchronousSend(role))
        facts.synchronous += count;
      else if (role == MpiRole::SendReceive)
        facts.exchanges += count;
      else if (isSend(role) && event.peer != nullRank)
        facts.toOtherGroups += count;
    }
}

} // namespace

SendLoops findSendLoops(const Profile &profile, const Timeline &timeline,
                        const std::vector<std::string> &refusals) {
  SendLoops result;
  result.loops.resize(profile.sites.size());
  result.ranks.resize(timeline.ranks.size());
  for (std::size_t site = 0; site < refusals.size(); ++site)
    result.loops[site].refusal = refusals[site];
  NestingTree tree;
  const std::size_t ranks = timeline.ranks.size();
  for (const RankTimeline &rank : timeline.ranks) {
    FactCollector facts(result.loops);
    LoopWalk(rank, ranks, tree, facts).run();
  }
  LoopChoice(tree, result.loops).run();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    BatchCollector batches(timeline.ranks[rank], tree, result.ranks[rank]);
    LoopWalk(timeline.ranks[rank], ranks, tree, batches).run();
    for (const RecordedBatch &batch : result.ranks[rank].batches) {
      std::set<int> destinations;
      for (std::size_t send = batch.first; send < batch.end; ++send) {
        const Event &event = timeline.ranks[rank].at(result.ranks[rank].sends[send]);
        destinations.insert(event.peer);
        if (event.site != noSite)
          result.loops[event.site].batchSite = batch.site;
      }
      LoopFacts &facts = result.loops[batch.site];
      facts.batchDestinations = std::max(facts.batchDestinations, destinations.size());
    }
  }
  countCalls(timeline, result);
  return result;
}

} // namespace sendwright
