/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The other half of exchange.c built with -DSEND=...: a wrapper in a separate file. */

#include <mpi.h>

int send_to(const unsigned *buffer, int count, int to) {
  return MPI_Send(buffer, count, MPI_UNSIGNED, to, 7, MPI_COMM_WORLD);
}
