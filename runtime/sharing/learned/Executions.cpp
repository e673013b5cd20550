// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marked loops that the program is in, and the loop to which each message belongs. A loop whose
// messages are shared also gets a batch, which knows at which calls captured messages must leave,
// and what to do if a jump leaves a scope.

#include "analysis/file/Hashing.h"
#include "runtime/base/InstantiationCache.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/sharing/learned/Learning.h"

#include <numeric>

namespace sendwright::adaptation {

namespace {

constexpr std::uint64_t mostShared = 64 << 20; ///< bytes of an execution at a rank; more would
                                               ///< fill other ranks' memory

} // namespace

/// What sendwright_site.state points to, forever.
struct Learning::KnownSite {
  MarkedLoop *plain = nullptr; ///< outside of templates
  InstantiationCache<MarkedLoop *> instances;
};

MarkedLoop &Learning::loopOf(sendwright_site &site, const char *function) {
  if (!site.state)
    site.state = new KnownSite;
  KnownSite &known = *static_cast<KnownSite *>(site.state);
  const auto make = [&](std::string instantiation) {
    SiteIdentity identity = identityOf(site);
    identity.instantiation = std::move(instantiation);
    MarkedLoop &made = loops.emplace_back();
    made.digest = digestOf(identity);
    made.deferrable = deferrable.contains(&site);
    made.isBlock = made.deferrable && (site.flags & SENDWRIGHT_SITE_BLOCK);
    made.site.name = identity.display();
    return &made;
  };
  if (function)
    return *known.instances.get(function, make);
  if (!known.plain)
    known.plain = make("");
  return *known.plain;
}

MarkedLoop &Learning::loopOf(const PlannedSite &site) {
  MarkedLoop *&known = ofPlan[&site];
  if (!known) {
    known = &loops.emplace_back();
    known->digest = site.learnedAs;
    known->deferrable = true; // or the plugin would not have rewritten it
    known->site.name = site.name;
  }
  return *known;
}

LoopPatterns &Learning::patternsOf(MarkedLoop &loop, exchange::SharedCommunicator &communicator) {
  if (loop.last && &loop.last->communicator == &communicator)
    return *loop.last;
  std::shared_ptr<LoopPatterns> &known = patterns[{loop.digest, communicator.index}];
  if (!known) {
    known = std::make_shared<LoopPatterns>(loop, communicator);
    makeExchanges(known);
  }
  loop.last = known.get();
  return *known;
}

/// One for the loop, and one for each turn if there are several, in place of those for fewer turns.
void Learning::makeExchanges(const std::shared_ptr<LoopPatterns> &of) {
  for (LearnedExchange *old : of->ofTurn)
    old->leave();
  if (of->whole)
    of->whole->leave();
  of->ofTurn.clear();
  tree.passOnAll(of->loop.digest, of->communicator.index);
  const std::vector<int> &members = of->communicator.identity.members;
  for (unsigned turn = 0; turn < of->turns.count(); ++turn) {
    const ExchangeKey key{of->loop.digest, of->communicator.index, of->turns.count(), turn};
    // Members' positions are hashed, so that not all exchanges have the same leader.
    const std::uint64_t number[] = {key.loop, key.communicator};
    const int leader = members[XXH64(number, sizeof number, turn) % members.size()];
    exchanges[key] =
        std::make_unique<LearnedExchange>(key, of, leader, of->turns.executionsOf(turn));
    if (key.turns == 1)
      of->whole = exchanges[key].get();
    else
      of->ofTurn.push_back(exchanges[key].get());
    if (of->asked)
      exchanges[key]->ask();
  }
  noteNews();
}

std::uint64_t Learning::executionsByTurns() const {
  std::uint64_t sum = 0;
  for (const auto &[key, of] : patterns)
    if (of->turns.count() > 1 &&
        of->communicator.identity.members.size() == static_cast<std::size_t>(ranks)) {
      const std::uint64_t number[] = {key.first, key.second, of->turns.count(),
                                      of->turns.executions()};
      sum += XXH64(number, sizeof number, 0);
    }
  return sum;
}

void Learning::noteTurns(bool areEqual) {
  for (const auto &[key, of] : patterns)
    of->agreed = areEqual ? of->turns.count() : 1;
}

bool Learning::countsAlike(const ExchangeKey &key) const {
  const auto found = patterns.find({key.loop, key.communicator});
  return key.turns == 1 || (found != patterns.end() && found->second->agreed == key.turns);
}

void Learning::enter(sendwright_scope *scope, const char *function, const void *frame) {
  enter(scope, loopOf(*scope->site, function), function, frame);
}

void Learning::enter(sendwright_scope *scope, const PlannedSite &site, const void *frame) {
  enter(scope, loopOf(site), nullptr, frame);
}

void Learning::enter(sendwright_scope *scope, MarkedLoop &loop, const char *function,
                     const void *frame) {
  if (const int depth = marks.depthBefore(scope, frame); depth < marks.depth)
    leaveTo(depth);
  if (marks.depth >= MarkedScopes::capacity)
    return;
  Execution &execution = executions[marks.depth];
  std::vector<SentMessage> sent = std::move(execution.sent); // reuses its memory
  sent.clear();
  execution = {};
  execution.loop = &loop;
  execution.sent = std::move(sent);
  marks.scopes[marks.depth++] = {reinterpret_cast<std::uintptr_t>(scope), scope->site, function, 0};
  loop.site.taker = nullptr; // opened by the first message
  if (exchange::isWatching() && loop.last)
    for (const LearnedExchange *of : {loop.last->whole, &loop.last->next()})
      crossing.atBeginning(*of);
  if (loop.sharing > 0)
    currentBatch()->begin(scope, loop.site, frame);
}

void Learning::leaveTo(int depth) {
  while (marks.depth > depth)
    finishExecution(executions[--marks.depth]);
}

/// The execution to which messages belong: the innermost, or the outermost block whose sends may
/// leave at its end, with the loops in it. Once a block has waited between its sends, its loops
/// learn by themselves.
Execution *Learning::sendingExecution() {
  for (int depth = 0; depth < marks.depth; ++depth)
    if (executions[depth].loop->isBlock)
      return &executions[depth];
  return marks.depth > 0 ? &executions[marks.depth - 1] : nullptr;
}

/// An execution that sent nothing counts for the communicator of the previous one, unless its
/// messages belong to a block.
void Learning::finishExecution(Execution &execution) {
  MarkedLoop &loop = *execution.loop;
  if (!execution.exchange && !loop.isBlock)
    if (const Execution *outer = sendingExecution(); outer && outer->loop->isBlock)
      return;
  LoopPatterns *of = execution.exchange ? execution.exchange->patterns.get() : loop.last;
  if (!of && loop.deferrable)
    if (exchange::SharedCommunicator *world = sharing.communicators().find(MPI_COMM_WORLD))
      of = &patternsOf(loop, *world);
  if (of) {
    finishExecution(execution, *of);
    of->turns.note(execution.sum + execution.count);
    of->turns.adopt(of->found);
    if (of->turns.count() != std::max<std::size_t>(of->ofTurn.size(), 1))
      makeExchanges(of->whole->patterns);
  }
  if (execution.taker)
    loop.site.taker = nullptr;
}

void Learning::finishExecution(const Execution &execution, LoopPatterns &of) {
  worldCalls.noteExecution();
  if (exchange::isWatching())
    ++executionsSinceCall;
  LearnedExchange &exchange = execution.exchange ? *execution.exchange : of.next();
  if (!of.ofTurn.empty() && exchange.key.turns == 1)
    of.ofTurn[of.turns.next()]->finish(execution);
  exchange.finish(execution);
  if (exchange.key.turns > 1)
    of.whole->finish(execution);
}

/// Another rank may have found more turns than this one, or fewer; all must have the same. They are
/// adopted when an execution is over.
void Learning::hearOfTurns(int source, const ControlMessage &message) {
  const auto found = patterns.find({message.key.loop, message.key.communicator});
  if (found == patterns.end())
    return;
  LoopPatterns &of = *found->second;
  const unsigned all = of.turns.with(std::lcm(of.found, message.key.turns));
  if (all == 0) {
    of.contradict = true;
    return;
  }
  of.found = all;
  of.asked |= message.kind == ControlMessage::Kind::Ask && all != of.turns.count();
  if (all == message.key.turns)
    return;
  ControlMessage answer;
  answer.kind = ControlMessage::Kind::Ask;
  answer.key = message.key;
  answer.key.turns = all;
  tell(source, answer);
}

void Learning::noteSend(const void *frame, exchange::SharedCommunicator &communicator,
                        const exchange::Target &target, std::uint64_t bytes, bool routable) {
  const SentMessage message{target.worldRank, bytes};
  worldCalls.noteMessage();
  if (const int depth = marks.depthAbove(frame); depth < marks.depth)
    leaveTo(depth);
  Execution *execution = sendingExecution();
  if (!execution)
    return;
  if (!execution->exchange) {
    execution->exchange = &patternsOf(*execution->loop, communicator).next();
    if (routable)
      execution->exchange->begin(*execution);
  }
  execution->bytes += message.bytes;
  execution->waitedBefore = execution->waited;
  execution->loop->isBlock &= !execution->waited;
  execution->irregular |= !routable ||
                          message.bytes > static_cast<std::uint64_t>(exchange::largestLearned) ||
                          execution->bytes > mostShared || execution->waited ||
                          &execution->exchange->communicator != &communicator;
  execution->add(message);
  if (execution->exchange->wantsSizes() || execution->exchange->patterns->whole->wantsSizes())
    execution->sent.push_back(message);
}

void Learning::noteWait() {
  if (Execution *execution = sendingExecution(); execution && execution->count > 0)
    execution->waited = true;
}

void Learning::noteSendWaited() {
  if (Execution *execution = sendingExecution())
    execution->waited = execution->waitedBefore;
}

} // namespace sendwright::adaptation
