// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of learning, and how messages between ranks reach it.

#include "runtime/sharing/learned/Adaptation.h"

#include "analysis/file/FormatError.h"
#include "runtime/base/LearningSetting.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/recording/Marks.h"
#include "runtime/sharing/learned/DeferrableSites.h"
#include "runtime/sharing/learned/Learning.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace sendwright::adaptation {

namespace {

/// After this many collective calls in which nothing was learned, ranks only watch again. A loop
/// should be executed several times in them.
constexpr std::uint64_t quietCalls = 12;

/// Collective. Known sites stay, because sites point to them.
void forget() {
  learning()->worldCalls.end();
  process.leave(LayerPlace::Learning);
  exchange::messageSharing()->follow(nullptr);
  process.leave(LayerPlace::MarkedScopes);
  process.leave(LayerPlace::LearnedScopes);
}

} // namespace

Learning::Learning(exchange::MessageSharing &sharing, Machine machine)
    : sharing(sharing), machine(std::move(machine)), measures(measuresWhatIsLearned()),
      deferrable(deferrableSites()) {
  rank = rankIn(MPI_COMM_WORLD);
  ranks = ranksIn(MPI_COMM_WORLD);
}

void Learning::listen() {
  using exchange::Record;
  sharing.link().listen(
      MPI_ANY_SOURCE, exchange::controlKind,
      [this](int source, std::uint64_t, std::span<std::byte> message) {
        hear(source, {reinterpret_cast<const char *>(message.data()), message.size()});
      },
      exchange::Link::Order::AsSent);
  sharing.link().listen(MPI_ANY_SOURCE, exchange::learnedKind,
                        [this](int source, std::uint64_t number, std::span<std::byte> message) {
                          combined(source, number, message);
                        });
}

void Learning::tell(int to, const ControlMessage &message) {
  if (!finishing)
    tell(to, encodeControl(message));
}

void Learning::tell(int to, const std::string &bytes) {
  if (finishing)
    return;
  std::vector<std::byte> buffer = sharing.link().buffer();
  const auto *begin = reinterpret_cast<const std::byte *>(bytes.data());
  buffer.insert(buffer.end(), begin, begin + bytes.size());
  sharing.link().send(to, exchange::controlKind, 0, std::move(buffer));
}

void Learning::hear(int source, std::string_view bytes) {
  try {
    const ControlMessage message = decodeControl(bytes, ranks);
    if (message.kind == ControlMessage::Kind::Say)
      sayOnce("%s", message.text.c_str());
    else if (!finishing)
      hearMember(source, message);
  } catch (const FormatError &error) {
    sayOnce("%s", error.what());
  }
}

void Learning::hearMember(int source, const ControlMessage &message) {
  using Kind = ControlMessage::Kind;
  switch (message.kind) {
  case Kind::Arrived:
  case Kind::Say:
    return;
  case Kind::Gathered:
  case Kind::Spread:
    return tree.hear(message);
  case Kind::Move:
  case Kind::AtCut:
  case Kind::Answer:
    return crossing.hear(source, message);
  case Kind::Propose:
    hearOfTurns(source, message);
    [[fallthrough]];
  case Kind::ProposePatterns:
    leaders.try_emplace(message.key, message.key).first->second.propose(source, message);
    return;
  case Kind::Changed: // may come before the proposal, which came by way of others
    if (communicator(message.key))
      leaders.try_emplace(message.key, message.key);
    [[fallthrough]];
  case Kind::Ready:
  case Kind::Measured:
    if (const auto leader = leaders.find(message.key); leader != leaders.end())
      hearFor(leader->second, source, message);
    return;
  case Kind::Ask:
    hearOfTurns(source, message);
    break;
  case Kind::Switch:
    worldCalls.noteSwitch(message.plan);
    break;
  case Kind::Stop:
    if (crossing.waitsForAnswer())
      return keptStops.push_back(message);
    break;
  case Kind::AskPatterns:
  case Kind::Plan:
    break;
  }
  if (const auto found = exchanges.find(message.key); found != exchanges.end())
    hearFor(*found->second, message);
  else if (message.kind == Kind::Plan)
    answerWithoutExchange(source, message);
}

