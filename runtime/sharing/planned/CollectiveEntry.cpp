// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/CollectiveEntry.h"

#include "runtime/base/WorldRanks.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>
#include <iterator>

namespace sendwright::exchange {

namespace {

constexpr int meetingsBeforeChange = 4;

/// Adds a number and its negative: from the largest of each, members see whether all said the same
/// number.
void say(std::vector<std::int64_t> &said, std::uint64_t number) {
  said.push_back(static_cast<std::int64_t>(number));
  said.push_back(-static_cast<std::int64_t>(number));
}

} // namespace

CollectiveEntry::CollectiveEntry(std::deque<Routes> &routes, SharedCommunicators &communicators,
                                 const ReceiptNotices &notices, const SharedExchanges &plan)
    : routes(routes), communicators(communicators), notices(notices), recorded(plan.steps),
      exchanges(plan.exchanges.size()), expected(exchanges), fit(routes, exchanges) {}

void CollectiveEntry::addRanks(const std::vector<int> &ranks) {
  std::vector<int> sorted = ranks, all;
  std::ranges::sort(sorted);
  std::ranges::set_union(plannedRanks, sorted, std::back_inserter(all));
  plannedRanks = std::move(all);
}

/// Whether all ranks of the exchanges are members.
bool CollectiveEntry::covers(MPI_Comm communicator) {
  if (communicator == lastAsked)
    return lastCovers;
  int remote = 0;
  PMPI_Comm_test_inter(communicator, &remote);
  lastAsked = communicator;
  lastCovers = !remote && std::ranges::includes(sortedMembers(communicator), plannedRanks);
  return lastCovers;
}

std::vector<int> CollectiveEntry::sortedMembers(MPI_Comm communicator) const {
  std::vector<int> members = communicators.membersOf(communicator);
  std::ranges::sort(members);
  return members;
}

void CollectiveEntry::enter(MPI_Comm communicator) {
  if (!covers(communicator))
    return waitForMembers(communicator, "a collective");
  noteReasons();
  if (communicator == bound)
    noteExecutions();
  hasMet = communicator == MPI_COMM_WORLD && (communicator != bound || expected.meetsNext());
  if (communicator == bound && !expected.meetsNext())
    keepPromise();
  else
    meet(communicator);
  calls += communicator == bound ? 1 : 0;
  setLimits();
}

void CollectiveEntry::keepPromise() {
  ExpectedInstances::Counts counts(exchanges);
  for (std::size_t exchange = 0; exchange < exchanges; ++exchange)
    counts[exchange] = expected.beforeNext(exchange);
  contribute(counts);
  if (!isKept())
    waitUntil([this] { return isKept(); }, [] { return waitingIn("a collective"); }, true);
  expected.pass();
  lendReceives();
}

/// What comes to these receives now may make others come to the call. What has come already is
/// received first, so that less is told.
void CollectiveEntry::lendReceives() {
  bool isIdle = true;
  communicators.forEach([&](const SharedCommunicator &one) { isIdle = isIdle && one.idle(); });
  if (isIdle)
    return;
  progress();
  communicators.forEach([](SharedCommunicator &one) { one.lend(); });
}

/// A receive from any source that MPI serves is found here, and a synchronous send to one cannot be
/// told which message it gets.
void CollectiveEntry::noteReasons() {
  communicators.forEach([this](const SharedCommunicator &one) {
    meetsForGood = meetsForGood || one.probes() || one.metAnySource();
  });
}

bool CollectiveEntry::isKept() const {
  return std::ranges::all_of(routes, [&](const Routes &one) {
    return one.hasPassedOn(expected.beforeNext(one.exchange()));
  });
}

/// Contributes empty instances to those of others.
void CollectiveEntry::contribute(const ExpectedInstances::Counts &counts) {
  for (Routes &one : routes)
    one.contributeUpTo(counts[one.exchange()]);
}

/// The sum of a number over this rank's parts of the exchanges.
std::uint64_t CollectiveEntry::total(std::uint64_t (Routes::*number)() const) const {
  std::uint64_t sum = 0;
  for (const Routes &one : routes)
    sum += (one.*number)();
  return sum;
}

CollectiveEntry::Agreed CollectiveEntry::agree(MPI_Comm communicator) {
  std::vector<std::int64_t> said(2 * exchanges, saidNothing);
  for (Routes &one : routes) {
    if (!one.hasOwn())
      continue;
    one.close();
    said[2 * one.exchange()] = static_cast<std::int64_t>(one.instancesBegun());
    said[2 * one.exchange() + 1] = -said[2 * one.exchange()];
  }
  say(said, calls);
  say(said, choices);
  const std::uint64_t releases = total(&Routes::releases);
  said.push_back(static_cast<std::int64_t>(releases - releasesTold));
  releasesTold = releases; // more may follow during the meeting
  said.push_back(static_cast<std::int64_t>(reasonsToMeet));
  said.push_back(static_cast<std::int64_t>(total(&Routes::deviations) - deviationsBefore));
  said.push_back(fit.doubts());
  agreeOnLargest(communicator, said, "a collective");

  Agreed agreed;
  bool even = true;
  for (std::size_t exchange = 0; exchange < exchanges; ++exchange) {
    const std::int64_t largest = said[2 * exchange];
    even = even && saidTheSame(largest, said[2 * exchange + 1]);
    agreed.counts.push_back(largest == saidNothing ? 0 : static_cast<std::uint64_t>(largest));
  }
  const std::int64_t *rest = said.data() + 2 * exchanges;
  agreed.sameCalls = saidTheSame(rest[0], rest[1]) && saidTheSame(rest[2], rest[3]);
  agreed.isLate = !even && rest[4] != 0;
  agreed.isEven = even && rest[5] == 0;
  agreed.asExpected = agreed.isEven && rest[6] == 0;
  agreed.doubted = rest[7] != 0;
  return agreed;
}

void CollectiveEntry::meet(MPI_Comm communicator) {
  reasonsToMeet += meetsForGood || notices.awaitsAnnounced() ? 1 : 0;
  const Agreed agreed = agree(communicator);
  if (communicator != bound)
    return choose(communicator, agreed);
  reconsider(agreed);
  takeOver(agreed);
}

/// Numbers of instances that are expected may exceed those that can still begin.
void CollectiveEntry::reconsider(const Agreed &agreed) {
  if (bound != MPI_COMM_WORLD)
    return;
  if (!agreed.doubted)
    return fit.trust();
  const std::vector<std::size_t> more = fit.giveUpMisfits(agreed.counts, privateWorld);
  givenUp.insert(givenUp.end(), more.begin(), more.end());
  if (!more.empty())
    expected = ExpectedInstances(exchanges);
}

/// Ranks whose numbers differ may have the same instances at different times. But if messages have
/// waited for a rank with a lower number, it has left some out.
void CollectiveEntry::takeOver(const Agreed &agreed) {
  if (agreed.isLate)
    contribute(agreed.counts);
  if (agreed.isEven && !agreed.asExpected)
    expected.agree(agreed.counts, made.agree(bound, expected.passedCalls() + 1));
  else
    expected.agree(agreed.counts, agreed.asExpected);
  made.forget();
  deviationsBefore = total(&Routes::deviations);
  reasonsToMeet = 0;
}

void CollectiveEntry::noteExecutions() {
  std::vector<std::int64_t> executions(exchanges, ExecutionsBetweenCalls::unknown);
  for (const Routes &one : routes)
    if (one.hasOwn() && !one.isGivenUp())
      executions[one.exchange()] = static_cast<std::int64_t>(one.executions());
  made.note(std::move(executions));
}

/// All members are between the same two calls on `bound`, so all leave it at the same point; if the
/// communicator lacks one of its members, that would not hear of it.
void CollectiveEntry::choose(MPI_Comm communicator, const Agreed &agreed) {
  meetingsElsewhere = agreed.sameCalls && calls == callsAtMeeting ? meetingsElsewhere + 1 : 0;
  callsAtMeeting = calls;
  if (!agreed.sameCalls || (bound != MPI_COMM_NULL && meetingsElsewhere < meetingsBeforeChange))
    return;
  std::vector<int> members = sortedMembers(communicator);
  if (bound != MPI_COMM_NULL && !std::ranges::includes(members, boundMembers))
    return;
  boundMembers = std::move(members);
  bound = communicator;
  made = {};
  noteExecutions();
  ++choices;
  meetingsElsewhere = 0;
  calls = callsAtMeeting = 0;
  expected = ExpectedInstances(exchanges, &recorded);
  takeOver(agreed);
}

void CollectiveEntry::setLimits() {
  for (Routes &one : routes)
    one.expectUpTo(expected.beforeNext(one.exchange()));
}

/// All its members free it, each between the same two calls.
void CollectiveEntry::drop(MPI_Comm communicator) {
  if (communicator == lastAsked)
    lastAsked = MPI_COMM_NULL;
  if (communicator != bound)
    return;
  bound = MPI_COMM_NULL;
  ++choices;
  calls = callsAtMeeting = 0;
  expected = ExpectedInstances(exchanges);
  setLimits();
}

} // namespace sendwright::exchange
