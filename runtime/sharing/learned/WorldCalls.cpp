// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/WorldCalls.h"

#include "runtime/sharing/learned/Learning.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>

namespace sendwright::adaptation {

namespace {

constexpr const char *enteredCall = "a collective";
constexpr std::size_t numbersOfPlan = 4;

/// With as many executions for each call, a meeting before each costs little; and loops without
/// calls can begin to share at once.
constexpr std::int64_t manyExecutions = 4;

/// Meetings of all ranks then cost less than the waits of one.
constexpr int mostUntoldWaits = 4;

} // namespace

bool WorldCalls::meetsNext() const {
  return meetsForGood || pairsLeave || (plans.empty() ? quiet.meetsNext() : expected.meetsNext());
}

void WorldCalls::enter(MPI_Comm communicator) {
  come();
  noteExecutions();
  if (!meetsNext())
    enterAlone();
  else
    meet(communicator);
  ++calls;
  setLimits();
}

void WorldCalls::restart() {
  quiet = {};
  anyMessages = false;
  executions = 0;
  callsAtMeeting = calls;
}

void WorldCalls::startWith(std::uint64_t plan, const std::vector<std::uint64_t> &instances) {
  known.insert(plan);
  plans.clear();
  addPatterns(plan);
  expected = ExpectedInstances(plans.size());
  std::vector<ExpectedInstances::Counts> steps;
  steps.reserve(instances.size());
  for (const std::uint64_t number : instances)
    steps.push_back({number});
  if (plans.size() == 1)
    expected.begin(steps);
  made = {};
  deviationsBefore = deviations();
}

void WorldCalls::end() {
  if (arrivals)
    arrivals->end();
  arrivals.reset();
}

void WorldCalls::come() {
  if (!arrivals)
    return;
  ControlMessage message;
  message.kind = ControlMessage::Kind::Arrived;
  for (const int rank : arrivals->come(calls + 1))
    learning.tell(rank, message);
}

/// What arrives meanwhile must not be taken for something that arrives before the call after this
/// one: it counts as passed at the end alone.
void WorldCalls::enterAlone() {
  if (!plans.empty())
    keepPromise();
  if (hasUntold())
    awaitOthers();
  learning.sharing.collectiveEntry().lendReceives();
  if (plans.empty())
    quiet.pass();
  else
    expected.pass();
}

/// Whether senders may wait for messages of which this rank cannot tell whether they are received.
bool WorldCalls::hasUntold() const {
  bool any = false;
  learning.sharing.communicators().forEach(
      [&](const exchange::SharedCommunicator &one) { any |= one.hasUntold(); });
  return any;
}

void WorldCalls::awaitOthers() {
  exchange::waitUntil([this] { return !hasUntold() || arrivals->haveAllCome(calls + 1); },
                      [] { return exchange::waitingIn(enteredCall); }, true);
  arrivals->endWait();
  if (++untoldWaits >= mostUntoldWaits)
    learning.sharing.noteReasonToMeet();
}

void WorldCalls::keepPromise() {
  for (std::size_t index = 0; index < plans.size(); ++index)
    if (exchange::Routes *one = learning.routesOf(plans[index]); one && !one->stopped())
      one->contributeUpTo(expected.beforeNext(index));
  if (!isKept())
    exchange::waitUntil([this] { return isKept(); },
                        [] { return exchange::waitingIn(enteredCall); }, true);
  alignExecutions();
}

void WorldCalls::noteExecutions() {
  std::vector<std::int64_t> executions;
  executions.reserve(plans.size());
  for (const std::uint64_t plan : plans)
    executions.push_back(learning.executionsByRoutes(plan));
  made.note(std::move(executions));
}

/// All ranks have begun equally many instances, and come to the same call: what each executes next
/// is the next instance, also where some were contributed empty, or executed and not shared.
void WorldCalls::alignExecutions() {
  for (const std::uint64_t plan : plans)
    learning.alignExecutions(plan);
}

bool WorldCalls::isKept() const {
  for (std::size_t index = 0; index < plans.size(); ++index)
    if (const exchange::Routes *one = learning.routesOf(plans[index]);
        one && !one->hasPassedOn(expected.beforeNext(index)))
      return false;
  return true;
}

/// Instances that this rank left out or could not capture, so far.
std::uint64_t WorldCalls::deviations() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t plan : plans)
    if (const exchange::Routes *one = learning.routesOf(plan))
      sum += one->deviations();
  return sum;
}

