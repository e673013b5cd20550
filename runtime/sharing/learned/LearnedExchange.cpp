// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/LearnedExchange.h"

#include "analysis/file/Hashing.h"
#include "analysis/sharing/GatherTree.h"
#include "runtime/sharing/learned/Learning.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sendwright::adaptation {

namespace {

constexpr std::uint64_t firstNeeded = 4, mostNeeded = 1 << 20; ///< equal executions
constexpr std::uint64_t longestPast = 4; ///< the past executions for each equal one
constexpr int mostWaits = 2, mostTimesOutOfTurn = 2;
// What must have been sent before a rank proposes: a proposal takes time at every rank on its way.
constexpr std::uint64_t worthProposing = 2; ///< messages, for each of the leader's children
constexpr std::uint64_t fewAmongMany = 2;   ///< ... or an execution for so many of these: others
                                            ///< may have proposed many
constexpr std::size_t fewMessages = 2; ///< of an execution: the rank proposes them only if asked
constexpr unsigned mostSampled = 8;    ///< executions whose sizes enter the mean

// What is measured while an exchange shares, in executions.
constexpr std::uint64_t beforeMeasured = 2; ///< ranks get into step
constexpr std::uint64_t turnsBeforeMeasured =
    12; ///< ... and other turns of the loop begin to share
constexpr std::uint64_t enoughMeasured = 8, mostMeasured = 16;
constexpr std::uint64_t fewMeasured = 4; ///< enough to see a large loss, if all of them show it
constexpr double largeLoss = 1.3;
constexpr std::uint64_t mostPollsInVain = 4;   ///< in an execution; else the program waits so
constexpr std::uint64_t firstNeededInRow = 24; ///< executions with patterns that repeat
constexpr std::uint64_t neededAfterLoss = 32;  ///< equal executions

} // namespace

void Execution::add(const SentMessage &message) {
  sum += XXH64(&message.destination, sizeof message.destination, 0);
  ++count;
}

LearnedExchange::LearnedExchange(ExchangeKey key, std::shared_ptr<LoopPatterns> patterns,
                                 int leader, std::uint64_t executions)
    : key(key), patterns(std::move(patterns)), loop(this->patterns->loop),
      communicator(this->patterns->communicator), leader(leader), executionsBefore(executions),
      executions(executions), needed(firstNeeded), neededInRow(firstNeededInRow),
      kept(*this, [](const exchange::SharedCommunicator &of, const exchange::Target &target,
                     exchange::Record record, std::span<const std::byte> bytes) {
        learning()->sharing.sendStraight(learning()->rank, target.worldRank, of.index, record,
                                         bytes);
      }) {}

void LearnedExchange::tell(ControlMessage message) const {
  message.key = key;
  learning()->tell(leader, message);
}

/// A leader that has asked waits for few members.
void LearnedExchange::tellProposal(ControlMessage message) {
  message.key = key;
  if (std::exchange(answersLeader, false))
    learning()->tell(leader, message);
  else
    learning()->tree.gather(leader, message);
}

void LearnedExchange::begin(Execution &execution) {
  isUnderWay = true;
  if (!shares)
    return;
  if (inAnyOrder) {
    kept.begin(execution);
    loop.site.taker = &kept;
    execution.taker = &kept;
    return;
  }
  const SharedPattern &one = planned.front();
  exchange::Routes *routes = one.routes.routes.get();
  if (!routes || executions < one.first || routes->instancesBegun() != one.nextInstance())
    return;
  routes->open();
  if (!routes->isOpen())
    return; // more than the other ranks expect before the next collective call
  loop.site.taker = routes;
  execution.taker = routes;
}

void LearnedExchange::finish(const Execution &execution) {
  const std::size_t captured = endExecution(execution);
  isUnderWay = false;
  ++executions;
  Learning &all = *learning();
  if (key.turns == 1 && loop.deferrable)
    own.note(execution, all.worldCalls.begun());
  if (inAnyOrder)
    countPatterns();
  else
    for (SharedPattern &one : planned)
      ++one.executions;
  catchUp();
  measure();
  compare(execution, captured);
  if (mayProposeOne())
    learn(execution);
  learnPatterns();
  if (exchange::isWatching())
    watchOn();
  all.tree.noteExecution(key, isEarly());
  if (leader == all.rank)
    all.noteExecution(key, isEarly());
}

