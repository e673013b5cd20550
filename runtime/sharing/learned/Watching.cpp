// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While MPI carries all messages: the ranks meet before few collective calls, where each says
// whether it has found messages that are worth sharing; and how they change to carrying messages.

#include "runtime/sharing/learned/Learning.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sendwright::adaptation {

namespace {

/// How often ranks change from watching to carrying at most: a program of which the messages change
/// often gains little.
constexpr int mostChanges = 8;

} // namespace

void Learning::look() {
  while (exchange::isWatching() && sharing.link().progress()) {
  }
}

bool Learning::wantsToShare(bool byTurns) const {
  return std::ranges::any_of(leaders, [byTurns](const auto &entry) {
    return (byTurns || entry.first.turns == 1) && entry.second.wantsToShare();
  });
}

/// Where there are collective calls, they are a better place: an attempt that a call ends is in
/// vain.
void Learning::wish(const ExchangeKey &key, const ExecutionsOfCut &cut) {
  constexpr std::uint64_t executionsWithoutCalls = 24;
  const std::uint64_t needed = std::max(executionsWithoutCalls, 2 * mostBetweenCalls);
  const Communicator *known = communicator(key);
  if (changes < mostChanges && known && known->members.size() == static_cast<std::size_t>(ranks) &&
      (worldCalls.begun() == 0 || executionsSinceCall >= needed))
    crossing.begin(key, cut);
}

/// Ranks that cross at an execution have come to the same one.
std::vector<ControlMessage> Learning::planAtCut(const ExchangeKey *key) {
  for (auto &[of, leader] : leaders)
    if (key ? of == *key : countsAlike(of) && leader.wantsToShare())
      return leader.planAtCut(key != nullptr);
  return {};
}

void Learning::carry(const ControlMessage &answer) {
  sharing.carry();
  ++changes;
  noteNews();
  worldCalls.restart();
  if (answer.plan != 0)
    followAtCut(answer);
  hearKept();
  for (auto &[key, leader] : leaders)
    leader.startIfWorth();
}

void Learning::followAtCut(const ControlMessage &answer) {
  worldCalls.startWith(answer.plan, answer.numbers);
  if (const auto found = exchanges.find(answer.key); found != exchanges.end()) {
    found->second->patterns->agreed = answer.key.turns;
    found->second->shareAtCut(answer);
  }
  worldCalls.noteExecutions();
}

/// What others have sent by a plan before this rank knew it.
void Learning::hearKept() {
  for (Kept &kept : std::exchange(keptCombined, {}))
    combined(kept.source, kept.number, kept.message);
  for (const ControlMessage &stopping : std::exchange(keptStops, {}))
    hearMember(rank, stopping); // whoever its leader is
}

/// When ranks may want to share, as sums over ranks. Each number of calls from now on is a sum of
/// what the ranks counted beside it expect.
struct Learning::Forecast {
  std::uint64_t leaders = 0, untilWorth = 0;      ///< leaders that have found routes; calls until
                                                  ///< these are worth their start
  std::uint64_t proposing = 0, untilProposed = 0; ///< ranks of which messages repeat; calls until
                                                  ///< they propose
  std::uint64_t awaiting = 0;                     ///< ranks that have just proposed, are about to,
                                                  ///< or wait for others

  /// See WatchMeetings::meet().
  std::uint64_t wanted() const {
    if (leaders != 0)
      return (untilWorth + leaders - 1) / leaders;
    if (awaiting != 0)
      return WatchMeetings::soon;
    return proposing == 0 ? 0 : (untilProposed + proposing - 1) / proposing;
  }
};

/// How many collective calls are likely before so many executions of a loop, of which there were
/// `soFar`; 0 if these are many more than there were.
std::uint64_t Learning::callsFor(std::uint64_t executions, std::uint64_t soFar) const {
  const double calls = static_cast<double>(worldCalls.begun());
  const double before = static_cast<double>(executions) * calls / static_cast<double>(soFar);
  return before < 3 * calls ? static_cast<std::uint64_t>(std::ceil(before)) : 0;
}

