/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "phase.h"

void communicate(struct phase *phase, int tag) {
  int i;
  for (i = 0; i < phase->receive_count; i++) {
    const struct message *m = &phase->receives[i];
    MPI_Irecv(m->values, m->count, MPI_DOUBLE, m->peer, tag, MPI_COMM_WORLD, &phase->requests[i]);
  }
  for (i = 0; i < phase->send_count; i++) {
    const struct message *m = &phase->sends[i];
    MPI_Send(m->values, m->count, MPI_DOUBLE, m->peer, tag, MPI_COMM_WORLD);
  }
  MPI_Waitall(phase->receive_count, phase->requests, MPI_STATUSES_IGNORE);
}
