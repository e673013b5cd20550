// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-up of MpiFunctions.def.

#ifndef SENDWRIGHT_ANALYSIS_MPI_MPIFUNCTIONS_H
#define SENDWRIGHT_ANALYSIS_MPI_MPIFUNCTIONS_H

#include <cstdint>
#include <string_view>

namespace sendwright {

enum class MpiRole : std::uint8_t {
  Send,
  BufferedSend,
  ReadySend,
  SynchronousSend,
  NonblockingSend,
  NonblockingBufferedSend,
  NonblockingReadySend,
  NonblockingSynchronousSend,
  Receive,
  NonblockingReceive,
  SendReceive,
  Probe,
  MatchedReceive,
  PersistentInit,
  Start,
  Completion,
  RequestFree,
  Cancel,
  Collective,
  NeighborCollective,
  NonblockingCollective,
  CommunicatorFree,
  Environment,
  Query
};

enum class BatchEffect : std::uint8_t { Capture, Complete, Remember, Pass, Flush };

/// The functions of MpiFunctions.def, in its order.
enum class MpiFunctionId : std::uint16_t {
#define MPI_FUNCTION(name, ...) name,
#include "analysis/mpi/MpiFunctions.def"
};

/// One line of MpiFunctions.def. Indices of missing arguments are -1.
struct MpiFunction {
  MpiFunctionId id;
  std::string_view name; ///< with the prefix MPI_
  MpiRole role;
  BatchEffect effect;
  int buffer, count, datatype, peer, tag, communicator, request;
};

/// The function of that name ("MPI_Send" or "PMPI_Send"), or null. O(1), thread-safe.
const MpiFunction *findMpiFunction(std::string_view name);

/// The line of `id`. Thread-safe.
const MpiFunction &mpiFunction(MpiFunctionId id);

/// The number of lines.
std::size_t mpiFunctionCount();

/// True for the eight functions that send one message in one call (neither persistent nor
/// Sendrecv).
bool isSend(MpiRole role);

} // namespace sendwright

#endif
