// Collectives of neighbours on planned communicators deliver what MPI would: blocks whose sizes change from call
// to call, for oneself, empty ones; where a grid ends, nothing is sent or touched. Likewise where small blocks
// travel through other ranks.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: sed -n 's/^\/\/ DIRECT: //p' %s | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan %mpirun 6 %t 0 | %FileCheck %s
// RUN: sed -n 's/^\/\/ DIRECT: //p' %s | sed 's/^irregular.*/& grid=2x3 largest=48/' | %write_plan %t.routes
// RUN: env TEST_PLAN=%t.routes %mpirun 6 %t 0 | %FileCheck %s
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 6 %t 150 | %FileCheck %s
// RUN: %mpirun 6 %t 150 | %FileCheck %s
//
// DIRECT: ranks 6
// DIRECT: irregular MPI_Neighbor_alltoallv instance=1
// DIRECT: irregular MPI_Neighbor_alltoallw instance=1
// DIRECT: irregular MPI_Neighbor_alltoall instance=1
// DIRECT: irregular MPI_Neighbor_allgather instance=1
// DIRECT: irregular MPI_Neighbor_allgatherv instance=1
// DIRECT: irregular MPI_Neighbor_alltoallv instance=2
// DIRECT: irregular MPI_Neighbor_alltoallw instance=2
// DIRECT: irregular MPI_Neighbor_alltoall instance=2
// DIRECT: irregular MPI_Neighbor_allgather instance=2
// DIRECT: irregular MPI_Neighbor_allgatherv instance=2
//
// CHECK-NOT: sendwright:
// CHECK: all that was sent has arrived

#include "../inputs/neighbors.h"

enum { most = 5, room = 40 };
static const double untouched = -1;
static double in[most * room], out[most * room];

/* Neighbours, and which block of its source each incoming block is. */
static int sources[most], destinations[most], edge_of[most], degree;

/* Elements of a block; in MPI_Neighbor_allgatherv a rank has one block for all. */
static int size_of(int call, int from, int edge) { return elements(call, from + 10, edge + 1); }

/* Whether a block arrives: not where a grid ends. */
static int is_there(int index) { return sources[index] != MPI_PROC_NULL; }

static void check(int index, int place, int count, int step, int call, int edge) {
  for (int element = 0; is_there(index) && element < count; ++element) {
    double *at = &in[place + element * step];
    EXPECT(*at == value(call, sources[index], edge, element));
    *at = untouched;
  }
}

static void all_are_untouched(void) {
  for (int at = 0; at < most * room; ++at)
    EXPECT(in[at] == untouched);
}

static int size_of_incoming(int call, int index, int edge) {
  return is_there(index) ? size_of(call, sources[index], edge) : 3;
}

/* Blocks of their own sizes. */
static void exchange_varied(int call, MPI_Comm comm, MPI_Datatype gap) {
  int counts[most], places[most], in_counts[most], in_places[most];
  MPI_Aint byte_places[most], in_byte_places[most];
  MPI_Datatype types[most], in_types[most];
  for (int index = 0; index < degree; ++index) {
    counts[index] = size_of(call, my_rank(), index);
    in_counts[index] = size_of_incoming(call, index, edge_of[index]);
    places[index] = room * (degree - 1 - index);
    in_places[index] = room * index;
    byte_places[index] = places[index] * (MPI_Aint)sizeof(double);
    in_byte_places[index] = in_places[index] * (MPI_Aint)sizeof(double);
    types[index] = MPI_DOUBLE;
    in_types[index] = index % 2 ? gap : MPI_DOUBLE;
    for (int element = 0; element < counts[index]; ++element)
      out[places[index] + element] = value(call, my_rank(), index, element);
  }
  MPI_Neighbor_alltoallv(out, counts, places, MPI_DOUBLE, in, in_counts, in_places, MPI_DOUBLE, comm);
  for (int index = 0; index < degree; ++index)
    check(index, in_places[index], in_counts[index], 1, call, edge_of[index]);
  all_are_untouched();
  MPI_Neighbor_alltoallw(out, counts, byte_places, types, in, in_counts, in_byte_places, in_types, comm);
  for (int index = 0; index < degree; ++index)
    check(index, in_places[index], in_counts[index], index % 2 ? 2 : 1, call, edge_of[index]);
  all_are_untouched();
}

