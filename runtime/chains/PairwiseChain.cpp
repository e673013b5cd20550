// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/chains/PairwiseChain.h"

#include "runtime/base/Communicators.h"
#include "runtime/base/Interception.h"
#include "runtime/base/MpiDifferences.h"
#include "runtime/base/Units.h"
#include "runtime/chains/ByteRange.h"
#include "runtime/chains/ChainTurns.h"
#include "runtime/include/sendwright/runtime.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace sendwright::chains {

namespace {

/// One call that is under way.
struct PairwiseUnderWay {
  ByteRange sent, received, status;
  MPI_Status *statusOfProgram;

  bool touches(const PairwiseUnderWay &later) const {
    return received.meets(later.sent) || received.meets(later.received) ||
           received.meets(later.status) || sent.meets(later.received) || sent.meets(later.status) ||
           status.meets(later.sent) || status.meets(later.received);
  }
};

/// The open chain. All of it belongs to the one thread that calls MPI.
struct OpenChain {
  const sendwright_chain_scope *scope = nullptr; ///< null: no chain is open
  std::vector<ByteRange> kept; ///< what the arguments of later calls are read from
  std::vector<PairwiseUnderWay> underWay;
  std::vector<MPI_Request> requests; ///< of the receives and sends, in turns
  std::vector<MPI_Status> statuses;

  void reserveOne() {
    underWay.reserve(underWay.size() + 1);
    requests.reserve(requests.size() + 2);
    statuses.resize(requests.size() + 2);
  }
  bool readsFrom(const PairwiseUnderWay &exchange) const {
    return std::any_of(kept.begin(), kept.end(), [&](const ByteRange &range) {
      return range.meets(exchange.received) || range.meets(exchange.status);
    });
  }
};

OpenChain &chain() {
  static auto *only = new OpenChain; // the program may call MPI until it ends
  return *only;
}

/// Waits for what is under way. MPI_Sendrecv leaves the error field of its status alone.
void finish() {
  OpenChain &open = chain();
  if (open.requests.empty())
    return;
  MPI_Waitall(static_cast<int>(open.requests.size()), open.requests.data(), open.statuses.data());
  for (std::size_t number = 0; number < open.underWay.size(); ++number)
    if (MPI_Status *status = open.underWay[number].statusOfProgram; status != MPI_STATUS_IGNORE) {
      const int error = status->MPI_ERROR;
      *status = open.statuses[2 * number];
      status->MPI_ERROR = error;
    }
  open.underWay.clear();
  open.requests.clear();
}

void close() {
  finish();
  chain().scope = nullptr;
  chain().kept.clear();
  sendwright_interception &= ~interceptChain;
}

/// Whether this thread is the only one that may call MPI, and MPI is there. In a simulated run each
/// rank is a thread.
bool mayOverlap() {
  int begun = 0, ended = 0, level = 0, isMain = 0;
  return !disabled() && callsReachRuntime() && !(sendwright_interception & interceptStrict) &&
         PMPI_Initialized(&begun) == MPI_SUCCESS && begun &&
         PMPI_Finalized(&ended) == MPI_SUCCESS && !ended &&
         PMPI_Query_thread(&level) == MPI_SUCCESS && level <= MPI_THREAD_FUNNELED &&
         (isSimulated || (PMPI_Is_thread_main(&isMain) == MPI_SUCCESS && isMain));
}

bool isOrdinary(int source, int tag, MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL || source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG)
    return false;
  const CommunicatorInfo &info = communicatorInfo(communicator);
  return !info.intercommunicator && info.defaultErrorHandler;
}

/// Without a source the status is known at once; MPICH's MPI_Waitall would say something else.
int postReceive(PairwiseUnderWay &exchange, void *buffer, int count, MPI_Datatype datatype,
                int source, int tag, MPI_Comm communicator, MPI_Request *request) {
  if (source != MPI_PROC_NULL)
    return MPI_Irecv(buffer, count, datatype, source, tag, communicator, request);
  *request = MPI_REQUEST_NULL;
  MPI_Status *status = std::exchange(exchange.statusOfProgram, MPI_STATUS_IGNORE);
  const int error = status == MPI_STATUS_IGNORE ? 0 : status->MPI_ERROR;
  const int result = PMPI_Recv(buffer, count, datatype, source, tag, communicator, status);
  if (status != MPI_STATUS_IGNORE)
    status->MPI_ERROR = error;
  return result;
}

} // namespace

bool begin(const void *sent, int sentCount, MPI_Datatype sentType, int destination, int sentTag,
           void *received, int receivedCount, MPI_Datatype receivedType, int source,
           int receivedTag, MPI_Comm communicator, MPI_Status *status, int *result) {
  OpenChain &open = chain();
  PairwiseUnderWay exchange{{}, {}, {}, status};
  try {
    if (status != MPI_STATUS_IGNORE)
      exchange.status = rangeOf(status, sizeof *status);
    if (fortranCalls > 0 || !isOrdinary(source, receivedTag, communicator) ||
        !rangeOf(sent, sentCount, sentType, exchange.sent) ||
        !rangeOf(received, receivedCount, receivedType, exchange.received) ||
        exchange.sent.meets(exchange.received) || open.readsFrom(exchange)) {
      finish();
      return false;
    }
    if (std::any_of(open.underWay.begin(), open.underWay.end(),
                    [&](const PairwiseUnderWay &earlier) { return earlier.touches(exchange); }))
      finish();
    open.reserveOne();
  } catch (const std::bad_alloc &) {
    finish();
    return false;
  }
  MPI_Request requests[2];
  *result = postReceive(exchange, received, receivedCount, receivedType, source, receivedTag,
                        communicator, &requests[0]);
  if (*result != MPI_SUCCESS)
    return true;
  *result = MPI_Isend(sent, sentCount, sentType, destination, sentTag, communicator, &requests[1]);
  if (*result != MPI_SUCCESS)
    requests[1] = MPI_REQUEST_NULL;
  open.underWay.push_back(exchange);
  open.requests.insert(open.requests.end(), requests, requests + 2);
  return true;
}

bool begin(void *, int, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Status *, int *) {
  finish();
  return false;
}

} // namespace sendwright::chains

extern "C" {

__attribute__((visibility("default"))) void sendwright_chain_begin(sendwright_chain_scope *scope) {
  using namespace sendwright::chains;
  if (chain().scope)
    close(); // it was left without a call of its end
  if (!mayOverlap() || !overlapsInTurn(*scope->site))
    return;
  chain().scope = scope;
  sendwright_interception |= sendwright::interceptChain;
}

__attribute__((visibility("default"))) void sendwright_chain_reads(const void *address,
                                                                   unsigned long size) {
  using namespace sendwright::chains;
  if (!chain().scope)
    return;
  try {
    chain().kept.push_back(rangeOf(address, size));
  } catch (const std::bad_alloc &) {
    close();
  }
}

__attribute__((visibility("default"))) void sendwright_chain_end(sendwright_chain_scope *scope) {
  using namespace sendwright::chains;
  if (chain().scope == scope)
    close();
}
}
