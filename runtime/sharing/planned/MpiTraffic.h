// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MPI itself carries on MPI_COMM_WORLD while a plan's messages are shared: whether each
// message that was sent has met a receive, and each receive a message. Then the runtime may carry
// later messages of all pairs of ranks, because none of MPI's can come to a receive that is posted
// later.
//
// Each rank adds a hash of (source, destination, tag) for a message that it sends, and subtracts it
// for a receive that it posts. If the sums of all ranks add up to 0, messages and receives are the
// same. What is not counted (a receive from any source, a persistent request) counts as unknown; a
// receive or send that is forgotten here keeps the sum from being 0.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_MPITRAFFIC_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_MPITRAFFIC_H

#include "runtime/sharing/planned/EnvelopeHash.h"

#include <mpi.h>

#include <cstdint>

namespace sendwright::exchange {

class MpiTraffic {
public:
  void begin(int worldRank) { rank = worldRank; }

  void noteSend(MPI_Comm communicator, int destination, int tag) {
    if (communicator == MPI_COMM_WORLD && destination >= 0)
      total += envelopeHash(0, rank, destination, tag);
  }
  void noteReceive(MPI_Comm communicator, int source, int tag) {
    if (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG)
      noteUnknown(communicator);
    else if (communicator == MPI_COMM_WORLD && source >= 0)
      total -= envelopeHash(0, source, rank, tag);
  }
  /// A call sends or receives in a way that is not counted, now or later.
  void noteUnknown(MPI_Comm communicator) { unknown |= communicator == MPI_COMM_WORLD; }

  std::uint64_t sum() const { return total; } ///< modulo 2^64
  bool isUnknown() const { return unknown; }

private:
  int rank = 0;
  std::uint64_t total = 0;
  bool unknown = false;
};

} // namespace sendwright::exchange

#endif
