// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When sharing begins and ends: whether a plan asks for it, whether all ranks have the same and can
// follow it, and what is said where they cannot.

#include "runtime/sharing/planned/MessageSharing.h"

#include "runtime/base/Service.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Flush.h"
#include "runtime/batch/SharedSites.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

namespace sendwright::exchange {

bool MessageSharing::begin() {
  int tags = everyPair ? learningTags : firstRouteTag;
  for (const SharedExchange &exchange : planned.exchanges)
    tags += static_cast<int>(exchange.stages);
  if (!link.begin(tags) || PMPI_Comm_dup(MPI_COMM_SELF, &self) != MPI_SUCCESS)
    return false;
  PMPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
  tagLimit = currentBatch()->tagLimit;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  makeCommunicators();
  makeRoutes();
  if (everyPair)
    introduce(MPI_COMM_WORLD);
  else
    bind(MPI_COMM_WORLD);
  return true;
}

void MessageSharing::listen() {
  link.listen(MPI_ANY_SOURCE, straightTag,
              [this](int source, std::uint64_t, std::span<std::byte> message) {
                forEachRecord(message, [&](const Record &record, std::span<std::byte> bytes) {
                  arrived(source, record, bytes);
                });
              });
}

void MessageSharing::arrived(int source, const Record &record, std::span<std::byte> bytes) {
  const std::uint32_t index = record.place & ~announced;
  const auto found = communicators.find(index);
  if (found != communicators.end())
    found->second.arrived(source, record, bytes);
  else // its sender may be ahead where a communicator is created
    early[index].push_back({source, record, {bytes.begin(), bytes.end()}});
}

void MessageSharing::add(MPI_Comm handle, const Communicator &identity, std::uint32_t index) {
  SharedCommunicator &made =
      communicators.try_emplace(index, identity, index, everyPair).first->second;
  made.self = self;
  made.world = link.communicator();
  made.handle = handle;
}

SharedCommunicator &MessageSharing::communicatorOf(const SharedExchange &exchange) {
  return std::find_if(
             communicators.begin(), communicators.end(),
             [&](const auto &known) { return known.second.identity == exchange.communicator; })
      ->second;
}

/// In the order in which the plan speaks of them: the same on all ranks.
void MessageSharing::makeCommunicators() {
  for (const SharedExchange &exchange : planned.exchanges)
    if (std::none_of(communicators.begin(), communicators.end(), [&](const auto &communicator) {
          return communicator.second.identity == exchange.communicator;
        }))
      add(MPI_COMM_NULL, exchange.communicator, static_cast<std::uint32_t>(communicators.size()));
}

void MessageSharing::makeRoutes() {
  for (const SharedExchange &exchange : planned.exchanges)
    for (const std::int32_t receiver : exchange.anySource)
      communicatorOf(exchange).addAnySourceReceiver(receiver);
  std::vector<int> firstTags(planned.exchanges.size(), firstRouteTag);
  for (std::size_t index = 1; index < firstTags.size(); ++index)
    firstTags[index] = firstTags[index - 1] + static_cast<int>(planned.exchanges[index - 1].stages);
  for (const RankExchange &part : ownEntry(planned.rankExchanges)) {
    const SharedExchange &exchange = planned.exchanges[part.exchange];
    SharedCommunicator &communicator = communicatorOf(exchange);
    for (const SharedMessage &message : part.messages)
      if (message.destination == rank)
        communicator.addSource(message.source);
    Routes &made = routes.emplace_back(
        part, rank, link, RouteTags{firstTags[part.exchange], 1, {}},
        sites[exchange.site].site.display(),
        [&communicator](int source, const Record &record, std::span<const std::byte> bytes) {
          communicator.arrived(source, record, bytes);
        });
    made.communicator = &communicator;
    passesOn |= made.passesOn();
    made.forEachOwn([&](const SharedMessage &message, const FirstHop &hop) {
      communicator.addRoute(message, hop);
    });
  }
}

void MessageSharing::makeProgress(bool wait) {
  Awaited nothing;
  progressOnce(wait, nothing);
}

void MessageSharing::makeProgress(Awaited &awaited) { progressOnce(true, awaited); }

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
  for (const auto &[index, communicator] : communicators)
    wait = wait && !communicator.probes();
  if (wait) {
    await(awaited);
  } else {
    link.progress();
    for (std::size_t which = 0; which < awaited.requests.size() && awaited.ended < 0; ++which) {
      int done = 0;
      if (*awaited.requests[which] != MPI_REQUEST_NULL)
        awaited.error = PMPI_Test(awaited.requests[which], &done, &awaited.status);
      if (done || awaited.error != MPI_SUCCESS)
        awaited.ended = static_cast<int>(which);
    }
    for (auto &[index, communicator] : communicators)
      communicator.progress();
    if (!started.empty())
      completeStarts();
  }
  if (policy)
    policy->lookAfter();
}

