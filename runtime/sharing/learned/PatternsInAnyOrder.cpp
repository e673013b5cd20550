// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose patterns come in any order, at this rank: when it proposes them, and what it does
// with a plan that has routes for several (analysis/sharing/CommonPatterns.h).

#include "runtime/sharing/learned/LearnedExchange.h"
#include "runtime/sharing/learned/Learning.h"

#include <algorithm>
#include <utility>

namespace sendwright::adaptation {

namespace {

constexpr std::uint64_t timesForTurns = 8; ///< so many more executions: turns are shared sooner, if
                                           ///< there are calls
constexpr std::uint64_t fewInRow = 8;      ///< are enough if other ranks have proposed theirs
constexpr std::size_t fewOfPattern = 2;    ///< of each pattern: nothing can be gained
constexpr int mostTimesProposed = 3;
constexpr std::uint64_t longerEachTime = 8; ///< executions: a proposal in vain takes time
constexpr int mostRanks = 1024;             ///< one of them keeps what all have executed
constexpr int mostStrange = 32;
constexpr std::uint64_t mostOfLoop = 64;   ///< executions of the loop
constexpr std::size_t enoughOfPattern = 4; ///< executions of each pattern

} // namespace

bool LearnedExchange::mayProposePatterns() const {
  const Learning &all = *learning();
  if (key.turns != 1 || unsuitable || shares || planKey != 0 || !loop.deferrable ||
      std::ranges::any_of(patterns->ofTurn, &LearnedExchange::isShared))
    return false;
  const std::uint64_t inRow = own.record().repeated();
  if (polls(pollsBeforeRow, inRow))
    return false;
  if (askedForPatterns)
    return inRow >= fewInRow;
  if (proposed)
    return inAnyOrder && timesProposed < mostTimesProposed &&
           executions >= longerEachTime * proposedAt;
  const bool mayTurn =
      hasTurns && !patterns->contradict && all.worldCalls.begun() != callsBeforeRow;
  return inRow >= neededInRow * (mayTurn ? timesForTurns : 1) && equal < inRow &&
         arePatternsWorthProposing();
}

bool LearnedExchange::arePatternsWorthProposing() const {
  const Learning &all = *learning();
  return own.haveMoreThan(fewOfPattern) && all.ranks <= mostRanks &&
         communicator.identity.members.size() == static_cast<std::size_t>(all.ranks);
}

bool LearnedExchange::isAboutToPropose() const {
  constexpr std::uint64_t early = 128; // executions
  return hasTurns && executions < early && key.turns == 1 && !unsuitable && !proposed &&
         own.record().patterns() > 1 && arePatternsWorthProposing();
}

void LearnedExchange::learnPatterns() {
  if (own.record().repeated() == 1) {
    meetingsBeforeRow = learning()->expectedMeetings();
    callsBeforeRow = learning()->worldCalls.begun();
    pollsBeforeRow = learning()->pollsInVain;
  }
  if (mayProposePatterns())
    proposePatterns();
}

/// Others may have proposed theirs at other moments; what was executed since may overlap better.
void LearnedExchange::proposePatterns() {
  Learning &all = *learning();
  ControlMessage message;
  message.kind = ControlMessage::Kind::ProposePatterns;
  message.number = ++proposal;
  message.collectives = (all.expectedMeetings() - meetingsBeforeRow) /
                        static_cast<double>(std::max<std::uint64_t>(own.record().repeated(), 1));
  message.part = encodeProposal(own.proposal(all.worldCalls.begun()));
  proposed = inAnyOrder = true;
  askedForPatterns = false;
  ++timesProposed;
  proposedAt = executions;
  proposedPatterns = own.record().patterns();
  numbering = own.record().forgotten();
  strange = 0;
  relearn();
  tell(std::move(message));
}

/// Other patterns go directly, and change nothing unless they are many.
void LearnedExchange::noteStrange(const Execution &execution) {
  if (!proposed)
    return;
  const bool isKnown = execution.count == 0 || (own.last() != 0 && own.last() <= proposedPatterns);
  strange = std::max(0, strange + (isKnown ? -1 : 1));
  if (strange > mostStrange || numbering != own.record().forgotten())
    change(Change::OtherMessages);
}

/// If it cannot be told to which pattern the execution belongs, the others may have counted it.
void LearnedExchange::countPatterns() {
  bool isClear = true;
  for (SharedPattern &one : planned) {
    if (one.own == 0 || one.own != own.last())
      continue;
    one.executions += one.context.isAfter(own.beforeLast()) ? 1 : 0;
    isClear &= one.context.knows(own.beforeLast());
  }
  if (!isClear)
    change(Change::OtherMessages);
}

/// If this rank does not know any more how often it has executed them, it does not share.
void LearnedExchange::takePatterns(const PlannedPart &part) {
  bool areCounted = inAnyOrder && numbering == own.record().forgotten();
  for (std::size_t index = 0; index < planned.size(); ++index) {
    SharedPattern &one = planned[index];
    one.own = part.own[index];
    one.context = part.contexts[index];
    const auto count = own.record().countFrom(part.from, one.own, one.context);
    one.executions = one.own == 0 ? 0 : count.value_or(0);
    areCounted &= one.own == 0 || count.has_value();
  }
  if (!areCounted)
    change(Change::OtherMessages);
}

std::uint64_t LearnedExchange::executionsSoFar(std::uint32_t pattern) const {
  return pattern == 0 ? executions
                      : own.record().countSince(learning()->worldCalls.begun(), pattern);
}

exchange::Routes *LearnedExchange::routesFor(const Execution &execution) const {
  const std::uint32_t number = own.numberOf(execution);
  if (!shares || number == 0)
    return nullptr;
  const auto found = std::ranges::find_if(planned, [this, number](const SharedPattern &one) {
    return one.own == number && one.context.isAfter(own.last());
  });
  if (found == planned.end() || !found->routes.routes || found->executions < found->first ||
      found->routes.routes->instancesBegun() != found->nextInstance())
    return nullptr;
  return found->routes.routes.get();
}

bool LearnedExchange::isConclusiveForPatterns() const {
  return executions >= sharedAt + notMeasured() + mostOfLoop ||
         std::ranges::all_of(planned, [this](const SharedPattern &one) {
           return one.own == 0 || own.times(one.own).undisturbed() >= enoughOfPattern;
         });
}

} // namespace sendwright::adaptation
