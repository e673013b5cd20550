// Sizes that only a run shows: the profile has them, the plan has the most frequent ones, and the rewritten
// source has a readable schedule for each. Whatever the sizes are then, the elements are the same.
//
// RUN: %mpicc -std=c99 -O1 -g %generate %s -o %t.profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 3 %t.profiled 7 | %FileCheck %s
// RUN: %sendwright show %t.prof | %FileCheck %s --check-prefix=SHOW
// RUN: %sendwright plan %t.prof -o %t.plan | %FileCheck %s --check-prefix=SHOW
// RUN: %sendwright simulate %t.prof | %FileCheck %s --check-prefix=SIMULATE
// RUN: %sendwright show --json %t.plan | %FileCheck %s --check-prefix=JSON
// RUN: %sendwright rewrite --diff %s --plan %t.plan -- -std=c99 | %FileCheck %s --check-prefix=DIFF
// RUN: %mpicc -std=c99 -O1 -g -Wall -Wextra -Werror %use=%t.plan %s -o %t %runtime
// RUN: %mpirun 3 %t 7 | %FileCheck %s
// RUN: %mpirun 3 %t 1 | %FileCheck %s
// RUN: %mpirun 2 %t 7 | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 3 %t 7 | %FileCheck %s
// CHECK: all elements are in place
//
// SHOW: redistributions: elements of each rank's block before and after
// SHOW-NEXT: redistribution-from-profile.c:[[#]] in main, 4 times
// SHOW-NEXT: from 4 4 4
// SHOW-NEXT: to 2 3 7
// SHOW-NEXT: redistribution-from-profile.c:[[#]] in main, 3 times
// SHOW-NEXT: from 2 3 7
// SHOW-NEXT: to 4 4 4
// SIMULATE: as it was, arrays redistributed by MPI_Alltoallv
// SIMULATE: redistribution-from-profile.c:[[#]] redistribute
// SIMULATE: arrays redistributed by their schedules
// SIMULATE: redistribution-from-profile.c:[[#]] redistribute
// SIMULATE: the schedules gain
// JSON: "redistributions":[{"site":"{{.*}}","function":"main","count":4,"before":[4,4,4],"after":[2,3,7]}
// DIFF: seen in the profile 4 times:
// DIFF-NEXT: elements of each rank before: 4 4 4
// DIFF-NEXT: elements of each rank after: 2 3 7
// DIFF-NEXT: rank 0 sends 2 to 1
// DIFF-NEXT: rank 1 sends 3 to 2
// DIFF: seen in the profile 3 times:
// DIFF: sendwright_hpf_redistribute_all(sendwright_site_

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int me, ranks, wrong = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int numbers[3] = {4, 4, 4}, *sizes = numbers, rounds = argc > 1 ? atoi(argv[1]) : 0;
  int *A = malloc(4 * sizeof *A);
  for (int i = 0; i < 4; i++)
    A[i] = 4 * me + i;
#pragma hpf processors P(ranks)
#pragma hpf distribute A(block) onto P extent(4 * ranks)
#pragma hpf dynamic A
  for (int round = 0; round < rounds; round++) {
    const int uneven = round % 2 == 0;
    sizes[0] = uneven ? 2 : 4;
    sizes[1] = uneven ? 3 : 4;
    sizes[ranks - 1] = 4 * ranks - sizes[0] - (ranks > 2 ? sizes[1] : 0);
#pragma hpf redistribute A(gen_block(sizes))
    int first = 0;
    for (int rank = 0; rank < me; rank++)
      first += sizes[rank];
    for (int i = 0; i < sizes[me]; i++)
      wrong += A[i] != first + i;
  }
  free(A);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0)
    puts(all == 0 ? "all elements are in place" : "elements are not in place");
  MPI_Finalize();
  return 0;
}
