// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communication of conjugate gradients on a mesh that is split into a block for each rank: a
// halo of up to 26 neighbours, and then sums over all ranks.
//
// Usage: conjugate-gradients [ITERATIONS [SUMS [BYTES [persistent | check EVERY]]]]: 200 iterations
// with 2 sums, and messages of 32 bytes; "persistent": with requests that are made once, and
// started by one call; "check": with one sum more after each EVERY iterations
//
// Prints a sum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { neighbours = 26, largest = 1024 };

static double out[neighbours][largest / sizeof(double)], in[neighbours][largest / sizeof(double)];
static int neighbour[neighbours], count, doubles;
static MPI_Request requests[2 * neighbours];

static void find_neighbours(void) {
  int ranks, rank, extents[3] = {0, 0, 0}, me[3], no_period[3] = {0, 0, 0};
  MPI_Comm mesh;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, extents);
  MPI_Cart_create(MPI_COMM_WORLD, 3, extents, no_period, 0, &mesh);
  MPI_Comm_rank(mesh, &rank);
  MPI_Cart_coords(mesh, rank, 3, me);
  for (int place = 0; place < 27; place++) {
    const int to[3] = {me[0] + place / 9 - 1, me[1] + place / 3 % 3 - 1, me[2] + place % 3 - 1};
    int inside = place != 13;
    for (int axis = 0; axis < 3; axis++)
      inside = inside && to[axis] >= 0 && to[axis] < extents[axis];
    if (inside)
      MPI_Cart_rank(mesh, to, &neighbour[count++]);
  }
  MPI_Comm_free(&mesh);
}

static void exchange(void) {
  for (int n = 0; n < count; n++)
    MPI_Irecv(in[n], doubles, MPI_DOUBLE, neighbour[n], 0, MPI_COMM_WORLD, &requests[n]);
  for (int n = 0; n < count; n++)
    MPI_Isend(out[n], doubles, MPI_DOUBLE, neighbour[n], 0, MPI_COMM_WORLD, &requests[count + n]);
  MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
}

static void make_requests(void) {
  for (int n = 0; n < count; n++) {
    MPI_Recv_init(in[n], doubles, MPI_DOUBLE, neighbour[n], 0, MPI_COMM_WORLD, &requests[n]);
    MPI_Send_init(out[n], doubles, MPI_DOUBLE, neighbour[n], 0, MPI_COMM_WORLD,
                  &requests[count + n]);
  }
}

static void exchange_by_requests(void) {
  MPI_Startall(2 * count, requests);
  MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 200, sums = argc > 2 ? atoi(argv[2]) : 2;
  const int bytes = argc > 3 ? atoi(argv[3]) : 32;
  const int persistent = argc > 4 && strcmp(argv[4], "persistent") == 0;
  const int every = argc > 5 && strcmp(argv[4], "check") == 0 ? atoi(argv[5]) : 0;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  doubles = bytes / (int)sizeof(double);
  find_neighbours();
  if (persistent)
    make_requests();

  double total = rank;
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int n = 0; n < count; n++)
      for (int place = 0; place < doubles; place++)
        out[n][place] = total * 1e-3 + rank + n * 0.1 + iteration * 0.01;
    if (persistent)
      exchange_by_requests();
    else
      exchange();
    for (int n = 0; n < count; n++)
      for (int place = 0; place < doubles; place++)
        total = 0.5 * total + 0.1 * in[n][place];
    const int checks = every > 0 && (iteration + 1) % every == 0;
    for (int sum = 0; sum < sums + checks; sum++) {
      double of_all = 0;
      MPI_Allreduce(&total, &of_all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      total = total / 3 + of_all * 1e-6;
    }
  }
  double all = 0;
  MPI_Reduce(&total, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.17g\n", all);
  for (int n = 0; persistent && n < 2 * count; n++)
    MPI_Request_free(&requests[n]);
  MPI_Finalize();
  return 0;
}