/// What comes from senders' buffers ends the wait, too, and so do messages of persistent sends.
void MessageSharing::await(Awaited &awaited) {
  const std::size_t given = awaited.requests.size();
  std::vector<std::pair<SharedCommunicator *, PostedReceive *>> payloads;
  for (auto &[index, communicator] : communicators)
    for (PostedReceive *receive : communicator.awaitingPayload()) {
      payloads.push_back({&communicator, receive});
      awaited.requests.push_back(&receive->payload);
    }
  for (PersistentSend *send : started)
    awaited.requests.push_back(&send->message);
  link.await(awaited);
  awaited.requests.resize(given);
  if (awaited.ended < static_cast<int>(given))
    return;
  const std::size_t ended = static_cast<std::size_t>(awaited.ended) - given;
  awaited.ended = -1;
  if (ended >= payloads.size())
    return completeStarts(); // the request is null now
  const auto [communicator, receive] = payloads[ended];
  communicator->finishPayload(*receive, awaited.error, awaited.status);
}

/// What has arrived is lost. The program's error handler has the first word; but whatever it does,
/// ranks would wait for good.
void MessageSharing::endForMemory() const {
  const int rank = rankIn(MPI_COMM_WORLD);
  std::fprintf(stderr,
               "sendwright: rank %d has no memory for shared messages that pass through it or wait "
               "for their receives\n",
               rank);
  for (const auto &[index, communicator] : communicators)
    if (communicator.handle != MPI_COMM_NULL)
      PMPI_Comm_call_errhandler(communicator.handle, MPI_ERR_NO_MEM);
  PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
}

void MessageSharing::bind(MPI_Comm handle) {
  const Communicator &identity = recorded.communicators()[recorded.index(handle)];
  SharedCommunicator *found = nullptr;
  for (auto &[index, communicator] : communicators)
    if (communicator.identity == identity)
      found = &communicator;
  if (found)
    found->handle = handle;
  known[handle] = found;
  lastHandle = MPI_COMM_NULL;
}

/// With `everyPair` its messages stay MPI's: its members would have to agree on a number here.
void MessageSharing::noteDuplicate(MPI_Comm original, MPI_Comm copy) {
  if (!everyPair) {
    recorded.noteDuplicate(original, copy);
    return bind(copy);
  }
  known[copy] = nullptr;
  lastHandle = MPI_COMM_NULL;
}

/// A member's own count of those that it numbered makes the number unique in the job: the first
/// member's, which the others are told.
void MessageSharing::introduce(MPI_Comm handle) {
  known[handle] = nullptr;
  lastHandle = MPI_COMM_NULL;
  int inter = 0, size = 0, rank = 0, worldRank = 0, worldSize = 0;
  PMPI_Comm_test_inter(handle, &inter);
  PMPI_Comm_size(handle, &size);
  if (inter || size < 2)
    return;
  Communicator identity;
  identity.members = localWorldRanksOf(handle);
  if (std::find(identity.members.begin(), identity.members.end(), -1) != identity.members.end())
    return; // members of another job do not take part
  PMPI_Comm_rank(handle, &rank);
  PMPI_Comm_rank(MPI_COMM_WORLD, &worldRank);
  PMPI_Comm_size(MPI_COMM_WORLD, &worldSize);
  unsigned long long index = 0;
  if (rank == 0)
    index = static_cast<unsigned long long>(introduced++) * static_cast<unsigned>(worldSize) +
            static_cast<unsigned>(worldRank);
  if (PMPI_Bcast(&index, 1, MPI_UNSIGNED_LONG_LONG, 0, handle) != MPI_SUCCESS || index >= announced)
    return;
  identity.instance = static_cast<unsigned>(index);
  add(handle, identity, static_cast<std::uint32_t>(index));
  known[handle] = &communicators.at(static_cast<std::uint32_t>(index));
  const auto waiting = early.find(static_cast<std::uint32_t>(index));
  if (waiting == early.end())
    return;
  for (const EarlyMessage &message : waiting->second)
    known[handle]->arrived(message.source, message.record, message.bytes);
  early.erase(waiting);
}