void Learning::hearFor(Leader &leader, int source, const ControlMessage &message) {
  if (message.kind == ControlMessage::Kind::Ready)
    leader.ready(message);
  else if (message.kind == ControlMessage::Kind::Changed)
    leader.changed(source, message);
  else
    leader.measured(source, message);
}

/// What its leader says.
void Learning::hearFor(LearnedExchange &exchange, const ControlMessage &message) {
  using Kind = ControlMessage::Kind;
  if (message.kind == Kind::Plan)
    return exchange.install(message);
  if (message.kind == Kind::Ask)
    return exchange.ask();
  if (message.kind == Kind::AskPatterns)
    return exchange.askForPatterns();
  if (message.kind == Kind::Switch)
    return exchange.share(message);
  if (message.change == Change::LateRanks)
    doubleWaitLimit();
  exchange.stop(message);
}

/// This rank is no member, or has freed the communicator: the plan does not wait for it.
void Learning::answerWithoutExchange(int leader, const ControlMessage &plan) {
  ControlMessage answer;
  answer.kind = ControlMessage::Kind::Ready;
  answer.key = plan.key;
  answer.plan = plan.plan;
  answer.calls = worldCalls.begun();
  tell(leader, answer);
}

/// A combined message: its key, whose low 16 bits are the stage, and records.
void Learning::combined(int source, std::uint64_t number, std::span<std::byte> message) {
  if (finishing)
    return; // no rank waits for its contents, and nothing may be sent on
  if (crossing.waitsForAnswer()) {
    keptCombined.push_back({source, number, {message.begin(), message.end()}});
    return;
  }
  std::uint64_t word = 0;
  std::memcpy(&word, message.data(), sizeof word);
  message = message.subspan(sizeof word);
  const int stage = static_cast<int>(word & 0xffff);
  const std::uint64_t plan = word & ~std::uint64_t(0xffff);
  if (const auto found = active.find(plan); found != active.end())
    return found->second->combined(plan, source, stage, number, message);
  for (LearnedRoutes &old : retired)
    if (old.plan == plan) {
      old.routes->arrive(source, stage, number, message);
      return;
    }
}

const Communicator *Learning::communicator(const ExchangeKey &key) const {
  return sharing.communicators().identityOf(key.communicator);
}

std::string Learning::nameOf(const ExchangeKey &key) const {
  const auto found = exchanges.find(key);
  if (found == exchanges.end())
    return "an exchange";
  const std::string &name = found->second->loop.site.name;
  return key.turns == 1 ? name
                        : name + ", pattern " + std::to_string(key.turn + 1) + " of " +
                              std::to_string(key.turns);
}

std::uint64_t Learning::nextPlan(std::size_t patterns) {
  return planNumber(rank, ++plans, patterns);
}

exchange::Routes *Learning::routesOf(std::uint64_t plan) const {
  if (const auto found = active.find(plan); found != active.end())
    return found->second->routesOf(plan);
  for (const LearnedRoutes &old : retired)
    if (old.plan == plan)
      return old.routes.get();
  return nullptr;
}

std::int64_t Learning::executionsByRoutes(std::uint64_t plan) const {
  const auto found = active.find(plan);
  const SharedPattern *of = found == active.end() ? nullptr : found->second->sharedBy(plan);
  return of ? static_cast<std::int64_t>(of->executions) : exchange::ExecutionsBetweenCalls::unknown;
}

void Learning::alignExecutions(std::uint64_t plan) {
  if (const auto found = active.find(plan); found != active.end())
    found->second->alignExecutions(plan);
}

