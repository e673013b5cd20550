// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A send that is captured but not issued yet.

#ifndef SENDWRIGHT_RUNTIME_BASE_HELDSEND_H
#define SENDWRIGHT_RUNTIME_BASE_HELDSEND_H

#include <mpi.h>

#include <cstdint>

namespace sendwright {

enum class SendMode : std::uint8_t { Standard, Buffered, Ready };

/// The arguments of a send.
struct SendArguments {
  const void *buffer;
  int count;
  MPI_Datatype datatype;
  int destination;
  int tag;
  MPI_Comm communicator;
};

/// A nonblocking send is issued by starting `request`.
struct HeldSend {
  SendArguments arguments;
  MPI_Request request; ///< persistent, not started; MPI_REQUEST_NULL for a blocking send
  SendMode mode;
};

} // namespace sendwright

#endif
