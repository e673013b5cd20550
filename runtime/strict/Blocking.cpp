// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/Blocking.h"

#include "runtime/strict/SourceLines.h"

namespace sendwright::strict {

namespace {

/// Seconds that a call waits before it is first examined, and between examinations.
constexpr double longWait = 1;

std::vector<std::int64_t> wide(const std::vector<int> &ranks) {
  return {ranks.begin(), ranks.end()};
}

WaitItem itemOf(const Send &send) {
  WaitItem item;
  item.kind = WaitItem::Sending;
  item.peer = send.destination;
  item.tag = send.tag;
  item.communicator = send.communicator->id;
  item.number = send.number;
  item.origin = placeOf(send.origin);
  return item;
}

WaitItem itemOf(const Operation &operation) {
  WaitItem item;
  item.origin = placeOf(operation.origin);
  if (operation.kind == Operation::Other || !operation.communicator)
    return item;
  const CommunicatorRecord &communicator = *operation.communicator;
  item.communicator = communicator.id;
  item.wholeWorld = communicator.world;
  if (operation.kind == Operation::Collective) {
    item.kind = communicator.id == 0 ? WaitItem::Unknown : WaitItem::Meeting;
    item.number = operation.number;
    item.members = wide(communicator.members);
  } else {
    item.kind = WaitItem::Receiving;
    item.peer = operation.peer == MPI_ANY_SOURCE ? anyRank : communicator.worldRank(operation.peer);
    item.tag = operation.tag == MPI_ANY_TAG ? anyTagValue : operation.tag;
    if (item.peer == anyRank) {
      item.members = wide(communicator.peers);
      if (operation.peer != MPI_ANY_SOURCE)
        item.kind = WaitItem::Unknown; // a process of another job
    }
  }
  return item;
}

void addSend(std::vector<WaitItem> &items, std::int64_t number) {
  const auto found = strictRank()->sends.pending().find(number);
  if (found != strictRank()->sends.pending().end() && !found->second->complete())
    items.push_back(itemOf(*found->second));
}

void addRequest(std::vector<WaitItem> &items, MPI_Request request) {
  if (request == MPI_REQUEST_NULL)
    return;
  const Operation *operation = strictRank()->requests.find(request);
  if (operation && !operation->active)
    return;
  if (operation && operation->kind == Operation::Sending)
    addSend(items, operation->number);
  else if (!Requests::isComplete(request))
    items.push_back(operation ? itemOf(*operation) : WaitItem{});
}

std::vector<WaitItem> itemsOf(const BlockedCall &call) {
  std::vector<WaitItem> items;
  for (const std::int64_t number : call.sends)
    addSend(items, number);
  for (const MPI_Request request : call.requests)
    addRequest(items, request);
  if (call.item) {
    items.push_back(*call.item);
    items.back().origin = placeOf(call.origin);
  }
  return items;
}

ReportedReceive postedOf(const Operation &operation) {
  const CommunicatorRecord &communicator = *operation.communicator;
  return {operation.peer == MPI_ANY_SOURCE ? anyRank : communicator.worldRank(operation.peer),
          operation.tag == MPI_ANY_TAG ? anyTagValue : operation.tag, communicator.id};
}

} // namespace

Place placeOf(const Origin &origin) {
  return {origin.function, origin.place ? origin.place : moduleAndOffset(origin.address)};
}

Blocked::Blocked(const BlockedCall &call)
    : outer(strictRank()->blocked), reportAt(PMPI_Wtime() + longWait) {
  strictRank()->blocked = &call;
}

Blocked::~Blocked() { strictRank()->blocked = outer; }

void Blocked::turn() {
  progress();
  if (turns.next() && PMPI_Wtime() > reportAt) {
    reportAt = PMPI_Wtime() + longWait;
    strictRank()->tell(0, {Token::Suspect, 0});
  }
}

RankReport makeReport(std::int64_t question) {
  const StrictRank &state = *strictRank();
  RankReport report;
  report.question = question;
  report.rank = state.rank;
  report.calls = state.calls;
  report.blocked = state.blocked != nullptr;
  if (state.blocked) {
    report.any = state.blocked->any;
    report.call = placeOf(state.blocked->origin);
    report.items = itemsOf(*state.blocked);
  }
  for (const auto &[number, send] : state.sends.pending())
    report.sends.push_back({number, send->destination, send->tag, send->communicator->id,
                            send->buffering == Buffering::Limited});
  state.requests.forEachPosted(
      [&](const Operation &operation) { report.receives.push_back(postedOf(operation)); });
  report.buffers = state.pool.size();
  report.holders = state.pool.holders();
  report.waiting.assign(state.pool.waiting().begin(), state.pool.waiting().end());
  report.matchedTo = state.sends.matchedTo();
  report.receivedFrom = state.requests.receivedFrom();
  report.toldTo = state.toldTo;
  report.toldBy = state.toldBy;
  report.receivesUncounted = state.requests.uncounted;
  report.collectives = state.communicators.collectives();
  return report;
}

namespace {

/// PMPI_Wait with progress. In a search for deadlocks, this rank waits for `item`.
int waitFor(MPI_Request *request, MPI_Status *status, const WaitItem &item) {
  if (!strictRank() || !(sendwright_interception & interceptStrict))
    return PMPI_Wait(request, status);
  int error = MPI_SUCCESS;
  BlockedCall call;
  call.item = &item;
  waitUntil(call, [&] {
    int done = 0;
    error = PMPI_Test(request, &done, status);
    return done || error != MPI_SUCCESS;
  });
  return error;
}

} // namespace

int progressUntil(MPI_Request *request, MPI_Status *status) {
  return waitFor(request, status, WaitItem{});
}

int awaitBoundary(MPI_Request *request, int source, bool atEnd) {
  WaitItem item;
  item.kind = WaitItem::Boundary;
  item.peer = source;
  item.number = atEnd;
  const int error = waitFor(request, MPI_STATUS_IGNORE, item);
  if (strictRank())
    ++strictRank()->toldBy[source];
  return error;
}

void noteTold(int destination) {
  if (strictRank())
    ++strictRank()->toldTo[destination];
}

} // namespace sendwright::strict
