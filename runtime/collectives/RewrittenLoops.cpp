// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of sendwright/collectives.h.

#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Flush.h"
#include "runtime/collectives/Operation.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <cstdio>
#include <new>

namespace sendwright::collectives {

namespace {

static_assert(unsigned(Collective::Broadcast) == SENDWRIGHT_BROADCAST &&
              unsigned(Collective::Scatter) == SENDWRIGHT_SCATTER &&
              unsigned(Collective::Gather) == SENDWRIGHT_GATHER &&
              unsigned(Collective::Allgather) == SENDWRIGHT_ALLGATHER &&
              unsigned(Collective::AllToAll) == SENDWRIGHT_ALL_TO_ALL &&
              unsigned(Collective::Reduce) == SENDWRIGHT_REDUCE);

/// Other ranks wait for what this rank should pass on. The program's error handler is called first.
int endForMemory(MPI_Comm communicator) {
  const int rank = rankIn(MPI_COMM_WORLD);
  std::fprintf(stderr, "sendwright: rank %d has no memory for a collective\n", rank);
  PMPI_Comm_call_errhandler(communicator, MPI_ERR_NO_MEM);
  return PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
}

/// The planned operation; null if the call must run as written.
PlannedOperation *plannedFor(const CollectiveCall &part, MPI_Comm communicator) {
  PlannedOperation *planned =
      plannedOperations()->find(*part.site, communicator, part.root, part.first, part.end);
  if (!planned)
    return nullptr;
  if (static_cast<unsigned>(planned->collective->operation) != part.operation) {
    if (part.root >= 0)
      return nullptr;
    plannedOperations()->followCall(*planned, static_cast<Collective>(part.operation));
  }
  if (planned->collective->operation == Collective::Reduce && reductionOf(part) == MPI_OP_NULL)
    return nullptr;
  return planned;
}

/// The error that MPI's calls would report for the arguments. The rank takes part all the same,
/// without elements, because others wait for it.
int correct(CollectiveCall &part) {
  int error = MPI_SUCCESS;
  for (sendwright_blocks *blocks : {&part.send, &part.receive}) {
    if (!blocks->type)
      continue;
    if (*static_cast<const MPI_Datatype *>(blocks->type) == MPI_DATATYPE_NULL)
      error = MPI_ERR_TYPE;
    else if (blocks->count < 0)
      error = MPI_ERR_COUNT;
    if (blocks->count < 0)
      blocks->count = 0;
  }
  return error;
}

/// Fills the status as the last receive of the loop would have done.
void fillStatus(const CollectiveCall &part, const PlannedOperation &planned,
                exchange::PostedReceive &result) {
  const bool atRoot = planned.rank == planned.collective->root;
  const bool toRoot = planned.collective->operation == Collective::Gather ||
                      planned.collective->operation == Collective::Reduce;
  if (!part.status || part.root < 0 || atRoot != toRoot)
    return;
  const auto last = static_cast<int>(planned.collective->communicator.members.size()) - 1;
  result.statusSource = !toRoot ? part.root : part.root == last ? last - 1 : last;
  result.statusTag = part.tag;
  exchange::fillStatus(result, static_cast<MPI_Status *>(part.status));
}

/// Prints a line once for each loop.
void sayRefused(const Operation &operation, PlannedOperation &planned) {
  if (planned.rank == 0 && !planned.refused)
    std::fprintf(stderr,
                 "sendwright: %s runs as written: the blocks that a rank sends overlap the blocks "
                 "that it receives\n",
                 operation.place().c_str());
  planned.refused = true;
}

int perform(const CollectiveCall &asWritten) {
  const MPI_Comm communicator = *static_cast<const MPI_Comm *>(asWritten.communicator);
  PlannedOperation *planned = plannedFor(asWritten, communicator);
  if (!planned)
    return 0;
  if (planned->turns && !planned->turns->begin())
    return 0;
  flushBatches();
  CollectiveCall part = asWritten;
  const int wrong = correct(part);
  Operation operation(*plannedOperations(), *planned, part);
  exchange::PostedReceive result = operation.run();
  if (operation.isRefused()) {
    sayRefused(operation, *planned);
    return 0;
  }
  fillStatus(part, *planned, result);
  const int error = wrong != MPI_SUCCESS ? wrong : result.error;
  plannedOperations()->lastError = error;
  exchange::raise(communicator, error);
  return 1;
}

} // namespace

} // namespace sendwright::collectives

extern "C" {

__attribute__((visibility("default"))) int
sendwright_collective(const struct sendwright_collective *part) {
  using namespace sendwright::collectives;
  if (!plannedOperations())
    return 0;
  try {
    return perform(*part);
  } catch (const std::bad_alloc &) {
    return endForMemory(*static_cast<const MPI_Comm *>(part->communicator));
  }
}

__attribute__((visibility("default"))) int sendwright_collective_error(void) {
  using namespace sendwright::collectives;
  const PlannedOperations *operations = plannedOperations();
  return operations ? operations->lastError : MPI_SUCCESS;
}

__attribute__((visibility("default"))) int sendwright_collective_planned(sendwright_site *site,
                                                                         const void *communicator,
                                                                         long long first,
                                                                         long long end) {
  using namespace sendwright::collectives;
  const MPI_Comm handle = *static_cast<const MPI_Comm *>(communicator);
  try {
    PlannedOperations *operations = plannedOperations();
    PlannedOperation *planned =
        operations ? operations->find(*site, handle, -1, first, end) : nullptr;
    if (planned) // asked before and after the operation: the answer must not change in between
      planned->turns = nullptr;
    return planned != nullptr;
  } catch (const std::bad_alloc &) {
    return endForMemory(handle);
  }
}

} // extern "C"
