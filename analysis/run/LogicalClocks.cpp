// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank runs through its own events until it needs something that another rank has not done
// yet: the batch of a message that it completes, or the arrival of all members at a
// synchronisation.

#include "analysis/run/LogicalClocks.h"

#include "analysis/run/LoopCounts.h"
#include "analysis/run/RankDriver.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace sendwright {

namespace {

/// A message of a batch, as its receiver meets it.
struct MessageArrival {
  std::size_t completed; // position at the receiver
  std::uint32_t sender;
  std::size_t batch; // of the sender
};

/// What a rank knows at a point of its run.
struct Clock {
  std::uint32_t epoch = 0;
  LoopCounts counts; // of phases, for each loop with batches
};

/// A batch that has begun.
struct BegunBatch {
  Clock clock; // including its own phase
  std::size_t phase = 0;
  bool blind = false;        // its rank knew no phase of the loop since the synchronisation
  std::uint32_t reached = 0; // the largest count of phases among its receivers
};

struct RankState {
  std::size_t position = 0;
  std::size_t nextBatch = 0, nextArrival = 0;
  Clock clock;
  std::vector<BegunBatch> begun;
  bool atSynchronization = false;
};

/// One communicator's current synchronisation.
struct Gathering {
  std::size_t arrived = 0;
  std::uint32_t epoch = 0;
  std::vector<std::size_t> ranks;
};

/// By rank: batches that belong to a later phase than their rank could know, and this phase.
using CountFloors = std::vector<std::map<std::size_t, std::uint32_t>>;

class LogicalClocks {
public:
  LogicalClocks(const Timeline &timeline, const SendLoops &loops, const CountFloors &floors)
      : timeline(timeline), loops(loops), floors(floors), states(timeline.ranks.size()),
        driver(states.size()), arrivals(timeline.ranks.size()), loopOfSite(loops.loops.size()),
        gatherings(timeline.communicators.size()) {
    result.parts.resize(timeline.ranks.size());
    numberLoops();
    collectArrivals();
  }

  void run() {
    for (RankState &state : states)
      state.clock.counts = LoopCounts(loopCount);
    driver.run([&](std::size_t rank) { return advance(rank); },
               [&](std::size_t rank) { return states[rank].begun.size(); });
    noteStuck();
    keepLastOfEachPhase();
  }

  ClockedRun take() { return std::move(result); }

  CountFloors findFloors() const {
    CountFloors found(states.size());
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
      const std::vector<BegunBatch> &begun = states[rank].begun;
      for (std::size_t batch = 0; batch < begun.size(); ++batch) {
        const Phase &phase = result.phases[begun[batch].phase];
        bool another = batch + 1 < begun.size() &&
                       result.phases[begun[batch + 1].phase].site == phase.site &&
                       begun[batch + 1].clock.epoch == begun[batch].clock.epoch;
        if (begun[batch].blind && !another && begun[batch].reached > phase.count)
          found[rank][batch] = begun[batch].reached;
      }
    }
    return found;
  }

private:
  /// Counts only loops that have batches: a program may have many others.
  void numberLoops() {
    std::vector<char> has(loopOfSite.size());
    for (const RankBatches &rank : loops.ranks)
      for (const RecordedBatch &batch : rank.batches)
        has[batch.site] = 1;
    for (std::size_t site = 0; site < has.size(); ++site)
      if (has[site])
        loopOfSite[site] = loopCount++;
  }

  void collectArrivals() {
    for (const MatchedMessage &message : timeline.messages) {
      if (!message.matched() || message.completion == noPosition)
        continue;
      const RankBatches &sender = loops.ranks[message.send.rank];
      // The last batch that begins at or before the send holds it, or no batch does.
      auto after =
          std::upper_bound(sender.batches.begin(), sender.batches.end(), message.send.position,
                           [&](std::size_t at, const RecordedBatch &batch) {
                             return at < sender.sends[batch.first];
                           });
      if (after == sender.batches.begin())
        continue;
      const RecordedBatch &batch = *std::prev(after);
      if (std::binary_search(sender.sends.begin() + static_cast<std::ptrdiff_t>(batch.first),
                             sender.sends.begin() + static_cast<std::ptrdiff_t>(batch.end),
                             message.send.position))
        arrivals[message.receive.rank].push_back(
            {message.completion, message.send.rank,
             static_cast<std::size_t>(std::prev(after) - sender.batches.begin())});
    }
    for (std::vector<MessageArrival> &list : arrivals)
      std::stable_sort(list.begin(), list.end(),
                       [](const MessageArrival &a, const MessageArrival &b) {
                         return a.completed < b.completed;
                       });
  }

  void noteStuck() {
    for (std::size_t rank = 0; rank < states.size(); ++rank)
      if (!driver.hasEnded(rank))
        result.stuck.push_back(
            {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(states[rank].position)});
  }

  /// Advances a rank by one event.
  RankProgress advance(std::size_t rank) {
    RankState &state = states[rank];
    const RankTimeline &events = timeline.ranks[rank];
    if (state.position == events.size())
      return RankProgress::Ended;
    if (!receive(rank))
      return RankProgress::Blocked;
    beginBatch(rank);
    if (events.synchronizes(state.position) && !synchronize(rank))
      return RankProgress::Blocked;
    ++state.position;
    return RankProgress::Advanced;
  }