/// In the tree by which proposals come (GatherTree.h).
std::uint64_t LearnedExchange::childrenOfLeader() const {
  return GatherTree(communicator.identity.members.size()).mostChildren();
}

bool LearnedExchange::isEarly() const {
  return exchange::isWatching() && executions < childrenOfLeader() / fewAmongMany;
}

/// Whether all executions may have one pattern from here on: patterns in any order may have been
/// those of a set-up.
bool LearnedExchange::mayProposeOne() const {
  if (proposed && (!inAnyOrder || planKey != 0 || (!asked && own.record().patterns() < 2)))
    return false;
  return !unsuitable && !hasTurns && loop.deferrable;
}

/// Returns how many of its messages were shared, or may have been.
std::size_t LearnedExchange::endExecution(const Execution &execution) {
  if (execution.taker == &kept)
    kept.close();
  if (planned.empty() || inAnyOrder)
    return execution.count;
  exchange::Routes *routes = planned.front().routes.routes.get();
  if (!routes || execution.taker != routes)
    return execution.count; // they were stopped
  const std::size_t captured = routes->messagesCaptured();
  routes->close();
  return captured;
}

/// With what was proposed.
void LearnedExchange::compare(const Execution &execution, std::size_t captured) {
  if (inAnyOrder)
    return noteStrange(execution);
  const bool same = execution.sum == proposedSum && execution.count == proposedCount;
  if (same && captured < execution.count) { // a call in the loop closed the instance
    unsuitable |= ++waits == mostWaits;
    change(Change::WaitsInLoop);
  } else if (!same || execution.irregular) {
    change(Change::OtherMessages);
  }
}

/// A rank that has proposed its messages expects an answer.
bool LearnedExchange::looks() const {
  if (proposed)
    return executions == nextLook(executions - 1);
  return equal >= needed && executions >= Learning::firstLook && std::has_single_bit(executions);
}

std::uint64_t LearnedExchange::nextLook(std::uint64_t after) {
  const std::uint64_t gap = longestBetweenLooks(after);
  return (after / gap + 1) * gap;
}

std::uint64_t LearnedExchange::longestBetweenLooks(std::uint64_t after) {
  constexpr std::uint64_t often = Learning::firstLook, rarely = 64, rarelyFrom = 128;
  return after + often < rarelyFrom ? often : rarely;
}

/// At the leader: its own proposal comes first.
bool LearnedExchange::hearsProposals() const {
  const bool isDeep = GatherTree(communicator.identity.members.size()).isDeep();
  return learning()->hearsProposals(key) || (isDeep && proposed && executions == proposedAt + 1);
}

/// Others may have something to say if this rank's messages repeat.
void LearnedExchange::watchOn() {
  Learning &all = *learning();
  all.crossing.rest();
  if (looks() || all.tree.awaits(key) || (leader == all.rank && hearsProposals()))
    all.look();
  all.crossing.atEnd(*this);
}

std::uint64_t LearnedExchange::notMeasured() const {
  return key.turns == 1 && !inAnyOrder ? beforeMeasured : turnsBeforeMeasured;
}

/// The time from one execution's end to the end of the next one of its turn. A meeting of the ranks
/// before a collective call is rare later, so it counts as a disturbance.
void LearnedExchange::measure() {
  const double now = PMPI_Wtime();
  const std::uint64_t met = learning()->worldCalls.meetings();
  const bool isCounted = !shares || executions > sharedAt + notMeasured();
  if (finishedAt > 0 && isCounted) {
    times.add(now - finishedAt, met != worldMeetings);
    own.noteSeconds(now - finishedAt, met != worldMeetings);
  }
  finishedAt = now;
  worldMeetings = met;
  if (!shares || !measuring || !isConclusive())
    return;
  measuring = false;
  tell(measured());
}

/// Just after the switch most executions may take long, because ranks are not in step yet.
bool LearnedExchange::isConclusive() const {
  if (inAnyOrder)
    return isConclusiveForPatterns();
  return times.undisturbed() >= enoughMeasured ||
         executions >= sharedAt + notMeasured() + mostMeasured - beforeMeasured ||
         (times.count() >= fewMeasured &&
          times.least() > largeLoss * planned.front().directSeconds);
}

