// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/Crossing.h"

#include "runtime/base/WorldRanks.h"
#include "runtime/sharing/learned/Learning.h"
#include "runtime/sharing/planned/EnvelopeHash.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sendwright::adaptation {

namespace {

constexpr std::uint64_t mostAttempts = 4;
/// Patterns that did not belong together may do so later, when more is known.
constexpr std::uint64_t timesToNext = 8;
/// How long a rank waits at its cut before it asks: so many executions of the loop, or seconds. The
/// others should be there within a few executions.
constexpr double patience = 16;
constexpr double leastPatience = isSimulated ? 1e-4 : 1e-2, mostPatience = 0.05;

/// Executions that ranks may be apart from one another.
constexpr std::uint64_t apart = 2;

/// ControlMessage::number of a rank at its cut; 0: it refuses.
constexpr std::uint64_t counted = 1, countedAtBeginning = 2;

/// In place of a number of executions.
constexpr std::uint64_t notHeard = UINT64_MAX;

/// Marks a hash as that of a call.
constexpr int ofCall = -2;

/// What a member with that rank adds for its n-th call, so that the sum of all members is 0 if all
/// have made it.
std::uint64_t callHash(std::uint32_t communicator, std::uint64_t number, int rank, int size) {
  const std::uint64_t hash = exchange::envelopeHash(
      communicator, ofCall, static_cast<int>(number >> 31), static_cast<int>(number & 0x7fffffff));
  return rank == 0 ? hash * static_cast<std::uint64_t>(size - 1) : 0 - hash;
}

} // namespace

/// Calls of all ranks are known by their number.
std::uint64_t Crossing::sum() const {
  return learning.sharing.watchedTraffic().sum() + calls +
         callHash(0, learning.worldCalls.begun(), learning.rank, learning.ranks);
}

void Crossing::begin(const ExchangeKey &key, const ExecutionsOfCut &cut) {
  const std::uint32_t counted =
      cut.patterns.empty() ? 0
                           : cut.patterns.front().ofRanks[static_cast<std::size_t>(learning.rank)];
  const std::uint64_t executions = learning.executionsOf(key, counted);
  if (attempt || attempts >= mostAttempts || (counted != 0 && executions < notBefore) ||
      !learning.sharing.watchedTraffic().mayBeCounted())
    return;
  if (counted != 0)
    notBefore = timesToNext * executions;
  if (!learning.sharing.watchedTraffic().isCounted())
    atEndNext = false; // the execution has started persistent requests
  attempt = Attempt{};
  attempt->key = key;
  attempt->id = ++attempts;
  learning.sharing.serveWhileWatching(true);
  ControlMessage message;
  message.kind = ControlMessage::Kind::Move;
  message.key = key;
  message.attempt = attempt->id;
  message.atEnd = atEndNext;
  attempt->patterns = cut.patterns;
  const std::uint64_t heardAt = executions + apart + executionsToTellAll(key);
  const auto ofLoop = static_cast<std::uint64_t>(cut.ofLoop * static_cast<double>(heardAt));
  message.number = counted == 0 ? LearnedExchange::nextLook(heardAt) + 1
                                : heardAt + LearnedExchange::longestBetweenLooks(ofLoop) + 1;
  for (int member = 0; member < learning.ranks; ++member) {
    message.numbers.clear();
    for (const CommonPattern &pattern : cut.patterns)
      message.numbers.push_back(pattern.ofRanks[static_cast<std::size_t>(member)]);
    learning.tell(member, message);
  }
}

/// How often ranks execute the loop while the leader here tells all ranks something. The machine's
/// description may be wrong, so early attempts limit it.
std::uint64_t Crossing::executionsToTellAll(const ExchangeKey &key) const {
  const double most = 4 << attempts;
  const LinkParameters &link = learning.machine.between;
  const double seconds = learning.secondsOf(key);
  const double telling = link.L + learning.ranks * (link.o_send + link.o_recv);
  return seconds > 0 ? static_cast<std::uint64_t>(std::min(std::ceil(telling / seconds), most)) : 0;
}

