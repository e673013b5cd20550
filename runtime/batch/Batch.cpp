// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/Batch.h"

#include "runtime/base/Interception.h"
#include "runtime/interception/Wrappers.h"

#include <iterator>
#include <optional>
#include <utility>

namespace sendwright {

Batch::Batch(std::size_t copyLimit) : thread(pthread_self()), copyLimit(copyLimit) {}

void Batch::reserveOne() {
  if (held.size() == held.capacity()) {
    const std::size_t room = held.empty() ? 64 : held.size() * 2;
    destinations.reserve(room);
    blocking.reserve(room);
    blockingSends.reserve(room);
    held.reserve(room);
  }
  requests.reserveOne();
}

void Batch::holdRequest(const SendArguments &arguments, SendMode mode, MPI_Request request,
                        std::unique_ptr<LeadingPart> part) noexcept {
  held.push_back({arguments, request, mode});
  destinations.push_back(communicator(arguments.communicator).worldRank(arguments.destination));
  requests.insertReserved(request, std::move(part));
  sendwright_interception |= interceptRequests;
}

void Batch::holdCopy(const SendArguments &arguments, SendMode mode) {
  held.push_back({arguments, MPI_REQUEST_NULL, mode});
  destinations.push_back(communicator(arguments.communicator).worldRank(arguments.destination));
}

void Batch::holdStart(const PersistentRequest &request, MPI_Request handle) noexcept {
  held.push_back({request.arguments, handle, request.mode});
  destinations.push_back(request.worldRank);
}

bool Batch::roomToCopy(MPI_Count bytes) const {
  return static_cast<unsigned long long>(bytes) <= copyLimit - copies.bytes();
}

const CommunicatorInfo &Batch::communicator(MPI_Comm communicator) {
  if (communicator != knownCommunicator) {
    knownInfo = &communicatorInfo(communicator);
    knownCommunicator = communicator;
  }
  return *knownInfo;
}

const DatatypeFacts &Batch::datatype(MPI_Datatype datatype) {
  for (const DatatypeFacts &known : knownDatatypes)
    if (known.datatype == datatype)
      return known;
  DatatypeFacts facts;
  facts.datatype = datatype;
  int integers = 0, addresses = 0, datatypes = 0, combiner = 0;
  MPI_Count lowerBound = 0, extent = 0;
  PMPI_Type_size_x(datatype, &facts.size);
  PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner);
  PMPI_Type_get_extent_x(datatype, &lowerBound, &extent);
  // Some predefined types have gaps (MPI_DOUBLE_INT), and a derived type whose size equals its
  // extent may still permute its parts.
  facts.plainMemory =
      combiner == MPI_COMBINER_NAMED && lowerBound == 0 && extent == facts.size && !deviceMemory;
  DatatypeFacts &replaced = knownDatatypes[replaceDatatype++ % std::size(knownDatatypes)];
  replaced = facts;
  return replaced;
}

void Batch::forgetFacts() {
  knownCommunicator = MPI_COMM_NULL;
  for (DatatypeFacts &known : knownDatatypes)
    known.datatype = MPI_DATATYPE_NULL;
}

void Batch::clearHeld() {
  forgetFacts();
  held.clear();
  destinations.clear();
  blocking.clear();
  parts.clear();
  blockingSends.clear();
  copies.clear();
  order = {};
  issued = 0;
}

void Batch::release(MPI_Request *request) {
  if (!requests.erase(*request))
    return;
  sendwright_next_MPI_Request_free(request);
  if (requests.empty())
    sendwright_interception &= ~interceptRequests;
}

void Batch::forget(MPI_Request request) {
  std::optional<std::unique_ptr<LeadingPart>> part = requests.take(request);
  if (part && *part) {
    (*part)->next = std::move(freed);
    freed = std::move(*part);
  }
  if (part && requests.empty())
    sendwright_interception &= ~interceptRequests;
}

std::unique_ptr<LeadingPart> Batch::leadingPartOf(const SendArguments &send) {
  if (!sendsLeadingParts || freed)
    return nullptr;
  const WindowHistory &history = scopes.back().plan->window;
  if (!history.wasLimited || history.trial.way() == WayOfIssue::AsUsual)
    return nullptr;
  const DatatypeFacts &facts = datatype(send.datatype);
  if (!facts.plainMemory || !LeadingPart::suits(send, facts.size))
    return nullptr;
  return std::make_unique<LeadingPart>(send, facts.size);
}

/// The time of an execution with a window, while ways of sending are tried.
void Batch::beginTime(WindowHistory &history) {
  history.wasLimited = order.window != 0;
  if (!sendsLeadingParts || !history.wasLimited || history.trial.isDecided())
    return;
  timed.begin(history.trial, bytesHeld());
  sendwright_interception |= interceptBatch; // until the program has waited
}

void Batch::endTime() {
  if (!timed.isRunning())
    return;
  timed.end();
  if (scopes.empty())
    sendwright_interception &= ~interceptBatch;
}

} // namespace sendwright
