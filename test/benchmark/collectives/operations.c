/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each collective operation as a loop, guarded as the plugin writes it: carried out by the
 * plan's schedule, or with SENDWRIGHT_DISABLE=1 by the loop. Prints the seconds of an instance,
 * from when all ranks begin until all are done, and a digest of what arrived. See on-smpi. */

#include "../../runtime/inputs/planned-loop.h"

#include "../../../runtime/include/sendwright/collectives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(broadcast_loop, 1, 0)
PLANNED_LOOP(scatter_loop, 2, 0)
PLANNED_LOOP(gather_loop, 3, 0)
PLANNED_LOOP(allgather_loop, 4, 0)
PLANNED_LOOP(all_to_all_loop, 5, 0)
PLANNED_LOOP(reduce_loop, 6, 0)

enum { rounds = 10 };

static int rank, size, count, *all, *out, *one, *part;
static MPI_Request *requests;
static MPI_Comm world;

static void broadcast(void) {
  if (rank == 0) {
    if (!sendwright_broadcast(broadcast_loop, one, count, MPI_INT, 0, 1, world, 1, size, 0))
      for (int to = 1; to < size; ++to)
        MPI_Send(one, count, MPI_INT, to, 1, world);
  } else if (!sendwright_broadcast(broadcast_loop, one, count, MPI_INT, 0, 1, world, 1, size,
                                   MPI_STATUS_IGNORE)) {
    MPI_Recv(one, count, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE);
  }
}

static void scatter(void) {
  if (rank == 0) {
    if (!sendwright_scatter_send(scatter_loop, all, all + count, count, MPI_INT, 0, 2, world, 1,
                                 size))
      for (int to = 1; to < size; ++to)
        MPI_Send(all + to * count, count, MPI_INT, to, 2, world);
  } else if (!sendwright_scatter_receive(scatter_loop, one, count, MPI_INT, 0, 2, world, 1, size,
                                         MPI_STATUS_IGNORE)) {
    MPI_Recv(one, count, MPI_INT, 0, 2, world, MPI_STATUS_IGNORE);
  }
}

static void gather(void) {
  if (rank == 0) {
    if (!sendwright_gather_receive(gather_loop, all, all + count, count, MPI_INT, 0, 3, world, 1,
                                   size, MPI_STATUS_IGNORE))
      for (int from = 1; from < size; ++from)
        MPI_Recv(all + from * count, count, MPI_INT, from, 3, world, MPI_STATUS_IGNORE);
  } else if (!sendwright_gather_send(gather_loop, one, count, MPI_INT, 0, 3, world, 1, size)) {
    MPI_Send(one, count, MPI_INT, 0, 3, world);
  }
}

static void receive_all(int tag) {
  for (int from = 0, n = 0; from < size; ++from)
    if (from != rank)
      MPI_Irecv(all + from * count, count, MPI_INT, from, tag, world, &requests[n++]);
}

static void allgather(void) {
  if (sendwright_planned(allgather_loop, world, 0, size)) {
    sendwright_allgather(allgather_loop, one, count, MPI_INT, all, all + count, count, MPI_INT, 4,
                         world, 0, size);
    return;
  }
  receive_all(4);
  for (int to = 0; to < size; ++to)
    if (to != rank)
      MPI_Send(one, count, MPI_INT, to, 4, world);
  MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
}

static void all_to_all(void) {
  if (sendwright_planned(all_to_all_loop, world, 0, size)) {
    sendwright_all_to_all(all_to_all_loop, out, out + count, count, MPI_INT, all, all + count,
                          count, MPI_INT, 5, world, 0, size);
    return;
  }
  receive_all(5);
  for (int to = 0; to < size; ++to)
    if (to != rank)
      MPI_Send(out + to * count, count, MPI_INT, to, 5, world);
  MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
}

static void reduce(void) {
  if (rank == 0) {
    if (!sendwright_reduce_receive(reduce_loop, one, count, MPI_INT, SENDWRIGHT_SUM, 0, 6, world, 1,
                                   size, MPI_STATUS_IGNORE))
      for (int from = 1; from < size; ++from) {
        MPI_Recv(part, count, MPI_INT, from, 6, world, MPI_STATUS_IGNORE);
        for (int index = 0; index < count; ++index)
          one[index] += part[index];
      }
  } else if (!sendwright_reduce_send(reduce_loop, one, count, MPI_INT, SENDWRIGHT_SUM, 0, 6, world,
                                     1, size)) {
    MPI_Send(one, count, MPI_INT, 0, 6, world);
  }
}

static unsigned long long digest = 1;
static void add(const int *values, int values_count) {
  for (int index = 0; index < values_count; ++index)
    digest = (digest ^ (unsigned)values[index]) * 0x100000001b3u;
}

static void run(const char *name, void (*operation)(void)) {
  double seconds = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int index = 0; index < size * count; ++index) {
      all[index] = rank == 0 ? index + round : 0;
      out[index] = rank * 1000 + index + round;
    }
    for (int index = 0; index < count; ++index)
      one[index] = rank + index * 3 + round;
    MPI_Barrier(world);
    double begin = MPI_Wtime();
    operation();
    MPI_Barrier(world);
    seconds += MPI_Wtime() - begin;
    add(one, count);
    add(all, size * count);
  }
  unsigned long long combined = 0;
  MPI_Reduce(&digest, &combined, 1, MPI_UNSIGNED_LONG_LONG, MPI_BXOR, 0, world);
  if (rank == 0)
    printf("%s %.3f %016llx\n", name, seconds / rounds * 1e6, combined);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  count = argc > 1 ? atoi(argv[1]) / 4 : 16;
  all = calloc((size_t)size * (size_t)count, sizeof *all);
  out = calloc((size_t)size * (size_t)count, sizeof *out);
  one = calloc((size_t)count, sizeof *one);
  part = calloc((size_t)count, sizeof *part);
  requests = calloc((size_t)size, sizeof *requests);
  run("broadcast", broadcast);
  run("scatter", scatter);
  run("gather", gather);
  run("allgather", allgather);
  run("all-to-all", all_to_all);
  run("reduce", reduce);
  MPI_Finalize();
}
