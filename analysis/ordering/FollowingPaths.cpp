// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank is followed backwards from its end until it sends a message whose receiver has not yet
// been followed back to the receive, or until it comes to a synchronisation that other members have
// not come to.

#include "analysis/ordering/FollowingPaths.h"

#include "analysis/machine/MessageCost.h"
#include "analysis/run/RankDriver.h"
#include "analysis/simulation/CollectiveCalls.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sendwright {

namespace {

/// The members of a communicator that have come back to one synchronisation.
struct Reunion {
  std::size_t expected = 0;
  double longest = 0;
  std::vector<std::size_t> ranks;
};

struct BackwardRank {
  std::size_t position = 0;  // of the current event; what follows it is known
  bool done = false;         // the first event has been passed, too
  std::size_t firstSend = 0; // index of its first message
  std::size_t sendsLeft = 0; // messages that it sends up to the current event
  double base = 0;           // what follows the next synchronisation
  bool gathered = false;     // it has come to the current synchronisation,
  bool reunited = false;     // and so have all other members
  std::vector<char> idle;    // by position: nothing is left to do before the next synchronisation
  std::vector<std::uint32_t> calls; // synchronisations left, by communicator
};

class BackwardWalk {
public:
  BackwardWalk(const Timeline &timeline, const Machine &machine,
               std::vector<std::vector<double>> &lengths)
      : timeline(timeline), machine(machine), unit(sendUnit(machine.between)),
        groups(timeline, machine), ranks(timeline.ranks.size()), driver(ranks.size()),
        lengths(lengths) {
    lengths.resize(ranks.size());
    for (const MatchedMessage &message : timeline.messages)
      if (message.send.position != noPosition) // sent messages come first, by sender
        ++ranks[message.send.rank].sendsLeft;
    std::size_t first = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      ranks[rank].firstSend = first;
      first += ranks[rank].sendsLeft;
      prepare(rank);
    }
  }

  void run() {
    goOn();
    // Anything still awaited is not in the run.
    complete = false;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      driver.wake(rank);
      goOn();
    }
  }

