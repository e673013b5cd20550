/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Sends a row; after an edit, or compiled with SCALED, from a buffer that each call overwrites. */

#include <mpi.h>

int send_row(const double *row, int count, int to) {
#ifdef SCALED
  static double scaled[64];
  for (int i = 0; i < count; i++)
    scaled[i] = 2 * row[i];
  row = scaled;
#endif
  return MPI_Send(row, count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
}
