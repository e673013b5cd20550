// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/Phases.h"

#include "analysis/file/Limits.h"
#include "analysis/run/LogicalClocks.h"

#include <algorithm>
#include <limits>
#include <map>

namespace sendwright {

namespace {

constexpr std::size_t noPattern = std::numeric_limits<std::size_t>::max();

/// A pattern that recurs more often than this without a synchronisation belongs to an iteration
/// that never synchronises: what follows a phase then ends where the pattern comes again.
constexpr std::size_t longestChain = 4;

/// Who sends to whom in a phase, whatever the order.
std::vector<int> signature(const Phase &phase, const Timeline &timeline, const SendLoops &loops) {
  std::vector<int> result{phase.site};
  for (const Phase::Member &member : phase.members) {
    const RankBatches &rank = loops.ranks[member.rank];
    const RecordedBatch &batch = rank.batches[member.batch];
    result.push_back(member.rank);
    result.push_back(static_cast<int>(batch.end - batch.first));
    const auto begin = static_cast<std::ptrdiff_t>(result.size());
    for (std::size_t send = batch.first; send < batch.end; ++send)
      result.push_back(timeline.ranks[member.rank].at(rank.sends[send]).peer);
    std::sort(result.begin() + begin, result.end());
  }
  return result;
}

class PatternFinder {
public:
  PatternFinder(const Timeline &timeline, const SendLoops &loops, std::size_t most,
                const std::string &name)
      : timeline(timeline), loops(loops), clocked(runLogicalClocks(timeline, loops)) {
    group();
    keep(most);
    limits::patternsOfRanks.check(name, patterns.size() * timeline.ranks.size());
    for (std::size_t number = 0; number < patterns.size(); ++number)
      describe(patterns[number], clocked.phases[firstPhase[number]]);
  }

  FoundPatterns run(const FollowingPaths *paths) {
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
      addTails(rank);
    if (paths)
      addPaths(*paths);
    for (Pattern &pattern : patterns) {
      pattern.computation /= static_cast<double>(pattern.phases);
      for (Tail &tail : pattern.tails) {
        const double phases = std::max<double>(static_cast<double>(tail.phases), 1);
        tail.work /= phases;
        tail.noise /= phases;
        tail.sends /= phases;
        tail.bytes /= phases;
        tail.busy /= phases;
        tail.path /= phases;
      }
    }
    return {std::move(patterns), std::move(clocked.stuck)};
  }

private:
  /// Joins phases with the same signature into one pattern.
  void group() {
    std::map<std::vector<int>, std::size_t> index;
    patternOf.resize(clocked.phases.size());
    for (std::size_t number = 0; number < clocked.phases.size(); ++number) {
      const Phase &phase = clocked.phases[number];
      auto [found, isNew] = index.try_emplace(signature(phase, timeline, loops), patterns.size());
      if (isNew) {
        patterns.emplace_back().site = phase.site;
        firstPhase.push_back(number);
      }
      Pattern &pattern = patterns[found->second];
      ++pattern.phases;
      pattern.follows |= phase.count > 1;
      double longest = 0;
      for (const Phase::Member &member : phase.members)
        longest = std::max(longest, loops.ranks[member.rank].batches[member.batch].computation);
      pattern.computation += longest;
      patternOf[number] = found->second;
    }
  }

  /// Takes memory for every rank, so only for patterns that are kept.
  void describe(Pattern &pattern, const Phase &phase) const {
    pattern.given.resize(timeline.ranks.size());
    pattern.tails.resize(timeline.ranks.size());
    for (const Phase::Member &member : phase.members) {
      const RankBatches &rank = loops.ranks[member.rank];
      const RecordedBatch &batch = rank.batches[member.batch];
      for (std::size_t send = batch.first; send < batch.end; ++send) {
        const Event &event = timeline.ranks[member.rank].at(rank.sends[send]);
        pattern.given[member.rank].push_back({event.peer, event.bytes});
        pattern.bytes += event.bytes;
        pattern.allAtOnce |= mpiFunction(event.function).request >= 0;
      }
      pattern.messages += batch.end - batch.first;
    }
  }

