// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/Batch.h"

#include "runtime/base/Interception.h"
#include "runtime/interception/Wrappers.h"

#include <iterator>

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

void Batch::holdRequest(const SendArguments &arguments, SendMode mode,
                        MPI_Request request) noexcept {
  held.push_back({arguments, request, mode});
  destinations.push_back(communicator(arguments.communicator).worldRank(arguments.destination));
  requests.insertReserved(request);
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
  if (requests.erase(request) && requests.empty())
    sendwright_interception &= ~interceptRequests;
}

} // namespace sendwright