ControlMessage LearnedExchange::measured() const {
  ControlMessage message;
  message.kind = ControlMessage::Kind::Measured;
  message.plan = planKey;
  if (!inAnyOrder) {
    message.direct = planned.front().directSeconds;
    message.shared = times.typical();
    return message;
  }
  for (const SharedPattern &one : planned)
    if (const double seconds = own.times(one.own).typical();
        seconds > 0 && one.directSeconds > 0 && one.executions > one.first) {
      const auto executed = static_cast<double>(one.executions - one.first);
      message.direct += executed * one.directSeconds;
      message.shared += executed * seconds;
    }
  return message;
}

void LearnedExchange::learn(const Execution &execution) {
  if (execution.irregular) {
    relearn();
    return;
  }
  if (equal == 0 || execution.sum != lastSum || execution.count != lastCount)
    relearn();
  lastSum = execution.sum;
  lastCount = execution.count;
  if (sampled < mostSampled) {
    samples.insert(samples.end(), execution.sent.begin(), execution.sent.end());
    ++sampled;
  }
  if (++equal == 1) {
    meetingsBefore = learning()->expectedMeetings();
    pollsBefore = learning()->pollsInVain;
  }
  const std::uint64_t past = executions - executionsBefore;
  if (equal >= std::max(needed, past / longestPast) && (asked || isWorthProposing()) &&
      !polls(pollsBefore, equal))
    propose();
}

/// A rank that polls passes messages on only then, and each poll takes longer.
bool LearnedExchange::polls(std::uint64_t before, std::uint64_t ofExecutions) const {
  return learning()->measures && learning()->pollsInVain - before > mostPollsInVain * ofExecutions;
}

/// While the ranks only watch, a proposal and what follows take time that the program as written
/// does not take: then many messages must have been the same first.
bool LearnedExchange::isWorthProposing() const {
  if (lastCount <= fewMessages || !exchange::isWatching() || !learning()->measures)
    return lastCount > fewMessages;
  const std::uint64_t children = childrenOfLeader();
  return equal * lastCount >= worthProposing * children || equal >= children / fewAmongMany;
}

std::optional<std::uint64_t> LearnedExchange::executionsToProposal() const {
  if (proposed || unsuitable || hasTurns || !loop.deferrable || equal < firstNeeded ||
      lastCount <= fewMessages || polls(pollsBefore, equal))
    return std::nullopt;
  const std::uint64_t children = childrenOfLeader();
  const std::uint64_t worth =
      std::min(worthProposing * children / lastCount + 1, children / fewAmongMany);
  const std::uint64_t past = executions - executionsBefore; // grows meanwhile, too
  const std::uint64_t ofPast =
      past / longestPast <= equal ? 0 : (past - longestPast * equal) / (longestPast - 1) + 1;
  const std::uint64_t more = std::max({needed, worth, equal + 1, equal + ofPast}) - equal;
  if (const GatherTree tree(communicator.identity.members.size()); tree.isDeep())
    return more + tree.levels();
  return nextLook(executions + more - 1) - executions;
}

void LearnedExchange::relearn() {
  equal = 0;
  samples.clear();
  sampled = 0;
}

void LearnedExchange::propose() {
  ControlMessage message;
  message.kind = ControlMessage::Kind::Propose;
  message.number = ++proposal;
  message.collectives = (learning()->expectedMeetings() - meetingsBefore) /
                        static_cast<double>(std::max<std::uint64_t>(equal, 2) - 1);
  std::ranges::sort(samples, {}, &SentMessage::destination);
  for (const SentMessage &sample : samples) {
    std::vector<ProposedMessage> &pattern = message.pattern;
    if (pattern.empty() || pattern.back().destination != sample.destination)
      pattern.push_back({sample.destination, 0});
    pattern.back().bytes += static_cast<double>(sample.bytes) / sampled;
  }
  proposed = true;
  inAnyOrder = false;
  proposedAt = executions;
  proposedSum = lastSum;
  proposedCount = lastCount;
  relearn();
  tellProposal(std::move(message));
}

