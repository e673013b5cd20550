// One rank's part of the plan is damaged, in a program that all ranks share: they agree not to
// synchronise, one line says so, and the program runs on. Fails when other ranks wait for that rank.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/run.prof %mpirun 3 %t/profiled
// RUN: %sendwright plan %t/run.prof -o %t/run.plan --synchronize component
// RUN: %mpicc -O1 -g %use=%t/run.plan %s -o %t/synchronized %runtime
// RUN: %mpirun 3 %t/synchronized > %t/out 2>&1; %FileCheck %s --check-prefix=INTACT < %t/out
// RUN: for rank in 0 1 2; do cp %t/synchronized %t/damaged && %S/../inputs/damage-steps %t/damaged %t/run.plan 3 $rank && \
// RUN:   { %mpirun 3 %t/damaged > %t/out 2>&1; test $? = 0; } && %FileCheck %s < %t/out || exit 1; done
// INTACT-NOT: sendwright:
// INTACT: sum 6
// CHECK-NOT: sendwright:
// CHECK-DAG: sendwright: {{a rank cannot read its part of|another rank cannot follow}} the plan: nothing is synchronised
// CHECK-DAG: sum 6
// CHECK-NOT: sendwright:

#include <mpi.h>

#include <stdio.h>

int main(int argc, char **argv) {
  int rank, value = 0, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 2; ++round, sum += value) {
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Allreduce(&sum, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %d\n", value);
  MPI_Finalize();
  return 0;
}
