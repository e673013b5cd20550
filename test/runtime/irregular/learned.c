// A run without a plan learns which irregular collectives to do by messages of the runtime's own: all
// members begin in the same call. Results are right before, at and after that call, when blocks change
// and when the communicator is freed; calls whose blocks change from the start are left to MPI. Fails
// if nothing is learned, if a block is wrong, or if ranks disagree.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t 1 > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../inputs/latency-bound.json SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 6 %t
//
// CHECK-COUNT-3: sendwright: MPI_Neighbor_alltoallv among 6 ranks: from call 4 on {{.*}} (predicted
// CHECK-NOT: sendwright: MPI_Neighbor
// CHECK: done

#include "../inputs/irregular.h"

enum { ranks = 6, most = 9, calls = 40 };

static int learned_from; /* calls */

int PMPI_Neighbor_alltoallv(const void *out, const int *counts, const int *places, MPI_Datatype type, void *in,
                            const int *in_counts, const int *in_places, MPI_Datatype in_type, MPI_Comm comm) {
  int (*next)(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,
              MPI_Datatype, MPI_Comm) = dlsym(RTLD_NEXT, "PMPI_Neighbor_alltoallv");
  ++left_to_mpi;
  return next(out, counts, places, type, in, in_counts, in_places, in_type, comm);
}

/* Each rank's neighbours are all others. */
static MPI_Comm graph(void) {
  const int rank = my_rank();
  int others[ranks], count = 0;
  MPI_Comm made;
  for (int step = 1; step < ranks; ++step)
    others[count++] = (rank + step) % ranks;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, others, MPI_UNWEIGHTED, count, others, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &made);
  return made;
}

/* Elements from one rank to another: always the same (0), changing with each call (1), or later on (2). */
static int count_of(int call, int from, int to, int changes) {
  const int shift = changes == 1 ? call : changes == 2 && call > 20 ? call / 4 : 0;
  return (from * 3 + to * 5 + shift) % most;
}

static void run(MPI_Comm comm, int changes) {
  static double out[ranks * most], in[ranks * most];
  const int rank = my_rank();
  for (int call = 1; call <= calls; ++call) {
    int counts[ranks], in_counts[ranks], places[ranks], count = 0;
    for (int step = 1; step < ranks; ++step, ++count) {
      const int other = (rank + step) % ranks;
      places[count] = count * most;
      counts[count] = count_of(call, rank, other, changes);
      in_counts[count] = count_of(call, other, rank, changes);
      for (int element = 0; element < counts[count]; ++element)
        out[places[count] + element] = value(call, rank, other, element);
    }
    memset(in, 0, sizeof in);
    MPI_Neighbor_alltoallv(out, counts, places, MPI_DOUBLE, in, in_counts, places, MPI_DOUBLE, comm);
    count = 0;
    for (int step = 1; step < ranks; ++step, ++count)
      for (int element = 0; element < most; ++element)
        EXPECT(in[places[count] + element] ==
               (element < in_counts[count] ? value(call, (rank + step) % ranks, rank, element) : 0));
    if (call % 7 == 0) { /* other messages and calls between */
      int sum = 0, got = -1;
      MPI_Sendrecv(&call, 1, MPI_INT, (rank + 1) % ranks, 3, &got, 1, MPI_INT, (rank + ranks - 1) % ranks, 3,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      EXPECT(got == call && sum == ranks * call);
    }
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  learned_from = argc > 1 ? 3 : calls; /* MPI does three calls */
  EXPECT(rank_count() == ranks);
  MPI_Comm first = graph();
  run(first, 0);
  if (argc > 1)
    EXPECT(left_to_mpi == learned_from);
  MPI_Comm second = graph();
  run(second, 2);
  run(first, 0);
  if (argc > 1)
    EXPECT(left_to_mpi == 2 * learned_from);
  MPI_Comm_free(&first);
  first = graph(); /* perhaps with the handle of the freed one */
  left_to_mpi = 0;
  run(first, 1);
  if (argc > 1)
    EXPECT(left_to_mpi == calls);
  MPI_Comm_free(&second);
  second = graph();
  run(second, 0);
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0)
    printf("done\n");
  MPI_Finalize();
}
