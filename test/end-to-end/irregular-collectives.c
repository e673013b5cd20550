// A sparse MPI_Alltoallv goes from the profile to the run: the plan replaces it on the communicator where MPI
// goes from partner to partner, and leaves the dense one; remarks and `show` say why; the rebuilt program
// prints what the original does, also on another number of ranks, and MPI's function is called only where it
// was left. Without the machine's row for alltoallv, there is nothing to gain.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 %s -o %t/original
// RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
// RUN: %mpirun 8 %t/original > %t/expected
// RUN: env SENDWRIGHT_PROFILE=%t/p.prof %mpirun 8 %t/profiled > %t/profiled.out
// RUN: cmp %t/expected %t/profiled.out
// RUN: %sendwright plan --machine %S/inputs/pairwise-alltoallv.json %t/p.prof -o %t/p.plan | %FileCheck %s --check-prefix=PLAN
// RUN: %sendwright show %t/p.plan | %FileCheck %s --check-prefix=PLAN
// RUN: %sendwright show --json %t/p.plan | %FileCheck %s --check-prefix=JSON
// RUN: %sendwright simulate %t/p.prof --machine %S/inputs/pairwise-alltoallv.json --plan %t/p.plan > %t/simulated
// RUN: %mpicc -O1 -g %use=%t/p.plan -fplugin-arg-sendwright-remarks=all %s -o %t/rebuilt %runtime 2>&1 | %FileCheck %s
// RUN: %mpirun 8 %t/rebuilt > %t/rebuilt.out 2> %t/calls
// RUN: cmp %t/expected %t/rebuilt.out
// RUN: %FileCheck %s --check-prefix=CALLS < %t/calls
// RUN: %mpirun 6 %t/original > %t/six.expected
// RUN: %mpirun 6 %t/rebuilt > %t/six.out
// RUN: cmp %t/six.expected %t/six.out
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 8 %t/rebuilt > %t/disabled.out
// RUN: cmp %t/expected %t/disabled.out
// RUN: %sendwright plan --machine %S/sharing/inputs/latency-bound.json %t/p.prof -o %t/other.plan | %FileCheck %s --check-prefix=LINEAR
//
// PLAN: MPI_Alltoallv at {{.*}}irregular-collectives.c:[[#]]: replace
// PLAN-NEXT: a rank has data for 2 others on average, and at most 2 blocks leave or reach a rank; sent {{.*}} us instead of {{.*}} us a call
// PLAN-NEXT: 20 calls on a communicator of 8 ranks
// PLAN: MPI_Alltoallv at {{.*}}irregular-collectives.c:[[#]]: leave
// PLAN-NEXT: in 20 of 20 calls some rank has data for more than half of the others
// JSON: "irregular_collectives":{{.}}{"function":"MPI_Alltoallv"
// JSON-SAME: "replaced":true
// CHECK: irregular-collectives.c:[[# @LINE + 33]]:5: remark: MPI_Alltoallv done by 'irregular-collectives' for 8 ranks: a rank has data for 2 others
// CHECK: irregular-collectives.c:[[# @LINE + 35]]:5: remark: MPI_Alltoallv left to MPI: in 20 of 20 calls
// CALLS: 20 calls of MPI's function
// LINEAR: messages of its own are not predicted to be clearly faster

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int left_to_mpi;

int PMPI_Alltoallv(const void *out, const int *counts, const int *places, MPI_Datatype type, void *in,
                   const int *in_counts, const int *in_places, MPI_Datatype in_type, MPI_Comm comm) {
  int (*next)(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,
              MPI_Datatype, MPI_Comm) = dlsym(RTLD_NEXT, "PMPI_Alltoallv");
  ++left_to_mpi;
  return next(out, counts, places, type, in, in_counts, in_places, in_type, comm);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, counts[8] = {0}, from_counts[8] = {0}, all[8], places[8];
  double out[8], in[8], sum = 0, whole = 0;
  MPI_Comm dense;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &dense);
  for (int other = 0; other < size; ++other)
    places[other] = other, all[other] = 1, out[other] = rank * 100 + other, in[other] = 0;
  counts[(rank + 1) % size] = counts[(rank + 3) % size] = 1;
  from_counts[(rank + size - 1) % size] = from_counts[(rank + size - 3) % size] = 1;
  for (int iteration = 0; iteration < 20; ++iteration) {
    MPI_Alltoallv(out, counts, places, MPI_DOUBLE, in, from_counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int other = 0; other < size; ++other)
      sum += in[other] * (other + 1) + iteration, out[other] += 1;
    MPI_Alltoallv(out, all, places, MPI_DOUBLE, in, all, places, MPI_DOUBLE, dense);
    for (int other = 0; other < size; ++other)
      sum += in[other] * (other + 2), in[other] = 0;
  }
  MPI_Reduce(&sum, &whole, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%.17g\n", whole);
    fprintf(stderr, "%d calls of MPI's function\n", left_to_mpi);
  }
  MPI_Comm_free(&dense);
  MPI_Finalize();
}
