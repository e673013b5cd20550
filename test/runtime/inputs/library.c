/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A library that sends. */

#include <mpi.h>

void library_send(int tag) { MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD); }
