// Collectives are recorded with their root, as a world rank, and with the bytes that this rank
// contributes: for arrays of counts their sum, for all-to-all the sum over all ranks, in place
// nothing that the call does not say. Nonblocking collectives have a request.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 3 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines

// CHECK: rank 2
// CHECK-NEXT: collective barrier
// CHECK-NEXT: collective bcast root=1 bytes=16
// CHECK-NEXT: collective allreduce bytes=8
// CHECK-NEXT: collective alltoall bytes=12
// CHECK-NEXT: collective alltoallv bytes=24
// CHECK-NEXT: collective alltoallw bytes=24
// CHECK-NEXT: collective gather root=0 bytes=4
// CHECK-NEXT: collective reduce_scatter bytes=24
// CHECK-NEXT: collective iallgather req=0 bytes=4
// CHECK-NEXT: wait req=0
// CHECK: collective bcast root=0 bytes=4 comm={{[0-9]+}}
// CHECK: collective neighbor_alltoall bytes=8 comm={{[0-9]+}}
// CHECK-NEXT: collective ineighbor_alltoallv req=0 bytes=12 comm={{[0-9]+}}
// CHECK-NEXT: wait req=0

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, in[16] = {0}, out[16], counts[3] = {1, 2, 3}, places[3] = {0, 1, 3};
  int bytes[3] = {0, 4, 12}, ranks = 3, periodic = 1;
  MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_INT};
  MPI_Request request;
  MPI_Comm reversed, ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(in, 4, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
  // Rank r receives r + 1 elements from every rank.
  int receives[3] = {rank + 1, rank + 1, rank + 1}, at[3] = {0, rank + 1, 2 * rank + 2};
  MPI_Alltoallv(in, counts, places, MPI_INT, out, receives, at, MPI_INT, MPI_COMM_WORLD);
  int atBytes[3] = {0, 4 * (rank + 1), 8 * (rank + 1)};
  MPI_Alltoallw(in, counts, bytes, types, out, receives, atBytes, types, MPI_COMM_WORLD);
  MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Iallgather(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Bcast(in, 1, MPI_INT, 2, reversed); // world rank 0
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
  MPI_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, ring);
  // Two elements to the left, one to the right.
  int sends[2] = {2, 1}, from[2] = {1, 2};
  MPI_Ineighbor_alltoallv(in, sends, places, MPI_INT, out, from, places, MPI_INT, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