void Crossing::giveUp() { answer(false); }

/// Ends the attempt, if there is one, and tells all ranks whether they cross.
void Crossing::answer(bool crosses) {
  if (!attempt)
    return;
  const Attempt of = *attempt;
  attempt.reset();
  send(crosses ? learning.planAtCut(&of.key) : std::vector<ControlMessage>(), of.id, crosses);
}

void Crossing::answerAtCall() { send(learning.planAtCut(nullptr), 0, true); }

void Crossing::send(std::vector<ControlMessage> answers, std::uint64_t id, bool crosses) {
  answers.resize(static_cast<std::size_t>(learning.ranks)); // or there is no plan
  for (int member = 0; member < learning.ranks; ++member) {
    ControlMessage &message = answers[static_cast<std::size_t>(member)];
    message.kind = ControlMessage::Kind::Answer;
    message.attempt = id;
    message.crosses = crosses;
  }
  if (crosses) // all ranks wait for the answer
    return learning.tree.spread(answers);
  for (int member = 0; member < learning.ranks; ++member)
    learning.tell(member, answers[static_cast<std::size_t>(member)]);
}

void Crossing::rest() {
  if (!attempt && !waits)
    learning.sharing.serveWhileWatching(false);
}

void Crossing::hear(int source, const ControlMessage &message) {
  if (message.kind == ControlMessage::Kind::Move)
    return accept(source, message);
  if (message.kind == ControlMessage::Kind::AtCut)
    return count(source, message);
  if (message.attempt == 0) {
    answeredAtCall = message;
    return;
  }
  if (!move || move->leader != source || move->id != message.attempt)
    return; // it refused
  if (waits)
    answered = message;
  else
    move.reset();
}

void Crossing::accept(int source, const ControlMessage &message) {
  const exchange::WatchedTraffic &traffic = learning.sharing.watchedTraffic();
  Move asked{source, message.attempt, message.key, message.number, {}, message.atEnd};
  for (const std::uint64_t own : message.numbers)
    asked.patterns.push_back(static_cast<std::uint32_t>(own));
  const std::uint64_t executions = learning.executionsOf(message.key, asked.counted());
  const bool comes = message.atEnd ? executions < message.number : executions <= message.number;
  if (!exchange::isWatching() || move || !comes || executions == 0 || !traffic.mayBeCounted() ||
      uncountedCalls)
    return refuse(source, message.attempt);
  move = std::move(asked);
}

/// A rank that refuses has no place; one that waits has said its sums, or that it has one at the
/// beginning of an execution alone.
void Crossing::count(int source, const ControlMessage &message) {
  if (!attempt || attempt->id != message.attempt)
    return;
  if (message.number == countedAtBeginning)
    atEndNext = false;
  if (message.number != counted || !agrees(*attempt, source, message.numbers))
    return answer(false);
  attempt->waiting.insert(source);
  attempt->sum += message.calls;
  attempt->otherSum += message.otherSum;
  if (attempt->waiting.size() < static_cast<std::size_t>(learning.ranks))
    return;
  if (attempt->sum != 0 && attempt->otherSum == 0)
    atEndNext = false;
  answer(attempt->sum == 0);
}

/// Whether the rank has executed its patterns as often as others theirs.
bool Crossing::agrees(Attempt &of, int source, const std::vector<std::uint64_t> &executions) {
  const std::size_t patterns = of.patterns.size();
  if (executions.size() != patterns)
    return false;
  of.executions.resize(patterns, notHeard);
  for (std::size_t index = 0; index < patterns; ++index) {
    std::uint64_t &known = of.executions[index];
    if (of.patterns[index].ofRanks[static_cast<std::size_t>(source)] == 0)
      continue;
    if (known != notHeard && known != executions[index])
      return false;
    known = executions[index];
  }
  return true;
}