/// Forgets communicators that the program freed, once nothing needs them. Of others learned routes
/// go on until all that is on its way has come.
void MessageSharing::sweepCommunicators() {
  std::erase_if(communicators, [this](const auto &entry) {
    const SharedCommunicator &one = entry.second;
    return one.handle == MPI_COMM_NULL && one.idle() && !(policy && policy->uses(one)) &&
           std::none_of(
               receives.begin(), receives.end(),
               [&](const auto &receive) { return receive.second->communicator == &one; }) &&
           std::none_of(persistentSends.begin(), persistentSends.end(),
                        [&](const auto &send) { return send.second.communicator == &one; }) &&
           std::none_of(claimed.begin(), claimed.end(),
                        [&](const auto &message) { return message.second.communicator == &one; });
  });
}

void MessageSharing::drop(MPI_Comm handle) {
  SharedCommunicator *found = find(handle);
  if (found)
    found->handle = MPI_COMM_NULL;
  recorded.drop(handle);
  known.erase(handle);
  lastHandle = MPI_COMM_NULL;
  if (everyPair) {
    if (found && policy)
      policy->drop(*found);
    sweepCommunicators();
  }
}

SharedCommunicator *MessageSharing::find(MPI_Comm handle) {
  if (handle == lastHandle)
    return lastFound;
  if (handle == MPI_COMM_NULL)
    return nullptr;
  auto place = known.find(handle);
  if (place == known.end()) { // not seen when it was made
    if (everyPair)
      known[handle] = nullptr;
    else
      bind(handle);
    place = known.find(handle);
  }
  lastHandle = handle;
  lastFound = place->second;
  return lastFound;
}

PostedReceive *MessageSharing::receiveOf(MPI_Request request) {
  if (receives.empty() || request == MPI_REQUEST_NULL)
    return nullptr;
  const auto found = receives.find(request);
  return found == receives.end() ? nullptr : found->second;
}

int MessageSharing::nextPayloadTag() {
  const int first = link.freeTags() + 1; // that one is for waitForMembers()
  const unsigned range = static_cast<unsigned>(std::min(tagLimit - first, 1 << 24));
  return first + static_cast<int>(payloads++ % range);
}

int MessageSharing::nextTrigger() {
  return 1 + static_cast<int>(triggers++ % unsigned(tagLimit - 1));
}

std::string MessageSharing::whatIsAwaited() const {
  std::string text;
  for (const Routes &one : routes)
    if (const std::string awaited = one.whatIsAwaited(); !awaited.empty())
      text += "; " + awaited;
  return text;
}

void progress() {
  if (on())
    messageSharing()->makeProgress();
}

void noteCommunicator(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL)
    return;
  if (messageSharing()->everyPair)
    messageSharing()->introduce(communicator);
  else
    messageSharing()->bind(communicator);
}

void noteDuplicate(MPI_Comm original, MPI_Comm copy) {
  if (copy != MPI_COMM_NULL)
    messageSharing()->noteDuplicate(original, copy);
}

void dropCommunicator(MPI_Comm communicator) { messageSharing()->drop(communicator); }

bool MessageSharing::isIdle() const {
  return receives.empty() && persistentSends.empty() && claimed.empty() && early.empty() &&
         std::all_of(communicators.begin(), communicators.end(), [](const auto &known) {
           return known.second.idle() && known.second.holdsNothing();
         });
}

