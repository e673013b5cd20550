// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of the program: from MPI's arguments to blocks.

#include "runtime/base/Interception.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Flush.h"
#include "runtime/irregular/BlockExchange.h"
#include "runtime/irregular/IrregularCollectives.h"

#include <cstdio>
#include <new>

namespace sendwright::irregular {

namespace {

/// One side of a call: arrays with an entry for each rank.
template <typename Count, typename Place> struct Side {
  const void *buffer;
  const Count *counts;
  const Place *places;
  const MPI_Datatype *types;
  bool eachHasType; ///< `types` has one for each rank, and places are in bytes
};

struct TypeShape {
  MPI_Count size = 0;
  MPI_Aint extent = 0;
};

/// False if MPI refuses the datatype.
bool findShape(MPI_Datatype type, TypeShape &shape) {
  MPI_Aint least = 0;
  return type != MPI_DATATYPE_NULL && PMPI_Type_size_x(type, &shape.size) == MPI_SUCCESS &&
         PMPI_Type_get_extent(type, &least, &shape.extent) == MPI_SUCCESS;
}

/// MPI requires equal type signatures of a block at both ends, so both find it empty or neither
/// does.
template <typename Count, typename Place>
Blocks blocksOf(const Side<Count, Place> &side, const PlannedCalls &planned) {
  Blocks found;
  TypeShape shape;
  found.wrong = !side.counts || !side.places || !side.types ||
                (!side.eachHasType && !findShape(*side.types, shape));
  const auto ranks = static_cast<int>(planned.members().size());
  for (int distance = 1; distance <= ranks && !found.wrong; ++distance) {
    const int partner = (planned.rank + distance) % ranks;
    const Count count = side.counts[partner];
    const MPI_Datatype type = side.types[side.eachHasType ? partner : 0];
    found.wrong = count < 0 || (side.eachHasType && count > 0 && !findShape(type, shape));
    if (found.wrong || count == 0 || shape.size == 0)
      continue;
    const auto place = static_cast<MPI_Aint>(side.places[partner]);
    found.blocks.push_back(
        {static_cast<std::byte *>(const_cast<void *>(side.buffer)) +
             (side.eachHasType ? place : place * shape.extent),
         count, static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(shape.size), type,
         partner});
  }
  return found;
}

/// Other ranks wait for this rank's messages. The program's error handler is called first.
int endForMemory(MPI_Comm communicator) {
  std::fprintf(stderr, "sendwright: rank %d has no memory for an irregular collective\n",
               rankIn(MPI_COMM_WORLD));
  PMPI_Comm_call_errhandler(communicator, MPI_ERR_NO_MEM);
  return PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
}

template <typename Count, typename Place>
bool exchangeBlocks(const PlannedCalls &planned, const Side<Count, Place> &sent,
                    const Side<Count, Place> &received, MPI_Comm communicator, int *result) {
  try {
    const bool inPlace = sent.buffer == MPI_IN_PLACE;
    const Blocks incoming = blocksOf(received, planned);
    const Blocks outgoing = inPlace ? incoming : blocksOf(sent, planned);
    if (incoming.wrong || outgoing.wrong)
      return false;
    flushBatches();
    *result = BlockExchange(*plannedCommunicators(), planned).run(outgoing, incoming, inPlace);
    if (*result != MPI_SUCCESS)
      PMPI_Comm_call_errhandler(communicator, *result);
  } catch (const std::bad_alloc &) {
    *result = endForMemory(communicator);
  }
  return true;
}

/// Fortran's entry points call MPI past the wrappers, or not, as the implementation likes; so their
/// calls are left to MPI.
template <typename Count, typename Place>
bool replaceCall(MpiFunctionId function, const Side<Count, Place> &sent,
                 const Side<Count, Place> &received, MPI_Comm communicator, int *result) {
  const PlannedCalls *planned =
      fortranCalls > 0 ? nullptr : plannedCommunicators()->find(function, communicator);
  return planned && exchangeBlocks(*planned, sent, received, communicator, result);
}

} // namespace

bool replace(MpiFunctionId function, const void *sendBuffer, const int sendCounts[],
             const int sendPlaces[], MPI_Datatype sendType, void *receiveBuffer,
             const int receiveCounts[], const int receivePlaces[], MPI_Datatype receiveType,
             MPI_Comm communicator, int *result) {
  using ThisSide = Side<int, int>;
  return replaceCall(function, ThisSide{sendBuffer, sendCounts, sendPlaces, &sendType, false},
                     ThisSide{receiveBuffer, receiveCounts, receivePlaces, &receiveType, false},
                     communicator, result);
}

bool replace(MpiFunctionId function, const void *sendBuffer, const int sendCounts[],
             const int sendPlaces[], const MPI_Datatype sendTypes[], void *receiveBuffer,
             const int receiveCounts[], const int receivePlaces[],
             const MPI_Datatype receiveTypes[], MPI_Comm communicator, int *result) {
  using ThisSide = Side<int, int>;
  return replaceCall(function, ThisSide{sendBuffer, sendCounts, sendPlaces, sendTypes, true},
                     ThisSide{receiveBuffer, receiveCounts, receivePlaces, receiveTypes, true},
                     communicator, result);
}

#if MPI_VERSION >= 4
bool replace(MpiFunctionId function, const void *sendBuffer, const MPI_Count sendCounts[],
             const MPI_Aint sendPlaces[], MPI_Datatype sendType, void *receiveBuffer,
             const MPI_Count receiveCounts[], const MPI_Aint receivePlaces[],
             MPI_Datatype receiveType, MPI_Comm communicator, int *result) {
  using ThisSide = Side<MPI_Count, MPI_Aint>;
  return replaceCall(function, ThisSide{sendBuffer, sendCounts, sendPlaces, &sendType, false},
                     ThisSide{receiveBuffer, receiveCounts, receivePlaces, &receiveType, false},
                     communicator, result);
}

bool replace(MpiFunctionId function, const void *sendBuffer, const MPI_Count sendCounts[],
             const MPI_Aint sendPlaces[], const MPI_Datatype sendTypes[], void *receiveBuffer,
             const MPI_Count receiveCounts[], const MPI_Aint receivePlaces[],
             const MPI_Datatype receiveTypes[], MPI_Comm communicator, int *result) {
  using ThisSide = Side<MPI_Count, MPI_Aint>;
  return replaceCall(function, ThisSide{sendBuffer, sendCounts, sendPlaces, sendTypes, true},
                     ThisSide{receiveBuffer, receiveCounts, receivePlaces, receiveTypes, true},
                     communicator, result);
}

#endif

} // namespace sendwright::irregular