std::uint64_t Learning::pendingPlan() const {
  std::uint64_t most = 0;
  for (const auto &[key, leader] : leaders)
    most = std::max(most, leader.pendingPlan());
  return most;
}

/// The other ranks wait for the message even if the leader has changed its mind meanwhile.
void Learning::switchTo(std::uint64_t plan) {
  for (auto &[key, leader] : leaders)
    if (leader.pendingPlan() == plan)
      return leader.sendSwitch();
  if (ownerOfPlan(plan) != rank || switched.contains(plan))
    return;
  noteSwitched(plan);
  ControlMessage message;
  message.kind = ControlMessage::Kind::Switch;
  message.plan = plan;
  for (int member = 0; member < ranks; ++member)
    tell(member, message);
}

bool Learning::knows(const ExchangeKey &key) const { return exchanges.contains(key); }

void Learning::noteExecution(const ExchangeKey &key, bool isEarly) {
  if (const auto leader = leaders.find(key); leader != leaders.end())
    leader->second.noteExecution(isEarly);
}

std::uint64_t Learning::executionsOf(const ExchangeKey &key, std::uint32_t pattern) const {
  const auto found = exchanges.find(key);
  return found == exchanges.end() ? 0 : found->second->executionsSoFar(pattern);
}

std::vector<std::uint64_t> Learning::executionsOfPatterns(const ExchangeKey &key) const {
  const auto found = exchanges.find(key);
  return found == exchanges.end() ? std::vector<std::uint64_t>()
                                  : found->second->executionsOfPatterns();
}

std::vector<std::uint64_t> Learning::executionsBeforeCalls(const ExchangeKey &key) const {
  const auto found = exchanges.find(key);
  return found == exchanges.end() ? std::vector<std::uint64_t>()
                                  : found->second->executionsBeforeCalls();
}

double Learning::secondsOf(const ExchangeKey &key) const {
  const auto found = exchanges.find(key);
  return found == exchanges.end() ? 0 : found->second->seconds();
}

std::unique_ptr<exchange::Routes> Learning::makeRoutes(const LearnedExchange &exchange,
                                                       const RankExchange &part,
                                                       std::uint64_t plan) {
  exchange::SharedCommunicator &communicator = exchange.communicator;
  auto made = std::make_unique<exchange::Routes>(
      part, rank, sharing.link(), exchange::RouteKinds{exchange::learnedKind, 0, plan},
      exchange.loop.site.name,
      [&communicator](int source, const exchange::Record &record,
                      std::span<const std::byte> bytes) {
        communicator.arrived(source, record, bytes);
      },
      [this, &communicator](int source, int destination, const exchange::Record &record,
                            std::span<const std::byte> bytes) {
        sharing.sendStraight(source, destination, communicator.index, record, bytes);
      });
  made->communicator = &communicator;
  return made;
}

void Learning::retire(LearnedRoutes old) {
  active.erase(old.plan);
  old.routes->stop();
  retired.push_back(std::move(old));
}

void Learning::lookAfter() {
  if (finishing || ++turns % 32 != 0)
    return;
  retired.remove_if([](const LearnedRoutes &old) { return old.routes->finished(); });
  if (active.empty())
    return;
  const double now = PMPI_Wtime();
  std::vector<LearnedExchange *> looked; // an exchange that stops leaves the list
  looked.reserve(active.size());
  for (const auto &[plan, exchange] : active)
    looked.push_back(exchange);
  for (LearnedExchange *exchange : looked)
    exchange->stopIfLate(waitLimit, now);
}