#ifdef SMPI_H
/// SMPI's MPI_Ibarrier ends when rank 0 has come, whoever else is missing.
bool allAgree(MPI_Comm communicator, bool own, const char *function) {
  MessageSharing &sharing = *messageSharing();
  return allOfThemAgree(
      sharing.recorded.communicators()[sharing.recorded.index(communicator)].members, own,
      function);
}

void waitForMembers(MPI_Comm communicator, const char *function) {
  allAgree(communicator, true, function);
}
#else
bool allAgree(MPI_Comm communicator, bool own, const char *function) {
  const int said = own;
  int all = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  return PMPI_Iallreduce(&said, &all, 1, MPI_INT, MPI_LAND, communicator, &request) ==
             MPI_SUCCESS &&
         waitForRequest(&request, MPI_STATUS_IGNORE, function) == MPI_SUCCESS && all;
}

void waitForMembers(MPI_Comm communicator, const char *function) {
  MPI_Request all = MPI_REQUEST_NULL;
  if (PMPI_Ibarrier(communicator, &all) == MPI_SUCCESS)
    waitForRequest(&all, MPI_STATUS_IGNORE, function);
}
#endif

void meet(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL)
    return; // MPI objects
  flushBatches();
  if (Policy *policy = messageSharing()->policy; !policy || policy->meet(communicator))
    waitForMembers(communicator, "a collective");
}

void MessageSharing::finish() {
  if (!on())
    return;
  waitUntil(
      [this] {
        link.progress();
        return link.messagesUnderWay() == 0;
      },
      [] { return waitingIn("MPI_Finalize"); });
  waitForMembers(MPI_COMM_WORLD, "MPI_Finalize");
  if (policy)
    policy->end();
  leave();
}

void leave() {
  sendwright_interception &= ~interceptExchange;
  messageSharing()->link.end();
  PMPI_Comm_free(&messageSharing()->self);
}

std::string waitingIn(const std::string &call) {
  return "in " + call + (messageSharing() ? messageSharing()->whatIsAwaited() : "");
}

int waitForRequest(MPI_Request *request, MPI_Status *status,
                   [[maybe_unused]] const char *function) {
#ifdef SMPI_H // where a look at a request takes simulated time
  if (*request == MPI_REQUEST_NULL)
    return PMPI_Wait(request, status);
  noteWait();
  Awaited awaited{{request}};
  while (awaited.ended < 0)
    messageSharing()->makeProgress(awaited);
  if (status != MPI_STATUS_IGNORE)
    *status = awaited.status;
  return awaited.error;
#else
  int error = MPI_SUCCESS;
  waitUntil(
      [&] {
        int done = 0;
        error = PMPI_Test(request, &done, status);
        return done || error != MPI_SUCCESS;
      },
      [&] { return waitingIn(function); });
  return error;
#endif
}

int raise(MPI_Comm communicator, int error) {
  if (error != MPI_SUCCESS)
    PMPI_Comm_call_errhandler(communicator, error);
  return error;
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

const char *obstacle(const sendwright_unit &unit) {
  const SharedSites sites = sharedSites(unit);
  if (!sites.plan)
    return "a rank cannot read its part of the plan";
  if (!sites.allUsable)
    return "a loop whose messages are to be shared runs as written";
  return nullptr;
}

const char *begin(const sendwright_unit &unit) {
  const SharedSites sites = sharedSites(unit);
  MessageSharing &sharing = process.begin(std::make_unique<MessageSharing>(*sites.plan));
  if (!sharing.begin())
    return "MPI gives no communicator";
  serveOthersBy(progress);
  sharing.listen();
  // A rank may pass on messages of the same loop on another communicator: those it does not open.
  for (std::size_t index = 0; index < sharing.routes.size(); ++index)
    if (PlannedSite *site = sites.sites[index]; site && sharing.routes[index].hasOwn())
      site->taker = &sharing.routes[index];
  sendwright_interception |= interceptExchange;
  return nullptr;
}

} // namespace sendwright::exchange
