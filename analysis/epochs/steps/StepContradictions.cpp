// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are compared on the grammars, however long the sequences are. Then the ranks are led
// along their synchronisations, each until it waits; then once more, along the program's calls,
// too: a rank must not wait for a rank that is in a call and waits for the first. Only what
// certainly waits counts: a receive that blocks, or of a message that a probe has matched, until
// its sender has sent once more, whatever the tag; a collective in which every rank needs something
// from every other. Sends do not wait: buffers for their messages are what the plan provides.

#include "analysis/epochs/steps/StepContradictions.h"

#include "analysis/mpi/MpiFunctions.h"
#include "analysis/run/RankDriver.h"
#include "analysis/trace/CommunicatorNumbers.h"
#include "analysis/trace/GrammarCursor.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

namespace sendwright {

namespace {

bool isSynchronization(const Step &step) {
  return step.kind == StepKind::Synchronize || step.kind == StepKind::Announce ||
         step.kind == StepKind::Await;
}

std::string rankText(std::size_t rank) { return "rank " + std::to_string(rank); }

/// The grammar's sequence reduced to synchronisations; rules that become empty are dropped. Linear
/// in the grammar.
Grammar synchronizationsIn(const RankSteps &rank) {
  const std::vector<std::vector<GrammarItem>> &rules = rank.sequence.rules;
  Grammar result;
  result.rules.resize(rules.size());
  enum : unsigned char { unseen, open, done };
  std::vector<unsigned char> states(rules.size(), unseen);
  std::vector<std::uint32_t> path;
  if (!rules.empty())
    path.push_back(0);
  while (!path.empty()) { // a rule is done after the rules that it contains
    const std::uint32_t rule = path.back();
    if (states[rule] == unseen) {
      states[rule] = open;
      for (const GrammarItem &item : rules[rule])
        if (item.isRule && states[item.symbol] == unseen)
          path.push_back(item.symbol);
      continue;
    }
    path.pop_back();
    if (std::exchange(states[rule], done) == done)
      continue;
    for (const GrammarItem &item : rules[rule])
      if (item.isRule ? !result.rules[item.symbol].empty()
                      : isSynchronization(rank.steps[item.symbol]))
        result.rules[rule].push_back(item);
  }
  return result;
}

class StepFollowing {
public:
  StepFollowing(SynchronizationKind kind, const std::vector<RankSteps> &ranks)
      : kind(kind), ranks(ranks) {}

  std::optional<std::string> contradiction(std::uint64_t followed) {
    if (!checkKinds() || !checkNumbers())
      return problem;
    if (!told.empty() || meetingsOf.size() > 1)
      followSynchronizations(followed);
    if (!problem && (!told.empty() || !meetingsOf.empty()))
      followCalls(followed);
    return problem;
  }

private:
  bool fail(const std::string &text) {
    if (!problem)
      problem = text;
    return false;
  }
  /// A number for a group that means the same in all ranks; 0 for the group of all ranks.
  std::uint32_t numberOf(const std::vector<int> &group) {
    return groupNumbers.try_emplace(group, static_cast<std::uint32_t>(groupNumbers.size() + 1))
        .first->second;
  }
  std::uint64_t pairOf(std::size_t from, std::size_t to) const { return from * ranks.size() + to; }

  bool checkKinds();
  bool checkNumbers();
  struct Meetings {
    std::size_t first = 0;   ///< rank, for the text
    std::uint64_t times = 0; ///< of each member
    std::size_t members = 0; ///< that take part
  };
  bool addNumbers(std::size_t rank);
  bool failGroup(const Meetings &meetings, std::size_t rank, std::uint64_t often);
  bool meetsGroup(std::size_t rank, std::uint32_t group) const;
  bool checkGroups();
  void follow(const std::vector<const Grammar *> &sequences, std::uint64_t followed,
              const char *where);
  void followSynchronizations(std::uint64_t followed);
  void followCalls(std::uint64_t followed);
  RankProgress advance(std::size_t rank);
  bool comeToMeeting(std::size_t rank, std::uint32_t meeting);
  void announce(std::size_t rank, const Step &step);
  bool call(std::size_t rank, const Step &step);
  bool receive(std::size_t rank, int source);