/// The proposal no longer holds, and routes that rest on it stop. Routes that are not shared yet
/// stay, because other members may not have all of them yet. The leader hears of this and decides
/// what comes next.
void LearnedExchange::change(Change why) {
  if (!proposed)
    return;
  proposed = false;
  if (inAnyOrder)
    neededInRow = std::min(2 * neededInRow, mostNeeded);
  else
    needed = std::min(2 * needed, mostNeeded);
  timesProposed = 0;
  relearn();
  tellChanged(proposal, why);
  if (shares) {
    stopRoutes();
    stopOtherTurns(why);
  }
}

/// The proposal with that number does not hold.
void LearnedExchange::tellChanged(std::uint64_t number, Change why) const {
  ControlMessage message;
  message.kind = ControlMessage::Kind::Changed;
  message.number = number;
  message.change = why;
  tell(std::move(message));
}

/// If ranks have executed the loop unequally often, messages of every turn wait in vain.
void LearnedExchange::stopOtherTurns(Change why) {
  if ((key.turns == 1 && !inAnyOrder) || (why != Change::LateRanks && why != Change::OutOfTurn))
    return;
  unsuitable |= ++timesOutOfTurn == mostTimesOutOfTurn;
  for (LearnedExchange *other : patterns->ofTurn)
    if (other != this)
      other->change(Change::OutOfTurn);
}

void LearnedExchange::noteCall() {
  constexpr std::size_t mostCalls = 64;
  if (leader != learning()->rank)
    return;
  if (atCalls.size() == mostCalls)
    atCalls.erase(atCalls.begin(), atCalls.begin() + mostCalls / 2);
  atCalls.push_back(executions);
}

std::vector<std::uint64_t> LearnedExchange::executionsBeforeCalls() const {
  static_assert(ExpectedInstances::longestPeriod <= mostCommonPatterns); // in one message
  ExpectedInstances seen(1);
  for (const std::uint64_t count : atCalls)
    seen.agree({count}, true);
  std::vector<std::uint64_t> all;
  for (const ExpectedInstances::Counts &step : seen.repeated())
    all.push_back(step.front());
  return all;
}

void LearnedExchange::noteDirectSeconds() {
  for (SharedPattern &one : planned)
    one.directSeconds = inAnyOrder ? own.times(one.own).typical() : times.typical();
  times.clear();
  own.forgetTimes();
  if (!inAnyOrder || std::ranges::any_of(planned, [](const auto &one) { return one.own != 0; }))
    return;
  measuring = false; // the leader waits for all
  tell(measured());
}

void LearnedExchange::stop(const ControlMessage &stopping) {
  if (stopping.plan != planKey || planKey == 0)
    return;
  if (proposed && proposal == planBasis) {
    proposed = false;
    needed = std::min(2 * needed, mostNeeded);
    neededInRow = std::min(2 * neededInRow, mostNeeded);
    if (stopping.change == Change::NoGain)
      needed = std::max(needed, neededAfterLoss);
    timesProposed = 0;
    relearn();
  }
  const bool shared = shares;
  stopRoutes();
  if (shared)
    stopOtherTurns(stopping.change);
}

void LearnedExchange::combined(std::uint64_t plan, int source, int stage, std::uint64_t number,
                               std::span<std::byte> message) {
  if (!routesOf(plan)->arrive(source, stage, number, message))
    return;
  // A peer has stopped. It heard so from the leader, or has told the leader.
  ControlMessage stopping;
  stopping.plan = planKey;
  stop(stopping);
}

void LearnedExchange::stopIfLate(double limit, double now) {
  for (const SharedPattern &one : planned)
    if (shares && one.routes.routes && one.routes.routes->holdsLongerThan(limit, now))
      return change(Change::LateRanks);
}

void LearnedExchange::leave() {
  if (key.turns > 1) {
    change(Change::OtherMessages);
    unsuitable = true;
    return;
  }
  hasTurns = true;
  if (!inAnyOrder)
    change(Change::OtherMessages);
}

void LearnedExchange::leaveToTurns() { change(Change::OtherMessages); }

void LearnedExchange::giveUp() {
  change(Change::CommunicatorFreed);
  unsuitable = givenUp = true;
}

} // namespace sendwright::adaptation