  /// Keeps the most frequent patterns of every loop and puts them first. In a run that was cut, a
  /// pattern seen once is dropped if its loop has others: it is what the cut left of a pattern.
  void keep(std::size_t most) {
    std::vector<std::size_t> order(patterns.size()), place(patterns.size(), noPattern);
    for (std::size_t number = 0; number < order.size(); ++number)
      order[number] = number;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return patterns[a].site != patterns[b].site ? patterns[a].site < patterns[b].site
                                                  : patterns[a].phases > patterns[b].phases;
    });
    std::vector<Pattern> kept;
    std::vector<std::size_t> firstOfKept;
    std::map<int, std::size_t> ofSite;
    for (std::size_t number : order) {
      const std::size_t before = ofSite[patterns[number].site]++;
      if (before >= most || (timeline.cut && before > 0 && patterns[number].phases == 1))
        continue;
      place[number] = kept.size();
      kept.push_back(std::move(patterns[number]));
      firstOfKept.push_back(firstPhase[number]);
    }
    patterns = std::move(kept);
    firstPhase = std::move(firstOfKept);
    for (std::size_t &pattern : patternOf)
      pattern = place[pattern];
  }

  /// Sums over the first events of a rank: element p covers the events before position p.
  struct Sums {
    std::vector<double> work, noise;
    std::vector<std::uint64_t> sends, bytes;
    std::vector<std::size_t> synchronizations; // positions
  };

  Sums sumUp(const RankTimeline &rank) const {
    Sums sums;
    sums.work.resize(rank.size() + 1);
    sums.noise.resize(rank.size() + 1);
    sums.sends.resize(rank.size() + 1);
    sums.bytes.resize(rank.size() + 1);
    for (std::size_t position = 0; position < rank.size(); ++position) {
      const std::uint32_t number = rank.numbers[position];
      const Event &event = rank.profile->events[number];
      sums.work[position + 1] = sums.work[position] + rank.work[number];
      sums.noise[position + 1] = sums.noise[position] + rank.noise[number];
      const bool sends = sendsMessage(event);
      sums.sends[position + 1] = sums.sends[position] + (sends ? 1 : 0);
      sums.bytes[position + 1] = sums.bytes[position] + (sends ? event.bytes : 0);
      if (rank.synchronizes(position))
        sums.synchronizations.push_back(position);
    }
    return sums;
  }

  void addTails(std::size_t rank) {
    const Sums sums = sumUp(timeline.ranks[rank]);
    std::map<std::size_t, std::vector<const Part *>> ofPattern;
    for (const Part &part : clocked.parts[rank])
      if (patternOf[part.phase] != noPattern)
        ofPattern[patternOf[part.phase]].push_back(&part);
    for (auto &[pattern, parts] : ofPattern) {
      std::sort(parts.begin(), parts.end(),
                [](const Part *a, const Part *b) { return a->ready < b->ready; });
      for (std::size_t index = 0; index < parts.size(); ++index)
        addTail(patterns[pattern].tails[rank], sums, parts, index, timeline.ranks[rank].size());
    }
  }

