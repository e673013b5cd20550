// Where a rank is another's neighbour twice, implementations of MPI differ in which block goes where, and of a graph
// made by MPI_Graph_create nothing is known: MPI does these calls, on all ranks, even if a single rank names a
// neighbour twice. So it does a call with a wrong argument, which it refuses.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 4\nirregular MPI_Neighbor_alltoall instance=1\nirregular MPI_Neighbor_alltoall instance=2\nirregular MPI_Neighbor_alltoall instance=3\nirregular MPI_Neighbor_alltoall instance=4\n' | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t | %FileCheck %s
//
// CHECK-NOT: sendwright:
// CHECK: MPI did what it had to

#include "../inputs/neighbors.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int sizes[2] = {2, 2}, periodic[2] = {1, 0}, ring[1] = {4}, yes[1] = {1};
  const int index[4] = {1, 2, 3, 4}, edges[4] = {1, 0, 3, 2}, me = my_rank();
  // Rank 0 sends to rank 1 twice; the others have a ring.
  const int to[2] = {(me + 1) % 4, 1}, from[2] = {(me + 3) % 4, 0};
  MPI_Comm grid, known, graph, twice;
  int out[4] = {me, me, me, me}, in[4] = {-1, -1, -1, -1};
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periodic, 0, &grid);
  MPI_Cart_create(MPI_COMM_WORLD, 1, ring, yes, 0, &known);
  MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &graph);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, me == 1 ? 2 : 1, from, MPI_UNWEIGHTED, me == 0 ? 2 : 1, to,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &twice);
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
  EXPECT(left_to_mpi == 1 && in[0] == (me + 2) % 4);
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
  EXPECT(left_to_mpi == 2 && in[0] == (me ^ 1));
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, twice);
  EXPECT(left_to_mpi == 3 && in[0] == (me + 3) % 4 && (me != 1 || in[1] == 0));
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, known);
  EXPECT(left_to_mpi == 3 && in[0] == (me + 3) % 4 && in[1] == (me + 1) % 4);
  MPI_Comm_set_errhandler(known, MPI_ERRORS_RETURN);
  EXPECT(MPI_Neighbor_alltoall(out, 1, MPI_DATATYPE_NULL, in, 1, MPI_INT, known) != MPI_SUCCESS);
  EXPECT(left_to_mpi == 4);
  if (me == 0)
    printf("MPI did what it had to\n");
  MPI_Finalize();
}
