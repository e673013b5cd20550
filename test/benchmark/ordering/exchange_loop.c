/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A loop of blocking sends with its receives posted before, as half of the public codes write
 * it. The benchmark contains it twice, so that one run can measure both in turn: once as written
 * here, once rebuilt by the plugin. EXCHANGE is the name of the function. */

#include "exchange.h"

#include <mpi.h>
#include <stdlib.h>

void EXCHANGE(const struct exchange *e, const int *order) {
  MPI_Request *requests = malloc((size_t)e->ranks * sizeof(MPI_Request));
  int i, count = 0;
  for (i = 0; i < e->ranks; i++)
    if (i != e->me && e->receive_bytes[i] > 0)
      MPI_Irecv(e->incoming + e->receive_offsets[i], e->receive_bytes[i], MPI_BYTE, i, 0,
                MPI_COMM_WORLD, &requests[count++]);
  for (i = 0; i < e->ranks; i++) {
    int to = order[i];
    if (to != e->me && e->send_bytes[to] > 0)
      MPI_Send(e->outgoing + e->send_offsets[to], e->send_bytes[to], MPI_BYTE, to, 0,
               MPI_COMM_WORLD);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  free(requests);
}