private:
  void prepare(std::size_t rank) {
    const RankTimeline &events = timeline.ranks[rank];
    BackwardRank &state = ranks[rank];
    lengths[rank].resize(events.size());
    state.idle.resize(events.size());
    state.position = events.size();
    settle(rank, 0);
    countSynchronizations(rank);
  }

  void countSynchronizations(std::size_t rank) {
    const RankTimeline &events = timeline.ranks[rank];
    const RankProfile &profile = *events.profile;
    std::vector<int> communicatorOf(profile.events.size(), -1); // of events that synchronise
    for (std::size_t number = 0; number < profile.events.size(); ++number)
      if (events.synchronizing[number])
        communicatorOf[number] = profile.events[number].communicator;
    BackwardRank &state = ranks[rank];
    state.calls.resize(profile.communicators.size());
    for (const std::uint32_t number : events.numbers)
      if (communicatorOf[number] >= 0)
        ++state.calls[static_cast<std::size_t>(communicatorOf[number])];
    for (std::size_t index = 0; index < state.calls.size(); ++index) {
      std::uint32_t group = 0;
      if (groups.groupOf(rank, static_cast<int>(index), group))
        callsOfGroup[group].push_back(state.calls[index]);
    }
  }

  void goOn() {
    driver.run([&](std::size_t rank) { return stepBack(rank); },
               [&](std::size_t rank) { return behind(rank, ranks[rank].position); });
  }

  /// Events from a position to the end.
  std::size_t behind(std::size_t rank, std::size_t position) const {
    return lengths[rank].size() - position;
  }

  /// `length` is what follows the event before the current one, to which the rank goes back.
  void settle(std::size_t rank, double length) {
    BackwardRank &state = ranks[rank];
    state.done = state.position == 0;
    if (state.done)
      return;
    --state.position;
    lengths[rank][state.position] = length;
    state.idle[state.position] = length <= state.base ? 1 : 0;
  }

  /// Goes back over the current event.
  RankProgress stepBack(std::size_t rank) {
    BackwardRank &state = ranks[rank];
    if (state.done)
      return RankProgress::Ended;
    const RankTimeline &events = timeline.ranks[rank];
    const Event &event = events.at(state.position);
    double length = lengths[rank][state.position];
    if (events.synchronizes(state.position)) {
      if (!state.reunited && !reunite(rank, event, length))
        return RankProgress::Blocked;
      length = state.base;
      state.gathered = state.reunited = false;
    } else if (sendsMessage(event) && !follow(rank, event, length)) {
      return RankProgress::Blocked;
    }
    settle(rank, length + events.work[events.numbers[state.position]]);
    return RankProgress::Advanced;
  }

  /// Sets `length` to the longer of the sender's own path and the path through its message. False
  /// while what follows at the receiver is unknown.
  bool follow(std::size_t rank, const Event &event, double &length) {
    BackwardRank &state = ranks[rank];
    const auto lastSend = [&]() -> const MatchedMessage & {
      return timeline.messages[state.firstSend + state.sendsLeft - 1];
    };
    while (state.sendsLeft > 0 && lastSend().send.position > state.position)
      --state.sendsLeft;
    double way = 0;
    if (state.sendsLeft > 0 && lastSend().send.position == state.position && lastSend().matched() &&
        lastSend().completion != noPosition && !wayOf(lastSend(), rank, event, way))
      return false;
    length = unit + std::max(length, way);
    return true;
  }

  /// What follows at the receiver, and the message's time if the receiver has something to do then.
  bool wayOf(const MatchedMessage &message, std::size_t rank, const Event &event, double &way) {
    const std::size_t to = message.receive.rank;
    if (message.completion < ranks[to].position) {
      if (complete)
        driver.wakeWhenReached(to, behind(to, message.completion), rank);
      return !complete;
    }
    way = lengths[to][message.completion];
    if (!ranks[to].idle[message.completion]) {
      const MessageCost cost =
          messageCost(linkBetween(machine, rank, to), static_cast<double>(event.bytes));
      way += cost.stream + cost.latency + cost.receive;
    }
    return true;
  }

  /// Comes back to a synchronisation; true if all its members have. Then `base` is what follows.
  bool reunite(std::size_t rank, const Event &event, double length) {
    BackwardRank &state = ranks[rank];
    std::uint32_t group = 0;
    groups.groupOf(rank, event.communicator, group);
    const std::uint32_t call = state.calls[static_cast<std::size_t>(event.communicator)] - 1;
    const auto [found, isNew] = reunions.try_emplace({group, call});
    Reunion &reunion = found->second;
    if (isNew) {
      const std::vector<std::uint32_t> &calls = callsOfGroup[group];
      reunion.expected = static_cast<std::size_t>(std::count_if(
          calls.begin(), calls.end(), [&](std::uint32_t made) { return made > call; }));
    }
    if (!std::exchange(state.gathered, true)) {
      reunion.ranks.push_back(rank);
      reunion.longest = std::max(reunion.longest, length);
    }
    if (complete && reunion.ranks.size() < reunion.expected)
      return false;
    for (const std::size_t member : reunion.ranks) {
      BackwardRank &other = ranks[member];
      other.base = reunion.longest;
      other.reunited = true;
      --other.calls[static_cast<std::size_t>(
          timeline.ranks[member].at(other.position).communicator)];
      if (member != rank)
        driver.wake(member);
    }
    reunions.erase(found);
    return true;
  }

  const Timeline &timeline;
  const Machine &machine;
  double unit;
  CollectiveCalls groups;
  std::vector<BackwardRank> ranks;
  RankDriver driver; // marks: number of events from where a rank is to its end
  std::vector<std::vector<double>> &lengths;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Reunion> reunions; // by group and call
  std::map<std::uint32_t, std::vector<std::uint32_t>> callsOfGroup;    // by group: calls of each
                                                                       // member
  bool complete = true; // everything awaited is in the run
};

} // namespace

double sendUnit(const LinkParameters &link) { return std::max({link.o_send, link.g, 1e-9}); }

FollowingPaths::FollowingPaths(const Timeline &timeline, const Machine &machine) {
  BackwardWalk(timeline, machine, lengths).run();
}

} // namespace sendwright
