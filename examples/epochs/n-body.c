/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Bodies that attract one another, on a ring of ranks. In every step rank 0 deals the bodies;
 * they travel once around the ring while each rank adds up the forces on its own bodies, and
 * return to rank 0. In a shift every rank sends before it receives.
 *
 *   n-body [BODIES [STEPS]]     bodies of a rank, by default 16 10 */

#include "example.h"

#include <math.h>
#include <string.h>

enum { deal_tag = 1, shift_tag, result_tag };

typedef struct {
  double position[3], velocity[3], mass;
} Body;
enum { numbers_of_body = sizeof(Body) / sizeof(double) };

static void attract(const Body *own, int count, const Body *others, double (*force)[3]) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      double away[3], square = 1e-3;
      for (int axis = 0; axis < 3; ++axis) {
        away[axis] = others[j].position[axis] - own[i].position[axis];
        square += away[axis] * away[axis];
      }
      double strength = others[j].mass / (square * sqrt(square));
      for (int axis = 0; axis < 3; ++axis)
        force[i][axis] += strength * away[axis];
    }
}

static void move(Body *bodies, int count, double (*force)[3]) {
  const double t = 1e-3;
  for (int i = 0; i < count; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      bodies[i].velocity[axis] += t * force[i][axis];
      bodies[i].position[axis] += t * bodies[i].velocity[axis];
    }
}

static void place(Body *bodies, int count) {
  for (int i = 0; i < count; ++i) {
    bodies[i].mass = 1 + i % 3;
    for (int axis = 0; axis < 3; ++axis) {
      bodies[i].position[axis] = sin(1.0 + 3 * i + axis);
      bodies[i].velocity[axis] = cos(2.0 + 5 * i + axis) / 10;
    }
  }
}

/* One step of this rank's bodies, while all bodies pass by. */
static void ring_step(Body *own, int count, Body *travelling, double (*force)[3], int rank,
                      int ranks) {
  size_t bytes = (size_t)count * sizeof(Body);
  memset(force, 0, (size_t)count * sizeof *force);
  memcpy(travelling, own, bytes);
  attract(own, count, travelling, force);
  for (int shift = 1; shift < ranks; ++shift) {
    MPI_Send(travelling, count * numbers_of_body, MPI_DOUBLE, (rank + 1) % ranks, shift_tag,
             MPI_COMM_WORLD);
    MPI_Recv(travelling, count * numbers_of_body, MPI_DOUBLE, (rank + ranks - 1) % ranks, shift_tag,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    attract(own, count, travelling, force);
  }
  move(own, count, force);
}

/* The same for all ranks' bodies, in the order of the ring. */
static void whole_step(Body *all, Body *before, int count, double (*force)[3], int ranks) {
  memcpy(before, all, (size_t)count * ranks * sizeof(Body));
  for (int rank = 0; rank < ranks; ++rank) {
    memset(force, 0, (size_t)count * sizeof *force);
    for (int shift = 0; shift < ranks; ++shift)
      attract(before + rank * count, count, before + (rank + ranks - shift) % ranks * count, force);
    move(all + rank * count, count, force);
  }
}

static void send_bodies(const Body *bodies, int count, int to, int tag) {
  MPI_Send(bodies, count * numbers_of_body, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}

static void receive_bodies(Body *bodies, int count, int from, int tag) {
  MPI_Recv(bodies, count * numbers_of_body, MPI_DOUBLE, from, tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

static void check(const Body *all, int count, int ranks, int steps) {
  size_t bodies = (size_t)count * ranks;
  Body *expected = allocate(bodies, sizeof(Body)), *before = allocate(bodies, sizeof(Body));
  double(*force)[3] = allocate((size_t)count, sizeof *force);
  place(expected, count * ranks);
  for (int t = 0; t < steps; ++t)
    whole_step(expected, before, count, force, ranks);
  require(!memcmp(all, expected, bodies * sizeof(Body)), "the ring differs from one process");
  printf("n-body: %d bodies, %d steps, first at %.17g, checked\n", count * ranks, steps,
         all[0].position[0]);
  free(expected);
  free(before);
  free(force);
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int count = size_argument(argc, argv, 1, 16), steps = size_argument(argc, argv, 2, 10);
  Body *all = allocate((size_t)count * ranks, sizeof(Body));
  Body *own = rank == 0 ? all : allocate((size_t)count, sizeof(Body));
  Body *travelling = allocate((size_t)count, sizeof(Body));
  double(*force)[3] = allocate((size_t)count, sizeof *force);
  if (rank == 0)
    place(all, count * ranks);
  for (int t = 0; t < steps; ++t) {
    for (int other = 1; rank == 0 && other < ranks; ++other)
      send_bodies(all + other * count, count, other, deal_tag);
    if (rank > 0)
      receive_bodies(own, count, 0, deal_tag);
    ring_step(own, count, travelling, force, rank, ranks);
    if (rank > 0)
      send_bodies(own, count, 0, result_tag);
    for (int other = 1; rank == 0 && other < ranks; ++other)
      receive_bodies(all + other * count, count, other, result_tag);
  }
  if (rank == 0)
    check(all, count, ranks, steps);
  else
    free(own);
  free(all);
  free(travelling);
  free(force);
  MPI_Finalize();
  return 0;
}
