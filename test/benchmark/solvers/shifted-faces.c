// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The faces of a cube of ranks, shifted by MPI_Sendrecv one after the other, as codes with
// structured meshes do: in each iteration up, then down, in each dimension. Ranks at the border
// send to nobody.
//
// Usage: shifted-faces [ITERATIONS [BYTES]]: 200 iterations of faces of 32 bytes
//
// Prints a sum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { faces = 6, largest = 65536 };

static int neighbour[faces]; /* down and up in each dimension, or MPI_PROC_NULL */
static double out[faces][largest / sizeof(double)], in[faces][largest / sizeof(double)];

static void exchange(int bytes, MPI_Comm mesh) {
  MPI_Sendrecv(out[1], bytes, MPI_BYTE, neighbour[1], 0, in[0], bytes, MPI_BYTE, neighbour[0], 0,
               mesh, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out[0], bytes, MPI_BYTE, neighbour[0], 0, in[1], bytes, MPI_BYTE, neighbour[1], 0,
               mesh, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out[3], bytes, MPI_BYTE, neighbour[3], 0, in[2], bytes, MPI_BYTE, neighbour[2], 0,
               mesh, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out[2], bytes, MPI_BYTE, neighbour[2], 0, in[3], bytes, MPI_BYTE, neighbour[3], 0,
               mesh, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out[5], bytes, MPI_BYTE, neighbour[5], 0, in[4], bytes, MPI_BYTE, neighbour[4], 0,
               mesh, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out[4], bytes, MPI_BYTE, neighbour[4], 0, in[5], bytes, MPI_BYTE, neighbour[5], 0,
               mesh, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int ranks, rank, extents[3] = {0, 0, 0}, no_period[3] = {0, 0, 0};
  double sum = 0, total;
  MPI_Comm mesh;
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 200, bytes = argc > 2 ? atoi(argv[2]) : 32;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, extents);
  MPI_Cart_create(MPI_COMM_WORLD, 3, extents, no_period, 0, &mesh);
  MPI_Comm_rank(mesh, &rank);
  if (bytes < 8 || bytes > largest || bytes % 8 != 0) {
    fprintf(stderr, "shifted-faces: expected whole doubles, up to 65536 bytes\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int axis = 0; axis < 3; axis++)
    MPI_Cart_shift(mesh, axis, 1, &neighbour[2 * axis], &neighbour[2 * axis + 1]);

  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int face = 0; face < faces; face++)
      out[face][0] = rank + face + iteration;
    exchange(bytes, mesh);
    for (int face = 0; face < faces; face++)
      sum += in[face][0];
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, mesh);
  if (rank == 0)
    printf("sum %.0f\n", total);
  MPI_Finalize();
  return 0;
}
