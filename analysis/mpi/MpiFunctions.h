// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-up of MpiFunctions.def.

#ifndef SENDWRIGHT_ANALYSIS_MPI_MPIFUNCTIONS_H
#define SENDWRIGHT_ANALYSIS_MPI_MPIFUNCTIONS_H

#include "analysis/mpi/Collective.h"

#include <cstddef>
#include <cstdint>
#include <optional>
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
  CommunicatorDisconnect,
  Environment,
  RequestQuery,
  Query
};

enum class BatchEffect : std::uint8_t { Capture, Complete, Remember, Pass, Flush };

/// Whose data a collective hands to whom, and so who waits for whom.
enum class CollectiveFlow : std::uint8_t {
  None, ///< nothing is implied: topologies, duplicates, neighbourhoods, intercommunicators
  AllToAll,
  FromRoot,
  ToRoot,
  Prefix ///< each rank of the communicator from those before it
};

/// What count and datatype of a collective say.
enum class CollectiveAmount : std::uint8_t {
  Nothing,      ///< it carries no data
  Block,        ///< a block, of the same size at every rank
  OwnBlock,     ///< a block; other ranks' blocks may have other sizes
  BlockForEach, ///< a block for each partner, all of the same size
  CountForEach, ///< an array: a block of its own size, which may be empty, for each partner
  Context,      ///< no data of the program: the ranks agree on the number of a new communicator
  Membership    ///< likewise: each rank tells all others its colour, key and rank
};

/// How many of its requests a completion completes.
enum class Completes : std::uint8_t { None, All, Any, Some };

/// The functions of MpiFunctions.def, in its order.
enum class MpiFunctionId : std::uint16_t {
#define MPI_FUNCTION(name, ...) name,
#include "analysis/mpi/MpiFunctions.def"
};

/// Indices of the arguments that describe one message.
struct MessageArguments {
  int buffer = -1, count = -1, datatype = -1, peer = -1, tag = -1;
};

/// One line of MpiFunctions.def. Indices of missing arguments are -1.
struct MpiFunction {
  MpiFunctionId id;
  std::string_view name; ///< with the prefix MPI_
  MpiRole role;
  BatchEffect effect;
  int buffer, count, datatype, peer, tag, communicator, request;

  // Collectives.
  std::optional<Collective> operation = {}; ///< as which a simulated run does it
  CollectiveFlow flow = CollectiveFlow::None;
  CollectiveAmount amount = CollectiveAmount::Nothing;

  // Completions and probes.
  bool polls = false; ///< it returns at once
  Completes completes = Completes::None;
  int message = -1; ///< for a probe: the handle of a matched message

  MessageArguments received = {}; ///< for SendReceive
};

/// The function of that name ("MPI_Send" or "PMPI_Send"), or null. O(1), thread-safe.
const MpiFunction *findMpiFunction(std::string_view name);

/// The line of `id`. Thread-safe.
const MpiFunction &mpiFunction(MpiFunctionId id);

/// The first function of the table that does the operation. Linear, thread-safe.
const MpiFunction &mpiFunction(Collective operation);

/// The number of lines.
std::size_t mpiFunctionCount();

/// True for the eight functions that send one message in one call (neither persistent nor
/// Sendrecv).
bool isSend(MpiRole role);
bool isBufferedSend(MpiRole role);
bool isReadySend(MpiRole role);
bool isSynchronousSend(MpiRole role);

/// True for functions that receive one message, blocking or not (neither persistent nor Sendrecv).
bool isReceive(MpiRole role);

/// True for blocking, non-blocking and neighbourhood collectives.
bool isCollective(MpiRole role);

/// True for functions that complete, free or cancel requests.
bool endsRequests(MpiRole role);

/// True for a blocking collective in which every rank needs something from every other, if only to
/// know that it has come.
bool isSynchronizing(const MpiFunction &function);

/// True for a completion that returns when all its requests are complete.
bool waitsForAll(const MpiFunction &function);

} // namespace sendwright

#endif
