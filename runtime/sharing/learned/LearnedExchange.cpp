// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/LearnedExchange.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Hashing.h"
#include "runtime/sharing/learned/Learning.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sendwright::adaptation {

namespace {

constexpr std::uint64_t firstNeeded = 4, mostNeeded = 1 << 20; ///< equal executions
constexpr std::uint64_t longestPast = 4; ///< the past executions for each equal one
constexpr int mostWaits = 2, mostTimesOutOfTurn = 2;
constexpr std::uint64_t worthProposing = 3; ///< messages, for each rank of the world
constexpr std::uint64_t fewAmongMany = 4;   ///< ... or so many ranks of it for an execution: others
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
constexpr std::uint64_t neededAfterLoss = 32; ///< equal executions

} // namespace

void Execution::add(const SentMessage &message) {
  sum += XXH64(&message.destination, sizeof message.destination, 0);
  ++count;
}

LearnedExchange::LearnedExchange(ExchangeKey key, std::shared_ptr<LoopPatterns> patterns,
                                 int leader, std::uint64_t executions)
    : key(key), patterns(std::move(patterns)), loop(this->patterns->loop),
      communicator(this->patterns->communicator), leader(leader), executionsBefore(executions),
      executions(executions), needed(firstNeeded) {}

void LearnedExchange::tell(ControlMessage message) const {
  message.key = key;
  learning()->tell(leader, message);
}

void LearnedExchange::begin(Execution &execution) {
  exchange::Routes *own = routes.routes.get();
  if (!shares || !own || executions < first || own->instancesBegun() != executions - first)
    return;
  own->open();
  if (!own->isOpen())
    return; // more than the other ranks expect before the next collective call
  loop.site.taker = own;
  execution.routes = own;
}

void LearnedExchange::finish(const Execution &execution) {
  std::size_t captured = execution.count;
  if (execution.routes && execution.routes == routes.routes.get()) { // otherwise they were stopped
    captured = routes.routes->messagesCaptured();
    routes.routes->close();
  }
  ++executions;
  Learning &all = *learning();
  all.worldCalls.noteExecution();
  catchUp();
  measure();
  const bool same = execution.sum == proposedSum && execution.count == proposedCount;
  if (same && captured < execution.count) { // a call in the loop closed the instance
    unsuitable |= ++waits == mostWaits;
    change(Change::WaitsInLoop);
  } else if (!same || execution.irregular) {
    change(Change::OtherMessages);
  }
  if (!proposed && !unsuitable && loop.deferrable)
    learn(execution);
  if (exchange::isWatching())
    watchOn();
  if (leader == all.rank)
    all.noteExecution(key);
}

/// A rank that has proposed its messages expects an answer.
bool LearnedExchange::looks() const {
  if (proposed)
    return executions == nextLook(executions - 1);
  return equal >= needed && executions >= Learning::firstLook && std::has_single_bit(executions);
}

std::uint64_t LearnedExchange::nextLook(std::uint64_t after) {
  constexpr std::uint64_t often = Learning::firstLook, rarely = 64, rarelyFrom = 128;
  const std::uint64_t gap = after + often < rarelyFrom ? often : rarely;
  return (after / gap + 1) * gap;
}

/// Others may have something to say if this rank's messages repeat.
void LearnedExchange::watchOn() {
  Learning &all = *learning();
  ++all.executionsSinceCall;
  all.crossing.rest();
  if (looks() || (leader == all.rank && all.awaitsProposals(key)))
    all.look();
  all.crossing.atEnd(key, executions);
}

/// Catches up on instances in which this rank sent nothing by route, because it had not heard that
/// they are shared or had nothing to send.
void LearnedExchange::catchUp() {
  if (shares && routes.routes && first < executions)
    routes.routes->contributeUpTo(executions - first);
}

std::uint64_t LearnedExchange::notMeasured() const {
  return key.turns == 1 ? beforeMeasured : turnsBeforeMeasured;
}

/// The time from one execution's end to the end of the next one of its turn. A meeting of the ranks
/// before a collective call is rare later, so it counts as a disturbance.
void LearnedExchange::measure() {
  const double now = PMPI_Wtime();
  const std::uint64_t met = learning()->worldCalls.meetings();
  const bool isCounted = !shares || executions > first + notMeasured();
  if (finishedAt > 0 && isCounted)
    times.add(now - finishedAt, met != worldMeetings);
  finishedAt = now;
  worldMeetings = met;
  if (!shares || !measuring || !isConclusive())
    return;
  measuring = false;
  ControlMessage message;
  message.kind = ControlMessage::Kind::Measured;
  message.plan = planKey;
  message.direct = directSeconds;
  message.shared = times.typical();
  tell(std::move(message));
}

/// Just after the switch most executions may take long, because ranks are not in step yet.
bool LearnedExchange::isConclusive() const {
  return times.undisturbed() >= enoughMeasured ||
         executions >= first + notMeasured() + mostMeasured - beforeMeasured ||
         (times.count() >= fewMeasured && times.least() > largeLoss * directSeconds);
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
  if (++equal == 1)
    meetingsBefore = learning()->expectedMeetings();
  const std::uint64_t past = executions - executionsBefore;
  if (equal >= std::max(needed, past / longestPast) && (asked || isWorthProposing()))
    propose();
}

