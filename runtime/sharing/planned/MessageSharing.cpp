// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of sharing at a process: what it consists of, its progress, and its end.

#include "runtime/sharing/planned/MessageSharing.h"

#include "analysis/sharing/ExchangesInPlan.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Flush.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <new>

namespace sendwright::exchange {

MessageSharing::MessageSharing(const RankCountPlan &plan, bool everyPair)
    : sites(plan.sites), planned(plan.of<SharedExchanges>()), everyPair(everyPair),
      known(everyPair) {}

bool MessageSharing::begin(PrivateCommunicator &communicator) {
  if (!messages.begin(communicator) || PMPI_Comm_dup(MPI_COMM_SELF, &ofThisProcess) != MPI_SUCCESS)
    return false;
  PMPI_Comm_set_errhandler(ofThisProcess, MPI_ERRORS_RETURN);
  largestTag = currentBatch()->tagLimit;
  worldRank = rankIn(MPI_COMM_WORLD);
  traffic.begin(worldRank);
  privateWorld = &communicator;
  known.begin(ofThisProcess, communicator, receiptNotices);
  entry.begin(messages.communicator());
  programRequests.begin(ofThisProcess, largestTag);
  receiptNotices.begin(messages, straightKind, ofThisProcess, programRequests);
  makeRoutes();
  known.note(MPI_COMM_WORLD);
  return true;
}

void MessageSharing::listen() {
  messages.listen(MPI_ANY_SOURCE, straightKind,
                  [this](int source, std::uint64_t, std::span<std::byte> message) {
                    forEachRecord(message, [&](const Record &record, std::span<std::byte> bytes) {
                      if (record.place == notice)
                        receiptNotices.arrived(source, bytes);
                      else
                        known.arrived(source, record, bytes);
                    });
                  });
  messages.listen(MPI_ANY_SOURCE, divertedKind,
                  [this](int, std::uint64_t sender, std::span<std::byte> message) {
                    forEachRecord(message, [&](const Record &record, std::span<std::byte> bytes) {
                      known.arrived(static_cast<int>(sender), record, bytes);
                    });
                  });
}

void MessageSharing::sendStraight(int source, int destination, std::uint32_t index, Record record,
                                  std::span<const std::byte> bytes) {
  record.place = index;
  std::vector<std::byte> message = messages.buffer();
  std::byte *room = append(message, record);
  if (!bytes.empty())
    std::memcpy(room, bytes.data(), bytes.size());
  if (source == worldRank)
    messages.send(destination, straightKind, 0, std::move(message));
  else
    messages.send(destination, divertedKind, static_cast<std::uint64_t>(source),
                  std::move(message));
}

void MessageSharing::sendMark(int destination, std::uint32_t place, std::uint32_t pairNumber) {
  Record mark;
  mark.place = place;
  mark.pairNumber = pairNumber;
  std::vector<std::byte> message = messages.buffer();
  append(message, mark);
  messages.send(destination, straightKind, 0, std::move(message));
}

/// Whoever receives it has done so before MPI ends.
int MessageSharing::sendKept(std::span<const std::byte> bytes, const SendArguments &a) {
  kept.remove_if([](KeptMessage &one) {
    int done = 0;
    PMPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
  KeptMessage &one = kept.emplace_back();
  one.bytes.assign(bytes.begin(), bytes.end());
  return PMPI_Isend(one.bytes.data(), static_cast<int>(one.bytes.size()), MPI_PACKED, a.destination,
                    a.tag, a.communicator, &one.request);
}

/// In the order of the plan, which is the same on all ranks.
void MessageSharing::makeRoutes() {
  for (const SharedExchange &exchange : planned.exchanges) {
    SharedCommunicator &communicator = known.planned(exchange.communicator);
    for (const std::int32_t receiver : exchange.anySource)
      communicator.addAnySourceReceiver(receiver);
    entry.addRanks(exchange.communicator.members.vector());
  }
  std::vector<int> firstKinds(planned.exchanges.size(), firstRouteKind);
  for (std::size_t index = 1; index < firstKinds.size(); ++index)
    firstKinds[index] =
        firstKinds[index - 1] + static_cast<int>(planned.exchanges[index - 1].stages);
  for (const RankExchange &part : ownEntry(planned.rankExchanges)) {
    const SharedExchange &exchange = planned.exchanges[part.exchange];
    SharedCommunicator &communicator = known.planned(exchange.communicator);
    for (const SharedMessage &message : part.messages)
      if (message.destination == worldRank)
        communicator.addSource(message.source);
    Routes &made = routes.emplace_back(
        part, worldRank, messages, RouteKinds{firstKinds[part.exchange], 1, {}},
        sites[exchange.site].site.display(),
        [&communicator](int source, const Record &record, std::span<const std::byte> bytes) {
          communicator.arrived(source, record, bytes);
        },
        [this, &communicator](int source, int destination, const Record &record,
                              std::span<const std::byte> bytes) {
          sendStraight(source, destination, communicator.index, record, bytes);
        });
    made.communicator = &communicator;
    routesPassOn |= made.passesOn();
    made.forEachOwn([&](const SharedMessage &message, const FirstHop &hop) {
      communicator.addRoute(message, hop);
    });
  }
}

/// A rank may pass on messages of the same loop on another communicator; it does not open those
/// routes.
void MessageSharing::openRoutesAt(const std::vector<PlannedSite *> &sites) {
  std::map<std::uint32_t, RoutesByTurns *> ofLoops;
  for (std::size_t index = 0; index < routes.size(); ++index) {
    PlannedSite *site = sites[index];
    if (!site || !routes[index].hasOwn())
      continue;
    const std::uint32_t loop = planned.exchanges[routes[index].exchange()].site;
    const auto turns = std::ranges::find(planned.turns, loop, &LoopTurns::site);
    const ExchangeTurns *own =
        turns == planned.turns.end() ? nullptr : turns->of(static_cast<std::size_t>(worldRank));
    if (!own) {
      site->taker = &routes[index];
      continue;
    }
    RoutesByTurns *&byTurns = ofLoops[loop];
    if (!byTurns)
      byTurns = &routesByTurns.emplace_back(*own, [this](const SharedCommunicator &communicator,
                                                         const Target &target, Record record,
                                                         std::span<const std::byte> bytes) {
        sendStraight(worldRank, target.worldRank, communicator.index, record, bytes);
      });
    byTurns->add(routes[index]);
    site->taker = byTurns;
  }
}

void MessageSharing::makeProgress(bool wait) {
  Awaited nothing;
  progressOnce(wait, nothing);
}

void MessageSharing::makeProgress(Awaited &awaited) { progressOnce(true, awaited); }

/// If this rank passes nothing on, whatever arrives is for itself alone: a receive will look for
/// it.
void MessageSharing::lookBetweenSends() {
  constexpr unsigned sendsBetweenLooks = 16;
  if (passesOn() && ++sendsUnlooked % sendsBetweenLooks == 0)
    makeProgress();
}

void MessageSharing::progressOnce(bool wait, Awaited &awaited) {
  if (progressing)
    return;
  progressing = true;
  try {
    takeIn(wait, awaited);
  } catch (const std::bad_alloc &) {
    endForMemory();
  }
  progressing = false;
}

void MessageSharing::takeIn(bool wait, Awaited &awaited) {
  known.forEach([](SharedCommunicator &communicator) { communicator.takeBackLent(); });
  if (wait && !known.probe()) {
    await(awaited);
  } else {
    messages.progress();
    for (std::size_t which = 0; which < awaited.requests.size() && awaited.ended < 0; ++which) {
      int done = 0;
      if (*awaited.requests[which] != MPI_REQUEST_NULL)
        awaited.error = PMPI_Test(awaited.requests[which], &done, &awaited.status);
      if (done || awaited.error != MPI_SUCCESS)
        awaited.ended = static_cast<int>(which);
    }
    known.forEach([](SharedCommunicator &communicator) { communicator.progress(); });
    programRequests.completeStarts();
  }
  if (decider)
    decider->lookAfter();
  else if (!isSimulated && ++turns % 32 == 0)
    releaseLate();
}

/// Messages wait here for those of a rank that does not come: it may wait for these itself.
void MessageSharing::releaseLate() {
  constexpr double patience = 0.05; // seconds
  const double now = PMPI_Wtime();
  for (Routes &one : routes)
    one.release(patience, now);
}

void MessageSharing::enterCollective(MPI_Comm communicator) {
  if (everyPair)
    return waitForMembers(communicator, "a collective");
  entry.enter(communicator);
  for (const std::size_t exchange : entry.takeGivenUp())
    sayOnce("%s: most messages are not those of the plan: the plan is no longer followed there",
            sites[planned.exchanges[exchange].site].site.display().c_str());
  if (entry.metWithoutPlan())
    leavePlan();
}

/// Tells every rank how many messages all others have sent it; the rank receives as many.
void MessageSharing::takeInAll(const char *function) {
  std::uint64_t coming = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  const std::vector<std::uint64_t> sent = messages.messagesSent();
  PMPI_Ireduce_scatter_block(sent.data(), &coming, 1, MPI_UINT64_T, MPI_SUM,
                             messages.communicator(), &request);
  waitForRequest(&request, MPI_STATUS_IGNORE, function);
  waitUntil(
      [&] {
        messages.takeSent();
        return messages.messagesReceived() >= coming && messages.messagesUnderWay() == 0;
      },
      [&] { return waitingIn(function); });
}

/// The plan has no routes any more, and all ranks are here. If no message of the runtime is under
/// way, all messages are left to MPI for the rest of the run; or the loops learn, if no message of
/// MPI's is under way either.
void MessageSharing::leavePlan() {
  constexpr int mostAttempts = 16;
  const std::vector<std::uint64_t> sent = messages.messagesSent();
  takeInAll("a collective");
  const bool isDrained =
      isIdle() && sent == messages.messagesSent(); // nothing came to be passed on
  std::uint64_t said[] = {!isDrained, traffic.isUnknown(), traffic.sum()}, all[3] = {};
  MPI_Request request = MPI_REQUEST_NULL;
  if (PMPI_Iallreduce(said, all, 3, MPI_UINT64_T, MPI_SUM, messages.communicator(), &request) !=
      MPI_SUCCESS)
    return; // on all ranks
  waitForRequest(&request, MPI_STATUS_IGNORE, "a collective");
  const bool isAtRest = all[1] == 0 && all[2] == 0;
  if (all[0] != 0 || (!isAtRest && ++attempts < mostAttempts))
    return;
  for (const auto &[loop, number] : plannedLoops) {
    loop->taker = nullptr;
    loop->learnedAs = number;
  }
  leave();
  if (whenPlanIsLeft)
    whenPlanIsLeft(isAtRest);
}

/// What comes from senders' buffers also ends the wait, and so do messages of persistent sends.
void MessageSharing::await(Awaited &awaited) {
  const std::size_t given = awaited.requests.size();
  std::vector<std::pair<SharedCommunicator *, PostedReceive *>> payloads;
  known.forEach([&](SharedCommunicator &communicator) {
    for (PostedReceive *receive : communicator.awaitingPayload()) {
      payloads.push_back({&communicator, receive});
      awaited.requests.push_back(&receive->payload);
    }
  });
  for (PersistentSend *send : programRequests.started())
    awaited.requests.push_back(&send->message);
  messages.await(awaited);
  awaited.requests.resize(given);
  if (awaited.ended < static_cast<int>(given))
    return;
  const std::size_t ended = static_cast<std::size_t>(awaited.ended) - given;
  awaited.ended = -1;
  if (ended >= payloads.size())
    return programRequests.completeStarts(); // the request is null now
  const auto [communicator, receive] = payloads[ended];
  communicator->finishPayload(*receive, awaited.error, awaited.status);
}

/// What has arrived is lost. The program's error handler is called first; but whatever it does,
/// ranks would wait forever.
void MessageSharing::endForMemory() {
  std::fprintf(stderr,
               "sendwright: rank %d has no memory for shared messages that pass through it or wait "
               "for their receives\n",
               worldRank);
  known.forEach([](const SharedCommunicator &communicator) {
    if (communicator.handle != MPI_COMM_NULL)
      PMPI_Comm_call_errhandler(communicator.handle, MPI_ERR_NO_MEM);
  });
  PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
}

/// While routes are learned, communicators are forgotten once nothing needs them. Learned routes go
/// on until everything under way has arrived.
void MessageSharing::drop(MPI_Comm communicator) {
  SharedCommunicator *dropped = known.drop(communicator);
  entry.drop(communicator);
  if (pausesOrNull)
    pausesOrNull->drop(communicator);
  if (!everyPair)
    return;
  if (dropped && decider)
    decider->drop(*dropped);
  known.sweep([this](const SharedCommunicator &one) {
    return (decider && decider->uses(one)) || programRequests.use(one);
  });
}

/// The receiver is told the tag. All layers have begun when the program sends.
int MessageSharing::nextPayloadTag() {
  const int first = privateWorld->firstFreeTag();
  const unsigned range = static_cast<unsigned>(std::min(largestTag - first, 1 << 24));
  return first + static_cast<int>(payloads++ % range);
}

std::byte *MessageSharing::packingRoom(std::size_t bytes) {
  if (packed.size() < bytes)
    packed.resize(bytes);
  return packed.data();
}

bool MessageSharing::holdsNothing() const {
  return std::ranges::all_of(routes, &Routes::holdsNothing);
}

Pauses &MessageSharing::makePauses() {
  if (!pausesOrNull)
    pausesOrNull = std::make_unique<Pauses>(*this);
  return *pausesOrNull;
}

std::string MessageSharing::whatIsAwaited() const {
  std::string text;
  for (const Routes &one : routes)
    if (const std::string awaited = one.whatIsAwaited(); !awaited.empty())
      text += "; " + awaited;
  return text;
}

void MessageSharing::finish() {
  if (!on())
    return;
  if (isWatching()) { // so do all ranks
    decider->endWatching();
    if (isSimulated && !decider->hasCarried())
      return leaveWhileWatching();
  }
  pausing = watching = false;
  messages.takeSent();
  if (messages.messagesUnderWay() > 0)
    waitUntil(
        [this] {
          messages.progress();
          return messages.messagesUnderWay() == 0;
        },
        [] { return waitingIn("MPI_Finalize"); });
  waitForMembers(MPI_COMM_WORLD, "MPI_Finalize");
  if (decider) {
    decider->end();
  } else if (!isSimulated) {
    messages.sendNoMore();
    takeInAll("MPI_Finalize");
  }
  leave();
}

void MessageSharing::end() {
  messages.end();
  PMPI_Comm_free(&ofThisProcess);
}

void progress() {
  if (on() && !isPausing())
    messageSharing()->makeProgress();
}

void noteCommunicator(MPI_Comm communicator) {
  if (communicator != MPI_COMM_NULL)
    messageSharing()->communicators().note(communicator);
}

void noteDuplicate(MPI_Comm original, MPI_Comm copy) {
  if (copy != MPI_COMM_NULL)
    messageSharing()->communicators().noteDuplicate(original, copy);
}

void dropCommunicator(MPI_Comm communicator) { messageSharing()->drop(communicator); }

void meet(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL)
    return; // MPI objects
  flushBatches();
  MessageSharing &sharing = *messageSharing();
  if (isWatching())
    return sharing.policy()->callWhileWatching(communicator);
  if (isPausing()) { // if it goes on from here, nothing of it is under way yet
    sharing.collectiveEntry().leaveOut(communicator);
    return sharing.pauses()->atCall(communicator);
  }
  if (Policy *policy = sharing.policy(); !policy || policy->meet(communicator))
    sharing.enterCollective(communicator);
  if (sharing.pauses())
    sharing.pauses()->atCall(communicator);
}

void leave() {
  sendwright_interception &= ~interceptExchange;
  messageSharing()->end();
}

bool ownDatatype(MPI_Datatype &datatype) {
  int integers = 0, addresses = 0, datatypes = 0, combiner = 0;
  PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner);
  if (combiner == MPI_COMBINER_NAMED)
    return false;
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  if (PMPI_Type_dup(datatype, &copy) != MPI_SUCCESS)
    return false;
  datatype = copy;
  return true;
}

} // namespace sendwright::exchange