  const SynchronizationKind kind;
  const std::vector<RankSteps> &ranks;
  std::map<std::vector<int>, std::uint32_t> groupNumbers;
  std::vector<std::vector<std::uint32_t>> groupsOf; ///< numbers, by rank and its own index
  /// By meeting: the groups by their numbers, then the communicators. Null: all ranks.
  std::vector<const std::vector<int> *> membersOf{nullptr};
  std::uint32_t firstOfCommunicators = 0;
  CommunicatorNumbers communicators;
  std::map<std::uint32_t, Meetings> meetingsOf;         ///< by group
  std::map<std::uint64_t, std::uint64_t> told, awaited; ///< how often, by pair of ranks
  std::optional<std::string> problem;

  // While ranks are led along their steps:
  std::uint64_t work = 0; ///< steps so far, of all ranks
  std::vector<GrammarCursor> cursors;
  std::unique_ptr<RankDriver> driver;
  std::vector<std::uint64_t> met; ///< by meeting: how many members are there
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  std::vector<std::uint32_t> isAt; ///< by rank: its meeting
  std::vector<char> hasSent;       ///< by rank: its current exchange has sent
  using PairCounts = std::unordered_map<std::uint64_t, std::uint64_t>;
  PairCounts announced; ///< by pair: announced and not yet awaited
  PairCounts sent;      ///< by pair: sent and not yet taken by a blocking receive
};

bool StepFollowing::checkKinds() {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    for (const Step &step : ranks[rank].steps) {
      if (!isSynchronization(step))
        continue;
      const bool ofGroup = step.kind == StepKind::Synchronize;
      if (ofGroup == (kind == SynchronizationKind::Component))
        return fail(rankText(rank) + (ofGroup ? " meets a group" : " announces or awaits") +
                    ", which " + nameOf(kind) + " synchronisation has no step for");
      if (ofGroup && kind == SynchronizationKind::Full && !ranks[rank].groups[step.group].empty())
        return fail(rankText(rank) +
                    " meets only some ranks, but full synchronisation has all ranks meet");
      if (step.kind == StepKind::Await && step.peer == static_cast<int>(rank))
        return fail(rankText(rank) + " awaits itself");
    }
  return true;
}

/// Counts what one rank does, by group, by list of listeners and by awaited rank.
bool StepFollowing::addNumbers(std::size_t rank) {
  const RankSteps &own = ranks[rank];
  std::vector<std::uint32_t> &numbers = groupsOf.emplace_back();
  for (const std::vector<int> &group : own.groups) {
    numbers.push_back(group.empty() ? 0 : numberOf(group));
    if (numbers.back() == membersOf.size())
      membersOf.push_back(&group);
  }
  const std::vector<std::uint64_t> times =
      own.sequence.occurrences(static_cast<std::uint32_t>(own.steps.size()));
  std::map<std::uint32_t, std::uint64_t> met, announcements;
  for (std::size_t index = 0; index < own.steps.size(); ++index) {
    const Step &step = own.steps[index];
    if (times[index] == 0)
      continue;
    if (step.kind == StepKind::Synchronize)
      met[numbers[step.group]] += times[index];
    else if (step.kind == StepKind::Announce)
      announcements[step.group] += times[index];
    else if (step.kind == StepKind::Await)
      awaited[pairOf(static_cast<std::size_t>(step.peer), rank)] += times[index];
  }
  for (const auto &[list, often] : announcements)
    for (const int listener : own.listeners[list])
      told[pairOf(rank, static_cast<std::size_t>(listener))] += often;
  for (const auto &[group, often] : met) {
    Meetings &meetings = meetingsOf.try_emplace(group, Meetings{rank, often, 0}).first->second;
    ++meetings.members;
    if (meetings.times != often)
      return failGroup(meetings, rank, often);
  }
  return true;
}

bool StepFollowing::failGroup(const Meetings &meetings, std::size_t rank, std::uint64_t often) {
  return fail(rankText(meetings.first) + " meets a group " + std::to_string(meetings.times) +
              " times, and " + rankText(rank) + " of the same group " + std::to_string(often) +
              " times");
}

/// The ranks that met at a group equally often must be all its members.
bool StepFollowing::checkGroups() {
  for (const auto &[group, meetings] : meetingsOf) {
    const std::vector<int> *members = membersOf[group];
    if (meetings.members == (members ? members->size() : ranks.size()))
      continue;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      if (!members || std::binary_search(members->begin(), members->end(), static_cast<int>(rank)))
        if (!meetsGroup(rank, group))
          return failGroup(meetings, rank, 0);
  }
  return true;
}

bool StepFollowing::meetsGroup(std::size_t rank, std::uint32_t group) const {
  const RankSteps &own = ranks[rank];
  const std::vector<std::uint64_t> times =
      own.sequence.occurrences(static_cast<std::uint32_t>(own.steps.size()));
  for (std::size_t index = 0; index < own.steps.size(); ++index)
    if (times[index] > 0 && own.steps[index].kind == StepKind::Synchronize &&
        groupsOf[rank][own.steps[index].group] == group)
      return true;
  return false;
}

/// Compares how often each member meets at each group, and how often one rank announces to another
/// and is awaited by it.
bool StepFollowing::checkNumbers() {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (!addNumbers(rank))
      return false;
  for (const auto &[pair, times] : awaited)
    told.try_emplace(pair, 0);
  for (const auto &[pair, times] : told) {
    const auto found = awaited.find(pair);
    if (const std::uint64_t there = found == awaited.end() ? 0 : found->second; there != times)
      return fail(rankText(pair / ranks.size()) + " announces " + std::to_string(times) +
                  " boundaries to " + rankText(pair % ranks.size()) + ", which awaits " +
                  std::to_string(there));
  }
  return checkGroups();
}

/// True if all members are there, which lets the others go on. A damaged plan may have members
/// twice, or ranks that come without being members.
bool StepFollowing::comeToMeeting(std::size_t rank, std::uint32_t meeting) {
  if (isAt[rank] != nowhere)
    return false;
  isAt[rank] = meeting;
  const std::vector<int> *members = membersOf[meeting];
  if (++met[meeting] < (members ? members->size() : ranks.size()))
    return false;
  met[meeting] = 0;
  work += members ? members->size() : ranks.size();
  const auto release = [&](std::size_t member) {
    if (isAt[member] != meeting)
      return;
    isAt[member] = nowhere;
    if (member == rank)
      return;
    cursors[member].next();
    driver->wake(member);
  };
  if (members)
    for (const int member : *members)
      release(static_cast<std::size_t>(member));
  else
    for (std::size_t member = 0; member < ranks.size(); ++member)
      release(member);
  return isAt[rank] == nowhere;
}

void StepFollowing::announce(std::size_t rank, const Step &step) {
  work += ranks[rank].listeners[step.group].size();
  for (const int listener : ranks[rank].listeners[step.group])
    if (announced[pairOf(rank, static_cast<std::size_t>(listener))]++ == 0)
      driver->wake(static_cast<std::size_t>(listener));
}

/// True if the rank need not wait for a message of `source`.
bool StepFollowing::receive(std::size_t rank, int source) {
  if (source < 0)
    return true; // it takes no message, or nobody knows whose
  std::uint64_t &messages = sent[pairOf(static_cast<std::size_t>(source), rank)];
  if (messages == 0)
    return false;
  --messages;
  return true;
}

/// True if the program's call ends.
bool StepFollowing::call(std::size_t rank, const Step &step) {
  const MpiFunction &function = mpiFunction(step.function);
  if (isCollective(function.role)) {
    const std::uint32_t number = communicators.ofGroup(rank, step.communicator);
    return !isSynchronizing(function) || number == CommunicatorNumbers::none ||
           comeToMeeting(rank, firstOfCommunicators + number);
  }
  const auto sourceOf = [&](int peer) { return peer == anySource ? step.source : peer; };
  if (isReceive(function.role))
    return function.role == MpiRole::NonblockingReceive || receive(rank, sourceOf(step.peer));
  if (step.peer >= 0 && !hasSent[rank]) {
    const auto receiver = static_cast<std::size_t>(step.peer);
    if (sent[pairOf(rank, receiver)]++ == 0)
      driver->wake(receiver);
  }
  const bool waits =
      function.role == MpiRole::SendReceive && !receive(rank, sourceOf(step.receivePeer));
  hasSent[rank] = waits ? 1 : 0;
  return !waits;
}

RankProgress StepFollowing::advance(std::size_t rank) {
  if (cursors[rank].atEnd())
    return RankProgress::Ended;
  const Step &step = ranks[rank].steps[cursors[rank].number()];
  if (step.kind == StepKind::Announce) {
    announce(rank, step);
  } else if (step.kind == StepKind::Await) {
    std::uint64_t &told = announced[pairOf(static_cast<std::size_t>(step.peer), rank)];
    if (told == 0)
      return RankProgress::Blocked;
    --told;
  } else if (step.kind == StepKind::Synchronize) {
    if (!comeToMeeting(rank, groupsOf[rank][step.group]))
      return RankProgress::Blocked;
  } else if (step.kind == StepKind::Call && !call(rank, step)) {
    return RankProgress::Blocked;
  }
  cursors[rank].next();
  ++work;
  return RankProgress::Advanced;
}

void StepFollowing::follow(const std::vector<const Grammar *> &sequences, std::uint64_t followed,
                           const char *where) {
  work = 0;
  cursors.clear();
  cursors.reserve(sequences.size());
  for (const Grammar *sequence : sequences)
    cursors.emplace_back(*sequence);
  met.assign(membersOf.size(), 0);
  isAt.assign(ranks.size(), nowhere);
  hasSent.assign(ranks.size(), 0);
  announced.clear();
  driver = std::make_unique<RankDriver>(ranks.size());
  driver->run([&](std::size_t rank) {
    return work > followed ? RankProgress::Blocked : advance(rank); // otherwise it would never end
  });
  if (const auto rank = driver->firstStuck(); rank && work <= followed)
    fail(rankText(*rank) + " waits for good: ranks wait for one another in a circle" + where);
}

void StepFollowing::followSynchronizations(std::uint64_t followed) {
  std::vector<Grammar> sequences;
  std::vector<const Grammar *> pointers;
  sequences.reserve(ranks.size());
  pointers.reserve(ranks.size());
  for (const RankSteps &rank : ranks)
    sequences.push_back(synchronizationsIn(rank));
  for (const Grammar &sequence : sequences)
    pointers.push_back(&sequence);
  follow(pointers, followed, "");
}

void StepFollowing::followCalls(std::uint64_t followed) {
  std::vector<const std::vector<Communicator> *> ofRanks;
  std::vector<const Grammar *> sequences;
  ofRanks.reserve(ranks.size());
  sequences.reserve(ranks.size());
  for (const RankSteps &rank : ranks) {
    ofRanks.push_back(&rank.communicators);
    sequences.push_back(&rank.sequence);
  }
  communicators = CommunicatorNumbers(ofRanks);
  firstOfCommunicators = static_cast<std::uint32_t>(membersOf.size());
  for (std::uint32_t number = 0; number < communicators.size(); ++number)
    membersOf.push_back(&communicators[number].members.vector());
  follow(sequences, followed, ", in calls and synchronisations");
}

} // namespace

std::optional<std::string> contradictionInSteps(SynchronizationKind kind,
                                                const std::vector<RankSteps> &ranks,
                                                std::uint64_t followed) {
  return StepFollowing(kind, ranks).contradiction(followed);
}

} // namespace sendwright
