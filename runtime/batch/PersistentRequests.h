// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's own persistent requests. MPI does not tell what a request will send, and to whom,
// so this is remembered when the request is created, in a batch or not. A start within a batch is
// then held like a nonblocking send whose request the program created earlier.

#ifndef SENDWRIGHT_RUNTIME_BATCH_PERSISTENTREQUESTS_H
#define SENDWRIGHT_RUNTIME_BATCH_PERSISTENTREQUESTS_H

#include "runtime/base/HandleTable.h"
#include "runtime/base/HeldSend.h"

#include <mpi.h>

namespace sendwright {

struct PersistentRequest {
  bool sends = false; ///< false: a receive or a send to MPI_PROC_NULL; its start needs no flush
  SendMode mode = SendMode::Standard;
  SendArguments arguments{};
  int worldRank = -1;              ///< of the destination
  unsigned communicatorNumber = 0; ///< the communicator may be freed while the request lives
};

/// By handle. Not thread-safe; constant time on average. The null handle is known to nobody.
class PersistentRequests {
public:
  /// Throws std::bad_alloc; the request is then not known.
  void remember(MPI_Request handle, const PersistentRequest &request) { known[handle] = request; }
  void forget(MPI_Request handle) noexcept { known.erase(handle); }
  bool contains(MPI_Request handle) const { return known.contains(handle); }

  /// What a start of `handle` does; null if it is not known or must not be deferred.
  const PersistentRequest *startable(MPI_Request handle) const;

private:
  HandleTable<RequestHandle, PersistentRequest> known;
};

} // namespace sendwright

#endif