  /// Takes what completes here; false if a sender has not come that far.
  bool receive(std::size_t rank) {
    RankState &state = states[rank];
    for (; state.nextArrival < arrivals[rank].size(); ++state.nextArrival) {
      const MessageArrival &arrival = arrivals[rank][state.nextArrival];
      if (arrival.completed > state.position)
        break;
      RankState &sender = states[arrival.sender];
      if (arrival.batch >= sender.begun.size()) {
        driver.wakeWhenReached(arrival.sender, arrival.batch + 1, rank);
        return false;
      }
      BegunBatch &batch = sender.begun[arrival.batch];
      const std::size_t loop = loopOfSite[result.phases[batch.phase].site];
      const bool sameEpoch = batch.clock.epoch == state.clock.epoch;
      const std::uint32_t count = state.clock.counts.get(loop);
      if (sameEpoch)
        batch.reached = std::max(batch.reached, count);
      // A rank that is already beyond the phase does not go back to it.
      if (!sameEpoch || count <= batch.clock.counts.get(loop))
        result.parts[rank].push_back({batch.phase, state.position, 0, state.position});
      join(state.clock, batch.clock);
    }
    return true;
  }

  void beginBatch(std::size_t rank) {
    RankState &state = states[rank];
    const RankBatches &batches = loops.ranks[rank];
    if (state.nextBatch == batches.batches.size())
      return;
    const RecordedBatch &batch = batches.batches[state.nextBatch];
    if (batches.sends[batch.first] != state.position)
      return;
    const std::size_t loop = loopOfSite[batch.site];
    std::uint32_t count = state.clock.counts.get(loop) + 1;
    const bool blind = count == 1;
    if (!floors.empty()) {
      auto floor = floors[rank].find(state.nextBatch);
      if (floor != floors[rank].end())
        count = std::max(count, floor->second);
    }
    state.clock.counts.set(loop, count);
    auto [found, isNew] =
        phaseIndex.try_emplace({batch.site, state.clock.epoch, count}, result.phases.size());
    if (isNew)
      result.phases.push_back({batch.site, state.clock.epoch, count, {}});
    result.phases[found->second].members.push_back({static_cast<int>(rank), state.nextBatch});
    result.parts[rank].push_back({found->second, state.position, batch.issued, batch.issued});
    state.begun.push_back({state.clock, found->second, blind, 0});
    ++state.nextBatch;
  }

  /// Enters the current synchronisation; true once all members have entered and time goes on.
  bool synchronize(std::size_t rank) {
    RankState &state = states[rank];
    const RankProfile &profile = *timeline.ranks[rank].profile;
    const Event &event = timeline.ranks[rank].at(state.position);
    if (state.atSynchronization)
      return false;
    const Communicator &communicator = profile.communicators[event.communicator];
    Gathering &gathering = gatherings[timeline.communicators.of(rank, event.communicator)];
    state.atSynchronization = true;
    gathering.epoch = std::max(gathering.epoch, state.clock.epoch);
    gathering.ranks.push_back(rank);
    if (++gathering.arrived < communicator.members.size())
      return false;
    for (std::size_t member : gathering.ranks) {
      RankState &other = states[member];
      other.clock.epoch = gathering.epoch + 1;
      other.clock.counts.clear();
      other.atSynchronization = false;
      if (member != rank) {
        ++other.position;
        driver.wake(member);
      }
    }
    gathering = {};
    return true;
  }

  static void join(Clock &clock, const Clock &sent) {
    if (sent.epoch > clock.epoch)
      clock = sent;
    else if (sent.epoch == clock.epoch)
      clock.counts.join(sent.counts);
  }

  /// Parts were added at every message: one for each phase remains.
  void keepLastOfEachPhase() {
    for (std::vector<Part> &parts : result.parts) {
      std::stable_sort(parts.begin(), parts.end(),
                       [](const Part &a, const Part &b) { return a.phase < b.phase; });
      std::size_t kept = 0;
      for (const Part &part : parts) {
        if (kept == 0 || parts[kept - 1].phase != part.phase) {
          parts[kept++] = part;
          continue;
        }
        Part &last = parts[kept - 1];
        last.ready = std::max(last.ready, part.ready);
        if (part.sent > 0) {
          last.sent = part.sent;
          last.begin = part.begin;
        }
      }
      parts.resize(kept);
      for (Part &part : parts)
        if (part.sent == 0) // it sends nothing
          part.sent = part.begin = part.ready;
    }
    for (Phase &phase : result.phases)
      std::sort(phase.members.begin(), phase.members.end(),
                [](const Phase::Member &a, const Phase::Member &b) { return a.rank < b.rank; });
  }

  const Timeline &timeline;
  const SendLoops &loops;
  const CountFloors &floors;
  std::vector<RankState> states;
  RankDriver driver; // marks: batches that have begun
  std::vector<std::vector<MessageArrival>> arrivals;
  std::vector<std::size_t> loopOfSite;
  std::size_t loopCount = 0;
  std::vector<Gathering> gatherings; // by communicator
  std::map<std::tuple<int, std::uint32_t, std::uint32_t>, std::size_t> phaseIndex;
  ClockedRun result;
};

} // namespace

ClockedRun runLogicalClocks(const Timeline &timeline, const SendLoops &loops) {
  const CountFloors none;
  LogicalClocks first(timeline, loops, none);
  first.run();
  const CountFloors floors = first.findFloors();
  if (std::all_of(floors.begin(), floors.end(), [](const auto &rank) { return rank.empty(); }))
    return first.take();
  LogicalClocks second(timeline, loops, floors);
  second.run();
  return second.take();
}

} // namespace sendwright