/// Makes progress until all ranks are here.
WorldCalls::Agreed WorldCalls::agree(MPI_Comm communicator) {
  std::vector<std::int64_t> said(numbersOfPlan * plans.size(), exchange::saidNothing);
  for (std::size_t index = 0; index < plans.size(); ++index) {
    exchange::Routes *one = learning.routesOf(plans[index]);
    std::int64_t *of = &said[numbersOfPlan * index];
    of[2] = one && !one->stopped(); // runs here
    of[3] = one && one->stopped();  // has stopped here
    if (!of[2] || !one->hasOwn())
      continue;
    one->close();
    of[0] = static_cast<std::int64_t>(one->instancesBegun());
    of[1] = -of[0];
  }
  const std::uint64_t largestHeard = heard.empty() ? 0 : *heard.rbegin();
  meetsForGood |= learning.sharing.hasReasonToMeet();
  said.push_back(static_cast<std::int64_t>(std::max(largestHeard, learning.pendingPlan())));
  said.push_back(deviations() != deviationsBefore);
  said.push_back(anyMessages);
  said.push_back(!learning.hasNothingToDo());
  said.push_back(meetsForGood);
  said.push_back(executions);
  said.push_back(learning.sharing.isLeaving());
  said.push_back(exchange::placeOfArrivals());
  const auto counted = static_cast<std::int64_t>(learning.executionsByTurns() >> 1);
  said.push_back(counted);
  said.push_back(-counted);
  exchange::agreeOnLargest(communicator, said, enteredCall);

  Agreed agreed;
  const std::int64_t *rest = &said[numbersOfPlan * plans.size()];
  agreed.isEven = true;
  for (std::size_t index = 0; index < plans.size(); ++index) {
    const std::int64_t *of = &said[numbersOfPlan * index];
    agreed.running.push_back(of[2] != 0);
    agreed.counts.push_back(of[0] == exchange::saidNothing ? 0 : static_cast<std::uint64_t>(of[0]));
    agreed.isEven &= exchange::saidTheSame(of[0], of[1]) && of[3] == 0;
  }
  agreed.asExpected = agreed.isEven && rest[1] == 0;
  agreed.newest = static_cast<std::uint64_t>(rest[0]);
  const auto between = static_cast<std::int64_t>(calls - callsAtMeeting) + 1;
  agreed.manyCalls = rest[2] != 0 && rest[5] < manyExecutions * between;
  agreed.isQuiet = rest[3] == 0;
  meetsForGood = rest[4] != 0;
  pairsLeave = rest[6] != 0;
  agreed.place = rest[7];
  learning.noteTurns(rest[8] == -rest[9]);
  return agreed;
}

/// Returns whether there were any.
bool WorldCalls::removeStopped(Agreed &agreed) {
  std::size_t kept = 0;
  for (std::size_t index = 0; index < plans.size(); ++index)
    if (agreed.running[index]) {
      plans[kept] = plans[index];
      agreed.counts[kept++] = agreed.counts[index];
    }
  const bool any = kept != plans.size();
  plans.resize(kept);
  agreed.counts.resize(kept);
  return any;
}

/// All ranks are here. Waits until this rank has heard that the plan is in use.
void WorldCalls::welcome(std::uint64_t plan) {
  learning.switchTo(plan);
  exchange::waitUntil([&] { return heard.contains(plan); },
                      [] { return exchange::waitingIn(enteredCall); }, true);
  heard.erase(plan);
  addPatterns(plan);
}

void WorldCalls::addPatterns(std::uint64_t plan) {
  for (std::size_t pattern = 0; pattern < patternsOfPlan(plan); ++pattern)
    plans.push_back(planOfPattern(plan, pattern));
}

void WorldCalls::takeOver(MPI_Comm communicator, const Agreed &agreed) {
  if (agreed.isEven && !agreed.asExpected)
    expected.agree(agreed.counts, made.agree(communicator, expected.passedCalls() + 1));
  else
    expected.agree(agreed.counts, agreed.asExpected);
  if (agreed.isEven)
    alignExecutions();
}

void WorldCalls::meet(MPI_Comm communicator) {
  bool hasChanged = false;
  isMeeting = true;
  Agreed agreed = agree(communicator);
  while (agreed.newest != 0) {
    welcome(agreed.newest);
    hasChanged = true;
    agreed = agree(communicator);
  }
  ++meetingCount;
  if (agreed.isQuiet && learning.returnsToWatching(communicator)) {
    isMeeting = false;
    return;
  }
  hasChanged |= removeStopped(agreed);
  if (hasChanged) {
    made = {};
    expected = ExpectedInstances(plans.size());
    quiet = {};
  }
  if (plans.empty() && !quiet.meetsNext())
    quiet.pass(); // the reason was another
  else if (plans.empty())
    quiet.meet(agreed.manyCalls);
  else
    takeOver(communicator, agreed);
  isMeeting = false; // until here a plan that becomes ready waits for the next meeting
  made.forget();
  if (hasChanged)
    noteExecutions();
  deviationsBefore = deviations();
  anyMessages = false;
  executions = 0;
  callsAtMeeting = calls;
  if (!arrivals && !meetsNext()) {
    arrivals = exchange::beginArrivals(agreed.place);
    meetsForGood |= !arrivals;
  }
}

/// What a rank begins beyond the promised instances is not captured.
void WorldCalls::setLimits() {
  for (std::size_t index = 0; index < plans.size(); ++index)
    if (exchange::Routes *one = learning.routesOf(plans[index]))
      one->expectUpTo(meetsNext() ? ExpectedInstances::anyNumber : expected.beforeNext(index));
}

} // namespace sendwright::adaptation
