/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A barrier in C for a Fortran program, in a marked loop. */

#include "recorded.h"

#include <mpi.h>

void recorded_barrier_(MPI_Fint *communicator) {
  MARK(first)
  MPI_Barrier(MPI_Comm_f2c(*communicator));
  END_MARK
}