/// An exchange whose routes are not shared yet waits for its leader's message; others leave at
/// once.
void Learning::drop(exchange::SharedCommunicator &communicator) {
  std::erase_if(exchanges, [](const auto &entry) {
    return entry.second->communicator.handle == MPI_COMM_NULL && entry.second->isGivenUp() &&
           !entry.second->hasRoutes();
  });
  for (int depth = 0; depth < marks.depth; ++depth)
    if (Execution &execution = executions[depth];
        execution.exchange && &execution.exchange->communicator == &communicator) {
      execution.exchange = nullptr;
      execution.irregular = true;
    }
  for (auto entry = exchanges.begin(); entry != exchanges.end();) {
    LearnedExchange &exchange = *entry->second;
    if (&exchange.communicator != &communicator) {
      ++entry;
      continue;
    }
    exchange.giveUp();
    if (exchange.loop.last == exchange.patterns.get())
      exchange.loop.last = nullptr;
    entry = exchange.hasRoutes() ? std::next(entry) : exchanges.erase(entry);
  }
  std::erase_if(patterns,
                [&](const auto &entry) { return &entry.second->communicator == &communicator; });
  tree.drop(communicator.index);
  for (auto &[key, leader] : leaders)
    if (key.communicator == communicator.index)
      leader.giveUp();
  std::erase_if(leaders, [](const auto &entry) { return entry.second.isOver(); });
}

bool Learning::uses(const exchange::SharedCommunicator &communicator) const {
  return std::any_of(
             exchanges.begin(), exchanges.end(),
             [&](const auto &entry) { return &entry.second->communicator == &communicator; }) ||
         std::any_of(retired.begin(), retired.end(), [&](const LearnedRoutes &old) {
           return old.routes->communicator == &communicator;
         });
}

bool Learning::hasNothingToDo() const {
  return collectiveCalls - newsAt >= quietCalls && !hasRoutes() && worldCalls.sharesNothing() &&
         sharing.isIdle() && std::none_of(leaders.begin(), leaders.end(), [](const auto &entry) {
           return entry.second.isBusy() || entry.second.wantsToShare();
         });
}

/// Once more after everything sent has arrived: something may have been news, or may have no
/// receive yet.
bool Learning::returnsToWatching(MPI_Comm communicator) {
  if (!exchange::allAgree(communicator, isDrained(), "a collective")) {
    noteNews();
    return false;
  }
  if (sharing.communicators().haveLeft())
    sharing.watchedTraffic().lose(); // MPI may still carry what was not counted
  sharing.watch();
  watchMeetings.restart(worldCalls.begun());
  if (rank == 0)
    std::fprintf(stderr, "sendwright: nothing is shared: all messages go directly to MPI again\n");
  return true;
}

bool Learning::isDrained() {
  const std::vector<std::uint64_t> sent = sharing.link().messagesSent();
  sharing.takeInAll("a collective");
  return hasNothingToDo() && sent == sharing.link().messagesSent();
}

/// SMPI needs no rank to take in what others have said, but ends a run in which a rank says
/// something to one that has left.
void Learning::leaveSimulation() {
  if (!hasCarried()) {
    const std::vector<std::uint64_t> &told = sharing.link().messagesSent();
    std::vector<std::int64_t> anyTold{std::ranges::any_of(told, [](auto count) { return count; })};
    exchange::agreeOnLargest(MPI_COMM_WORLD, anyTold, "MPI_Finalize");
    if (!anyTold.front())
      return;
  }
  finishing = true;
  exchange::waitForMembers(MPI_COMM_WORLD, "MPI_Finalize");
}

void Learning::end() {
  if (isSimulated)
    leaveSimulation();
  finishing = true;
  if (!isSimulated)
    sharing.takeInAll("MPI_Finalize");
  forget();
}

/// The same on all its members.
bool Learning::hasAllRanks(MPI_Comm communicator) {
  if (communicator == MPI_COMM_WORLD)
    return true;
  const exchange::SharedCommunicator *known = sharing.communicators().find(communicator);
  return known && known->identity.members.size() == static_cast<std::size_t>(ranks);
}

bool Learning::meet(MPI_Comm communicator) {
  noteCollectiveCall(communicator);
  if (!hasAllRanks(communicator))
    return true;
  worldCalls.enter(communicator);
  return false;
}

} // namespace sendwright::adaptation
