// A profile has what ranks computed between directives, and plan says which sizes of blocks would have been best for
// it: sizes that stay, for a load that stays; an interval, for one that does not; none, for rows that cost the same.
// Simulated, because then computing takes what it is charged: a row costs some milliseconds.
//
// REQUIRES: smpicc
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %source_root/test/benchmark/testbed/smpi compile -O1 -g %generate %s -o profiled \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: env SENDWRIGHT_PROFILE=app.prof %source_root/test/benchmark/testbed/smpi run 4 \
// RUN:   %source_root/examples/platforms/infiniband.xml ./profiled | %FileCheck %s --check-prefix=OUTPUT
// RUN: %sendwright show app.prof | %FileCheck %s --check-prefix=SHOW
// RUN: %sendwright plan app.prof -o app.plan --machine %source_root/examples/platforms/infiniband.json > plan.out
// RUN: %FileCheck %s --check-prefix=PLAN < plan.out
// RUN: %sendwright show --json app.prof | %FileCheck %s --check-prefix=JSON
//
// OUTPUT: 0 wrong
//
// SHOW: loads: what ranks computed between redistribute directives of an array
// SHOW-NEXT: redistribution-loads-in-profiles.c:[[#]] in main, array staying, executed 8 times: 16 rows of 8 B on 4 processors
// SHOW-NEXT: the busiest ranks computed 288 ms, all of them 96 ms on average
// SHOW-NEXT: array said, executed 100 times: 16 rows of 32 B on 4 processors
// SHOW-NOT: best
//
// PLAN: array staying, executed 8 times
// PLAN: predicted on the machine: 288 ms as it was, 144 ms with the best sizes (50 % less), 96 ms if the load were even
// PLAN-NEXT: best: blocks that stay, of [[#]] {{.*}} rows
// PLAN: array said, executed 100 times
// PLAN: predicted on the machine: {{.*}} as it was, 900 ms with the best sizes
// PLAN-NEXT: best: blocks that stay, of 13 1 1 1 rows
// PLAN: array flipping, executed 8 times
// PLAN: predicted on the machine: 176 ms as it was, 88 ms with the best sizes (50 % less)
// PLAN-NEXT: best: rebalanced every 4 executions, moving once; blocks of rows
// PLAN-NEXT: from execution 0 on: 5 1 1 1
// PLAN-NEXT: from execution 4 on: 1 1 1 5
// PLAN: array flat, executed 4 times
// PLAN: predicted on the machine: 16 ms as it was, 16 ms with the best sizes (0.056 % less), 16 ms if the load were even
// PLAN-NEXT: best: blocks that stay, of 2 2 2 2 rows
//
// JSON: "loads":[{"site":"{{.*}}redistribution-loads-in-profiles.c:{{[0-9]+}}","function":"main","array":"staying","rows":16,

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;

/* Charges the costs of this rank's rows, in milliseconds, and waits for all. */
static void compute(const double *costs, const int *sizes) {
  int first = 0;
  double sum = 0;
  for (int i = 0; i < rank; i++)
    first += sizes[i];
  for (int row = first; row < first + sizes[rank]; row++)
    sum += costs[row];
  smpi_execute_flops(sum * 1e7);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma hpf processors P(4)
#pragma hpf dynamic
  {
    int sizes[4] = {4, 4, 4, 4};
    double costs[16], *staying = malloc(4 * sizeof *staying);
    for (int row = 0; row < 16; row++)
      costs[row] = row < 12 ? 1 : 9;
#pragma hpf distribute staying(gen_block(sizes)) onto P
    for (int step = 0; step < 8; step++) {
      compute(costs, sizes);
#pragma hpf redistribute staying(gen_block(sizes))
    }
    free(staying);
  }
  { /* The program says what rows cost, so the rank's time is spread over them; four kinds of rows in a block. */
    int sizes[4] = {13, 1, 1, 1};
    double costs[16], (*said)[4] = malloc(16 * sizeof *said);
    for (int row = 0; row < 16; row++)
      costs[row] = row < 12 ? 0.25 : row == 12 ? 6 : 9;
#pragma hpf distribute said(gen_block(sizes), *) onto P
    for (int step = 0; step < 100; step++) {
      compute(costs, sizes);
      int first = 0;
      for (int i = 0; i < rank; i++)
        first += sizes[i];
      double *mine = costs + first;
#pragma hpf redistribute said(balance(mine, sizes), *)
    }
    free(said);
  }
  {
    int sizes[4] = {2, 2, 2, 2};
    double costs[8], *flipping = malloc(2 * sizeof *flipping);
#pragma hpf distribute flipping(gen_block(sizes)) onto P
    for (int step = 0; step < 8; step++) {
      for (int row = 0; row < 8; row++)
        costs[row] = (step < 4 ? row > 3 : row < 4) ? 11 : 0;
      compute(costs, sizes);
#pragma hpf redistribute flipping(gen_block(sizes))
    }
    free(flipping);
  }
  {
    int sizes[4] = {2, 2, 2, 2};
    double costs[8], *flat = malloc(2 * sizeof *flat);
    for (int row = 0; row < 8; row++)
      costs[row] = 2;
#pragma hpf distribute flat(gen_block(sizes)) onto P
    for (int step = 0; step < 4; step++) {
      compute(costs, sizes);
#pragma hpf redistribute flat(gen_block(sizes))
    }
    free(flat);
  }
  if (rank == 0)
    printf("0 wrong\n");
  MPI_Finalize();
  return 0;
}