/* Blocks of one size. */
static void exchange_uniform(int call, MPI_Comm comm) {
  for (int index = 0; index < degree; ++index)
    for (int element = 0; element < 3; ++element)
      out[3 * index + element] = value(call, my_rank(), index, element);
  MPI_Neighbor_alltoall(out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, comm);
  for (int index = 0; index < degree; ++index)
    check(index, 3 * index, 3, 1, call, edge_of[index]);
  all_are_untouched();
}

/* The same block for all neighbours; in the second call ranks have blocks of different sizes. */
static void spread(int call, MPI_Comm comm, MPI_Datatype gap) {
  int in_counts[most], in_places[most];
  for (int element = 0; element < room; ++element)
    out[element] = value(call, my_rank(), 0, element);
  for (int index = 0; index < degree; ++index) {
    in_counts[index] = size_of_incoming(call, index, 0);
    in_places[index] = room / 2 * index; // in extents of the datatype
  }
  MPI_Neighbor_allgather(out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, comm);
  for (int index = 0; index < degree; ++index)
    check(index, 3 * index, 3, 1, call, 0);
  MPI_Neighbor_allgatherv(out, size_of(call, my_rank(), 0), MPI_DOUBLE, in, in_counts, in_places, gap, comm);
  for (int index = 0; index < degree; ++index)
    check(index, room * index, in_counts[index], 2, call, 0);
  all_are_untouched();
}

static void exchange_all(MPI_Comm comm, MPI_Datatype gap) {
  for (int at = 0; at < most * room; ++at)
    in[at] = untouched;
  for (int call = 0; call < 15; ++call) {
    exchange_varied(call, comm, gap);
    exchange_uniform(call, comm);
    spread(call, comm, gap);
  }
}

/* Edges to the next rank, to the rank after it, to itself, and back. */
static MPI_Comm graph(void) {
  const int rank = my_rank(), size = rank_count();
  const int next = (rank + 1) % size, far = (rank + 2) % size;
  const int before = (rank + size - 1) % size, far_before = (rank + size - 2) % size;
  const int to[most] = {next, far, rank, before, far_before}, from[most] = {rank, before, far, next, far_before};
  const int edges[most] = {2, 0, 4, 3, 1};
  degree = most;
  memcpy(destinations, to, sizeof to);
  memcpy(sources, from, sizeof from);
  memcpy(edge_of, edges, sizeof edges);
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, sources, MPI_UNWEIGHTED, degree, destinations,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  return comm;
}

/* Two rows without neighbours beyond them, three columns in a ring. */
static MPI_Comm grid(void) {
  const int sizes[2] = {2, 3}, periodic[2] = {0, 1};
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periodic, 0, &comm);
  degree = 4;
  for (int dimension = 0; dimension < 2; ++dimension) {
    MPI_Cart_shift(comm, dimension, 1, &sources[2 * dimension], &sources[2 * dimension + 1]);
    edge_of[2 * dimension] = 2 * dimension + 1;
    edge_of[2 * dimension + 1] = 2 * dimension;
  }
  return comm;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype gap;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gap);
  MPI_Type_commit(&gap);
  MPI_Comm first = graph();
  exchange_all(first, gap);
  MPI_Comm second = grid();
  exchange_all(second, gap);
  EXPECT(left_to_mpi == atoi(argv[1]));
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
  MPI_Type_free(&gap);
  if (my_rank() == 0)
    printf("all that was sent has arrived\n");
  MPI_Finalize();
}
