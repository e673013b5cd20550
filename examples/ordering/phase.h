/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* One phase of the products' communication: what a rank sends and receives. */

#ifndef ORDERING_PHASE_H
#define ORDERING_PHASE_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

struct message {
  int peer, count;
  double *values;
};

struct phase {
  int send_count, receive_count;
  struct message *sends, *receives;
  MPI_Request *requests; /* one for each receive */
};

/* Sends in the order of the list, and waits for all receives. */
void communicate(struct phase *phase, int tag);

#ifdef __cplusplus
}
#endif

#endif