  void addTail(Tail &tail, const Sums &sums, const std::vector<const Part *> &parts,
               std::size_t index, std::size_t size) const {
    const Part &part = *parts[index];
    auto nextSynchronization =
        std::upper_bound(sums.synchronizations.begin(), sums.synchronizations.end(), part.ready);
    const bool isSynchronized = nextSynchronization != sums.synchronizations.end();
    const bool comesAgain = index + 1 < parts.size() && parts[index + 1]->begin > part.ready;
    std::size_t end = isSynchronized ? *nextSynchronization : size - 1;
    if (comesAgain && (!isSynchronized || isChain(parts, index)))
      end = std::min(end, parts[index + 1]->begin);
    else if (!isSynchronized && timeline.cut && tail.phases > 0)
      return; // what follows was not unrolled
    end = std::max(end, std::min(part.ready, size - 1));
    const std::size_t ready = std::min(part.ready, size - 1);
    tail.work += sums.work[end + 1] - sums.work[ready + 1];
    tail.noise += sums.noise[end + 1] - sums.noise[ready + 1];
    if (end > ready) {
      tail.sends += static_cast<double>(sums.sends[end] - sums.sends[ready + 1]);
      tail.bytes += static_cast<double>(sums.bytes[end] - sums.bytes[ready + 1]);
    }
    const std::size_t sent = std::min(part.sent, ready);
    tail.busy += sums.work[ready + 1] - sums.work[sent + 1];
    ++tail.phases;
  }

  /// True if the pattern recurs at this rank, around `index`, more often than phases do in a
  /// program that synchronises.
  bool isChain(const std::vector<const Part *> &parts, std::size_t index) const {
    const std::uint32_t epoch = clocked.phases[parts[index]->phase].epoch;
    auto sameEpoch = [&](std::size_t other) {
      return other < parts.size() && clocked.phases[parts[other]->phase].epoch == epoch;
    };
    std::size_t length = 1;
    for (std::size_t at = index + 1; sameEpoch(at) && length <= longestChain; ++at)
      ++length;
    for (std::size_t at = index; at > 0 && sameEpoch(at - 1) && length <= longestChain; --at)
      ++length;
    return length > longestChain;
  }

  /// A rank's part of a phase is followed by everything that depends on it. After the next
  /// synchronisation this is the same for all members.
  void addPaths(const FollowingPaths &paths) {
    struct Shortest {
      double synchronized = -1; // the longest path after a synchronisation; negative: nobody
                                // synchronises
      double all = std::numeric_limits<double>::infinity();
    };
    std::vector<Shortest> shortest(clocked.phases.size());
    const auto forEachPart = [&](auto visit) {
      for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        const RankTimeline &events = timeline.ranks[rank];
        std::size_t next = events.size();
        std::vector<std::size_t> following(events.size()); // by position: the next synchronisation
        for (std::size_t position = events.size(); position-- > 0;) {
          following[position] = next;
          if (events.synchronizes(position))
            next = position;
        }
        for (const Part &part : clocked.parts[rank])
          if (patternOf[part.phase] != noPattern && events.size() > 0) {
            const std::size_t ready = std::min(part.ready, events.size() - 1);
            visit(rank, part.phase, ready, following[ready]);
          }
      }
    };
    forEachPart([&](std::size_t rank, std::size_t phase, std::size_t ready, std::size_t next) {
      Shortest &known = shortest[phase];
      known.all = std::min(known.all, paths.after(rank, ready));
      if (next < timeline.ranks[rank].size())
        known.synchronized = std::max(known.synchronized, paths.after(rank, next));
    });
    forEachPart([&](std::size_t rank, std::size_t phase, std::size_t ready, std::size_t) {
      const Shortest &known = shortest[phase];
      patterns[patternOf[phase]].tails[rank].path +=
          paths.after(rank, ready) - (known.synchronized < 0 ? known.all : known.synchronized);
    });
  }

  const Timeline &timeline;
  const SendLoops &loops;
  ClockedRun clocked;
  std::vector<Pattern> patterns;
  std::vector<std::size_t> firstPhase; // by pattern
  std::vector<std::size_t> patternOf;  // by phase
};

} // namespace

FoundPatterns findPatterns(const Timeline &timeline, const SendLoops &loops, std::size_t most,
                           const std::string &name, const FollowingPaths *paths) {
  return PatternFinder(timeline, loops, most, name).run(paths);
}

} // namespace sendwright
