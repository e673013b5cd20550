/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How long a move takes, over all ranks. */

#ifndef SENDWRIGHT_TEST_BENCHMARK_REDISTRIBUTION_TIMING_H
#define SENDWRIGHT_TEST_BENCHMARK_REDISTRIBUTION_TIMING_H

#include <mpi.h>

/* Seconds since `begin` (this rank's time); the same result on all ranks, which call it
 * together. Where ranks share a clock, as under SMPI, the time from when the last rank came
 * until the last rank was through: ranks leave a barrier one after another, which takes longer
 * there than a small move. Otherwise the time of the slowest rank. */
static double time_since(double begin) {
  const double end = MPI_Wtime();
  double mine[3] = {begin, end, end - begin}, last[3];
  int *global, known;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &known);
  MPI_Allreduce(mine, last, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return known && *global ? last[1] - last[0] : last[2];
}

#endif
