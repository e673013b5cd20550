// A rank that sends messages which the profile does not have stops synchronising and goes on, and
// so do ranks that would have waited for it; rank 0, which waits for none of them, says so at the
// end. Fails when a rank waits for one that left (the run hangs), or when no rank says so.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/run.prof %mpirun 3 %t/profiled 4
// RUN: %sendwright plan %t/run.prof -o %t/run.plan --synchronize component
// RUN: %mpicc -O1 -g %use=%t/run.plan %s -o %t/synchronized %runtime
// RUN: %mpirun 3 %t/synchronized 4 2>&1 | %FileCheck %s --check-prefix=SAME
// RUN: %mpirun 3 %t/synchronized 6 2>&1 | %FileCheck %s --check-prefix=MORE
// RUN: %mpirun 3 %t/synchronized 2 2>&1 | %FileCheck %s --check-prefix=FEWER
// SAME-NOT: sendwright:
// SAME: sum 12
// MORE-DAG: sendwright: this run communicates differently from its profile (another rank does)
// MORE-DAG: sum 18
// FEWER-DAG: sendwright: this run communicates differently from its profile (another rank does)
// FEWER-DAG: sum 6

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, value = 0, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int rounds = argc > 1 ? atoi(argv[1]) : 4, partner = 3 - rank;
  if (rank == 0) {
    for (int worker = 1; worker <= 2; ++worker, sum += value)
      MPI_Recv(&value, 1, MPI_INT, worker, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("sum %d\n", sum);
  } else {
    for (int round = 0; round < rounds; ++round, sum += value) {
      MPI_Send(&rank, 1, MPI_INT, partner, 0, MPI_COMM_WORLD);
      MPI_Recv(&value, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Send(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