void Crossing::refuse(int leader, std::uint64_t id) {
  ControlMessage message;
  message.kind = ControlMessage::Kind::AtCut;
  message.attempt = id;
  learning.tell(leader, message);
}

void Crossing::refuseAll() {
  giveUp();
  if (move && !waits)
    refuse(move->leader, move->id);
  move.reset();
}

bool Crossing::hasCome(const LearnedExchange &of) const {
  return move && of.executionsSoFar(move->counted()) >= move->execution;
}

void Crossing::atBeginning(const LearnedExchange &of) {
  if (!move || move->key != of.key)
    return;
  sumAtBeginning = sum();
  wasCountedAtBeginning = learning.sharing.watchedTraffic().isCounted();
  if (!move->atEnd && hasCome(of))
    waitAtCut();
}

void Crossing::atEnd(const LearnedExchange &of) {
  if (move && move->key == of.key && move->atEnd && hasCome(of))
    waitAtCut();
}

void Crossing::waitAtCut() {
  if (waits || !move)
    return;
  const Move asked = *move;
  ControlMessage message;
  message.kind = ControlMessage::Kind::AtCut;
  message.attempt = asked.id;
  const bool isCounted = learning.sharing.watchedTraffic().isCounted();
  if (!uncountedCalls && (isCounted || (asked.atEnd && wasCountedAtBeginning)))
    message.number = isCounted ? counted : countedAtBeginning;
  message.calls = sum();
  message.otherSum = sumAtBeginning;
  for (const std::uint32_t own : asked.patterns)
    message.numbers.push_back(own == 0 ? 0 : learning.executionsOf(asked.key, own));
  answered.reset();
  waits = true;
  message.key = asked.key;
  if (message.number == counted)
    learning.tree.gather(asked.leader, message);
  else
    learning.tell(asked.leader, message); // it answers at once
  const double since = PMPI_Wtime(), execution = learning.secondsOf(asked.key);
  const double limit =
      execution > 0 ? std::clamp(patience * execution, leastPatience, mostPatience) : mostPatience;
  bool hasRefused = false;
  const auto isAnswered = [&] {
    if (!hasRefused && PMPI_Wtime() - since > limit) {
      hasRefused = true;
      refuse(asked.leader, asked.id);
    }
    return answered.has_value();
  };
  learning.sharing.serveWhileWatching(true);
  exchange::waitUntil(isAnswered, [] { return exchange::waitingIn("a loop that learns"); });
  waits = false;
  move.reset();
  if (answered && answered->crosses)
    learning.carry(*answered);
  else
    rest();
}

/// All ranks have agreed that they cross, so the answer comes.
ControlMessage Crossing::awaitAnswerAtCall() {
  waits = true;
  learning.sharing.serveWhileWatching(true);
  exchange::waitUntil([this] { return answeredAtCall.has_value(); },
                      [] { return exchange::waitingIn("a collective"); });
  waits = false;
  move.reset();
  return std::exchange(answeredAtCall, std::nullopt).value_or(ControlMessage());
}

/// All ranks make the same calls of all ranks in the same order, so what is between two of them can
/// be counted from each on.
void Crossing::noteCall(MPI_Comm communicator) {
  giveUp();
  if (communicator != MPI_COMM_NULL && learning.hasAllRanks(communicator)) {
    calls = 0;
    numberOf.clear();
    uncountedCalls = false;
    return;
  }
  const exchange::SharedCommunicator *of =
      communicator == MPI_COMM_NULL ? nullptr : learning.sharing.communicators().find(communicator);
  if (!of) {
    uncountedCalls |= communicator == MPI_COMM_NULL || ranksIn(communicator) > 1;
    return;
  }
  calls += callHash(of->index, ++numberOf[of->index], of->rank(),
                    static_cast<int>(of->identity.members.size()));
}

} // namespace sendwright::adaptation