/// While the ranks only watch, a proposal and what follows take time that the program as written
/// does not take: then many messages must have been the same first.
bool LearnedExchange::isWorthProposing() const {
  if (lastCount <= fewMessages || !exchange::isWatching() || !learning()->measures)
    return lastCount > fewMessages;
  const auto ranks = static_cast<std::uint64_t>(learning()->ranks);
  return equal * lastCount >= worthProposing * ranks || equal >= ranks / fewAmongMany;
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
  proposedAt = executions;
  proposedSum = lastSum;
  proposedCount = lastCount;
  relearn();
  tell(std::move(message));
}

/// The proposal no longer holds, and routes that rest on it stop. Routes that are not shared yet
/// stay, because other members may not have all of them yet. The leader hears of this and decides
/// what comes next.
void LearnedExchange::change(Change why) {
  if (!proposed)
    return;
  proposed = false;
  needed = std::min(2 * needed, mostNeeded);
  relearn();
  ControlMessage message;
  message.kind = ControlMessage::Kind::Changed;
  message.number = proposal;
  message.change = why;
  tell(std::move(message));
  if (shares) {
    stopRoutes();
    stopOtherTurns(why);
  }
}

/// If ranks have executed the loop unequally often, messages of every turn wait in vain.
void LearnedExchange::stopOtherTurns(Change why) {
  if (key.turns == 1 || (why != Change::LateRanks && why != Change::OutOfTurn))
    return;
  unsuitable |= ++timesOutOfTurn == mostTimesOutOfTurn;
  for (LearnedExchange *other : patterns->ofTurn)
    if (other != this)
      other->change(Change::OutOfTurn);
}

void LearnedExchange::takePlan(const ControlMessage &plan) {
  learning()->noteNews();
  stopRoutes();
  planKey = plan.plan;
  planBasis = plan.number;
  try {
    SharedExchange known;
    known.stages = plan.stages;
    ByteReader in(plan.part, "a plan of SENDWRIGHT_ADAPT");
    std::vector<RankExchange> parts = decodeParts(in, learning()->ranks, learning()->rank, {known});
    if (!parts.empty()) {
      routes.plan = planKey;
      routes.part = std::make_unique<RankExchange>(std::move(parts.front()));
      routes.routes = learning()->makeRoutes(*this, *routes.part, planKey);
      learning()->begin(planKey, *this);
    }
  } catch (const FormatError &error) {
    sayOnce("%s", error.what()); // the others stop when they have waited for this rank
  }
}

void LearnedExchange::install(const ControlMessage &plan) {
  takePlan(plan);
  ControlMessage ready;
  ready.kind = ControlMessage::Kind::Ready;
  ready.plan = planKey;
  ready.number = executions;
  ready.calls = learning()->worldCalls.begun();
  tell(std::move(ready));
}

void LearnedExchange::share(const ControlMessage &switching) {
  if (switching.plan == planKey && planKey != 0) // otherwise it stopped before
    shareFrom(switching.number);
}

void LearnedExchange::shareAtCut(const ControlMessage &plan) {
  takePlan(plan);
  shareFrom(executions);
}

void LearnedExchange::shareFrom(std::uint64_t execution) {
  if (!proposed || proposal != planBasis) {
    stopRoutes(); // it changed before
    return;
  }
  first = execution;
  shares = true;
  ++loop.sharing;
  ++learning()->exchangesThatShare;
  directSeconds = times.typical();
  times.clear();
  measuring = true;
  if (routes.routes)
    routes.routes->forEachOwn([this](const SharedMessage &message, const exchange::FirstHop &hop) {
      communicator.addRoute(message, hop);
    });
  catchUp();
}

void LearnedExchange::stop(const ControlMessage &stopping) {
  if (stopping.plan != planKey || planKey == 0)
    return;
  if (proposed && proposal == planBasis) {
    proposed = false;
    needed = std::min(2 * needed, mostNeeded);
    if (stopping.change == Change::NoGain)
      needed = std::max(needed, neededAfterLoss);
    relearn();
  }
  const bool shared = shares;
  stopRoutes();
  if (shared)
    stopOtherTurns(stopping.change);
}

void LearnedExchange::stopRoutes() {
  planKey = 0;
  if (shares) {
    --loop.sharing;
    --learning()->exchangesThatShare;
    times.clear();
  }
  shares = false;
  if (!routes.routes)
    return;
  exchange::Routes &old = *routes.routes;
  old.forEachOwn([this](const SharedMessage &message, const exchange::FirstHop &hop) {
    communicator.removeRoute(message, hop);
  });
  if (loop.site.taker == &old)
    loop.site.taker = nullptr;
  learning()->retire(std::move(routes));
  routes = {};
}

void LearnedExchange::combined(int source, int stage, std::uint64_t number,
                               std::span<std::byte> message) {
  if (!routes.routes->arrive(source, stage, number, message))
    return;
  // A peer has stopped. It heard so from the leader, or has told the leader.
  ControlMessage stopping;
  stopping.plan = planKey;
  stop(stopping);
}

void LearnedExchange::stopIfLate(double limit, double now) {
  if (shares && routes.routes && routes.routes->holdsLongerThan(limit, now))
    change(Change::LateRanks);
}

void LearnedExchange::leave() {
  change(Change::OtherMessages);
  unsuitable = true;
}

void LearnedExchange::giveUp() {
  change(Change::CommunicatorFreed);
  unsuitable = givenUp = true;
}

} // namespace sendwright::adaptation
