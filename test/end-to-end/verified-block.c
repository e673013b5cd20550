// A block of statements that sends is a site like a loop: a run that verifies its plan lets the block's
// executions take turns, and a plan that is made with measurements by which it lost leaves it as written.
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/app.c && cd %t
// RUN: %mpicc -O1 %generate app.c -o profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=app.prof %mpirun 4 ./profiled > expected
// RUN: %sendwright plan app.prof -o app.plan --choose models --threshold 0 > said
// RUN: %tools/bin/shuffle-plan app.prof app.plan shuffled.plan 1
// RUN: %mpicc -O1 %use=shuffled.plan app.c -o rebuilt %runtime 2> remarks
// RUN: %FileCheck %s --check-prefix=REMARK < remarks
// RUN: env SENDWRIGHT_VERIFY=verified.json %mpirun 4 ./rebuilt > got 2> table
// RUN: cmp expected got
// RUN: %FileCheck %s --check-prefix=TABLE < table
// RUN: sed 's/"gain_percent":.*}/"gain_percent":-50.0,"lowest_percent":-60.0,"highest_percent":-40.0}/' verified.json > lost.json
// RUN: %sendwright plan app.prof -o lost.plan --choose models --threshold 0 --verified lost.json | %FileCheck %s --check-prefix=LOST
//
// REMARK: app.c:{{[0-9]+}}:{{[0-9]+}}: remark: block of 3 sends reordered by 'message-ordering'
// TABLE: app.c:{{[0-9]+}} (message-ordering) {{ *}}60 {{.*}} % (
// LOST: app.c:{{[0-9]+}} in spread: leave

#include <mpi.h>
#include <stdio.h>

static int out[4], in;

static void spread(int rank, int ranks) {
  MPI_Send(&out[1], 1, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD);
  MPI_Send(&out[2], 1, MPI_INT, (rank + 2) % ranks, 2, MPI_COMM_WORLD);
  MPI_Send(&out[3], 1, MPI_INT, (rank + 3) % ranks, 3, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, ranks;
  unsigned sum = 0, all[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 60; ++step) {
    for (int to = 1; to < 4; ++to)
      out[to] = 100 * step + 10 * rank + to;
    spread(rank, ranks);
    for (int from = 1; from < 4; ++from) {
      MPI_Recv(&in, 1, MPI_INT, (rank + ranks - from) % ranks, from, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum = 31 * sum + in;
    }
  }
  MPI_Gather(&sum, 1, MPI_UNSIGNED, all, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  for (int from = 0; rank == 0 && from < 4; ++from)
    printf("%u\n", all[from]);
  MPI_Finalize();
}
