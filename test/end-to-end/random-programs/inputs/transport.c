/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Sends and waits in a separate file; see transport.h. */

#include "transport.h"

#define DEFINE(MODE)                                                                               \
  int transport_##MODE(const void *buffer, int count, MPI_Datatype type, int peer, int tag,        \
                       MPI_Comm comm) {                                                            \
    CHECK(MPI_##MODE(buffer, count, type, peer, tag, comm));                                       \
    return MPI_SUCCESS;                                                                            \
  }
BLOCKING_MODES(DEFINE)
#undef DEFINE
#define DEFINE(MODE)                                                                               \
  int transport_##MODE(const void *buffer, int count, MPI_Datatype type, int peer, int tag,        \
                       MPI_Comm comm, MPI_Request *request) {                                      \
    CHECK(MPI_##MODE(buffer, count, type, peer, tag, comm, request));                              \
    return MPI_SUCCESS;                                                                            \
  }
NONBLOCKING_MODES(DEFINE)
#undef DEFINE

void transport_finish(struct exchange *x) {
  MPI_Waitall(x->request_count, x->requests, MPI_STATUSES_IGNORE);
  for (int i = x->pending_count - 1; i >= 0; i--) {
    MPI_Wait(&x->pending[i].request, MPI_STATUS_IGNORE);
    if (x->pending[i].request != MPI_REQUEST_NULL)
      x->added += 77;
  }
  x->pending_count = 0;
}