Learning::Forecast Learning::forecast() const {
  Forecast said;
  for (const auto &[key, leader] : leaders) {
    said.awaiting |= leader.awaitsProposals() ? 1 : 0;
    const auto executions = leader.executionsToWish();
    const std::uint64_t calls = executions ? callsFor(*executions, executionsOf(key)) : 0;
    if (calls != 0 && (said.leaders == 0 || calls < said.untilWorth)) {
      said.leaders = 1;
      said.untilWorth = calls;
    }
  }
  for (const auto &[key, exchange] : exchanges) {
    said.awaiting |= exchange->hasJustProposed() || exchange->isAboutToPropose() ? 1 : 0;
    const auto executions = exchange->executionsToProposal();
    const std::uint64_t calls = executions ? callsFor(*executions, exchange->executionsSoFar()) : 0;
    if (calls != 0 && (said.proposing == 0 || calls < said.untilProposed)) {
      said.proposing = 1;
      said.untilProposed = calls;
    }
  }
  return said;
}

/// If all ranks agree to carry messages from here on: the rank of the leader whose plan they
/// follow.
std::optional<int> Learning::leaderToCrossWith() {
  const exchange::WatchedTraffic &traffic = sharing.watchedTraffic();
  const bool wants[] = {wantsToShare(false), wantsToShare(true)}; // without and with turns
  const auto number = static_cast<std::uint64_t>(rank);
  const std::uint64_t own[] = {wants[0] ? number : 0, wants[1] ? number : 0};
  const std::uint64_t counted = executionsByTurns();
  const Forecast mine = forecast();
  constexpr int numbers = 12;
  const std::uint64_t said[numbers] = {wants[0],
                                       wants[1],
                                       own[0],
                                       own[1],
                                       counted,
                                       traffic.sum(),
                                       !traffic.isCounted(),
                                       mine.leaders,
                                       mine.untilWorth,
                                       mine.proposing,
                                       mine.untilProposed,
                                       mine.awaiting};
  std::uint64_t sums[numbers] = {};
  const MPI_Comm world = sharing.link().communicator();
  if (PMPI_Allreduce(said, sums, numbers, MPI_UINT64_T, MPI_SUM, world) != MPI_SUCCESS)
    return std::nullopt;
  const bool byTurns = sums[4] == counted * static_cast<std::uint64_t>(ranks);
  noteTurns(byTurns);
  const std::uint64_t willing = sums[byTurns];
  const bool isAtRest = sums[5] == 0 && sums[6] == 0;
  const Forecast ofAll{sums[7], sums[8], sums[9], sums[10], sums[11]};
  watchMeetings.meet(worldCalls.begun(), willing != 0 && !isAtRest, ofAll.wanted());
  if (willing == 0 || !isAtRest)
    return std::nullopt;
  std::uint64_t leader = sums[2 + byTurns];
  if (willing > 1 &&
      PMPI_Allreduce(&own[byTurns], &leader, 1, MPI_UINT64_T, MPI_MAX, world) != MPI_SUCCESS)
    return std::nullopt;
  return static_cast<int>(leader);
}

/// The rank looks for messages of others first, so that its leaders know what others propose.
void Learning::callWhileWatching(MPI_Comm communicator) {
  noteCollectiveCall(communicator);
  mostBetweenCalls = std::max(mostBetweenCalls, std::exchange(executionsSinceCall, 0));
  noteWait();
  crossing.noteCall(communicator);
  if (communicator == MPI_COMM_NULL || !hasAllRanks(communicator))
    return;
  for (const auto &[key, exchange] : exchanges)
    exchange->noteCall();
  const bool meets = changes < mostChanges && watchMeetings.meetsNext(worldCalls.begun());
  if (meets || worldCalls.begun() % firstLook == 0)
    look();
  const std::optional<int> leader = meets ? leaderToCrossWith() : std::nullopt;
  worldCalls.passWatching();
  if (!leader)
    return;
  if (*leader == rank)
    crossing.answerAtCall();
  carry(crossing.awaitAnswerAtCall());
}

void Learning::endWatching() { crossing.refuseAll(); }

} // namespace sendwright::adaptation
