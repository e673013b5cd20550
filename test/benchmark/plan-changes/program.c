/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The program that `run` runs with changed plans: loops that are collective operations,
 * exchanges, or plain messages, each beside the text for when the plan is not followed. Rank 0
 * prints a digest of everything received.
 *
 *     program collectives | exchanges | orders | messages        on 4 ranks */

#include "../../runtime/inputs/planned-loop.h"

#include "../../../runtime/include/sendwright/collectives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ranks = 4, rounds = 3, most = 30000, tag = 7 };

static const struct {
  unsigned operation;
  int count;
} loops[] = {
    {SENDWRIGHT_BROADCAST, 10},    {SENDWRIGHT_BROADCAST, most}, {SENDWRIGHT_BROADCAST, 10},
    {SENDWRIGHT_SCATTER, 10},      {SENDWRIGHT_GATHER, most},    {SENDWRIGHT_GATHER, 10},
    {SENDWRIGHT_ALLGATHER, 10},    {SENDWRIGHT_ALLGATHER, most}, {SENDWRIGHT_ALL_TO_ALL, 10},
    {SENDWRIGHT_ALL_TO_ALL, most}, {SENDWRIGHT_REDUCE, 10},      {SENDWRIGHT_REDUCE, most},
    {SENDWRIGHT_REDUCE, 10}};
enum { loop_count = sizeof loops / sizeof *loops };
static struct sendwright_site sites[loop_count];

__attribute__((constructor)) static void register_sites(void) {
  for (int loop = 0; loop < loop_count; ++loop) {
    struct sendwright_site site = {"program.c",   "main", 1, 0, (unsigned long)loop + 1,
                                   all_loops_are, 0};
    memcpy(&sites[loop], &site, sizeof site);
    register_planned(&sites[loop]);
  }
}

PLANNED_LOOP(first_loop, 1, 0)
PLANNED_LOOP(second_loop, 2, 0)

static int rank, out[ranks][most], in[ranks][most];
static unsigned long long digest = 1;

static void add(const int *values, int count) {
  for (int index = 0; index < count; ++index)
    digest = (digest ^ (unsigned)values[index]) * 0x100000001b3u;
}

static void fill(int count, int seed) {
  for (int to = 0; to < ranks; ++to)
    for (int index = 0; index < count; ++index) {
      out[to][index] = (seed * 31 + rank * 7 + to * 3 + 1) * (index + 1);
      in[to][index] = -1;
    }
}

/* The operation as the program spells it out. */
static void broadcast(int loop, int count, int root) {
  if (rank == root) {
    if (!sendwright_broadcast(sites[loop], out[0], count, MPI_INT, root, tag, MPI_COMM_WORLD, 0,
                              ranks, 0))
      for (int peer = 0; peer < ranks; ++peer)
        if (peer != root)
          MPI_Send(out[0], count, MPI_INT, peer, tag, MPI_COMM_WORLD);
  } else if (!sendwright_broadcast(sites[loop], in[0], count, MPI_INT, root, tag, MPI_COMM_WORLD, 0,
                                   ranks, 0)) {
    MPI_Recv(in[0], count, MPI_INT, root, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void scatter(int loop, int count, int root) {
  if (rank == root) {
    if (!sendwright_scatter_send(sites[loop], out[0], out[1], count, MPI_INT, root, tag,
                                 MPI_COMM_WORLD, 0, ranks))
      for (int peer = 0; peer < ranks; ++peer)
        if (peer != root)
          MPI_Send(out[peer], count, MPI_INT, peer, tag, MPI_COMM_WORLD);
  } else if (!sendwright_scatter_receive(sites[loop], in[0], count, MPI_INT, root, tag,
                                         MPI_COMM_WORLD, 0, ranks, 0)) {
    MPI_Recv(in[0], count, MPI_INT, root, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void gather(int loop, int count, int root) {
  if (rank == root) {
    if (!sendwright_gather_receive(sites[loop], in[0], in[1], count, MPI_INT, root, tag,
                                   MPI_COMM_WORLD, 0, ranks, 0))
      for (int peer = 0; peer < ranks; ++peer)
        if (peer != root)
          MPI_Recv(in[peer], count, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!sendwright_gather_send(sites[loop], out[0], count, MPI_INT, root, tag, MPI_COMM_WORLD,
                                     0, ranks)) {
    MPI_Send(out[0], count, MPI_INT, root, tag, MPI_COMM_WORLD);
  }
}

/* From everyone to everyone: the same block for all, or one for each. */
static void exchange_blocks(int count, int each) {
  MPI_Request requests[ranks];
  for (int peer = 0; peer < ranks; ++peer)
    if (peer == rank)
      requests[peer] = MPI_REQUEST_NULL;
    else
      MPI_Isend(out[each ? peer : 0], count, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[peer]);
  for (int peer = 0; peer < ranks; ++peer)
    if (peer != rank)
      MPI_Recv(in[peer], count, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(ranks, requests, MPI_STATUSES_IGNORE);
}

static void allgather(int loop, int count) {
  if (!sendwright_planned(sites[loop], MPI_COMM_WORLD, 0, ranks) ||
      !SENDWRIGHT_ALLGATHER_OF(0, sites[loop], out[0], count, MPI_INT, in[0], in[1], count, MPI_INT,
                               tag, MPI_COMM_WORLD, 0, ranks))
    exchange_blocks(count, 0);
}

static void all_to_all(int loop, int count) {
  if (!sendwright_planned(sites[loop], MPI_COMM_WORLD, 0, ranks) ||
      !SENDWRIGHT_ALL_TO_ALL_OF(0, sites[loop], out[0], out[1], count, MPI_INT, in[0], in[1], count,
                                MPI_INT, tag, MPI_COMM_WORLD, 0, ranks))
    exchange_blocks(count, 1);
}

static void reduce(int loop, int count, int root) {
  if (rank != root) {
    if (!sendwright_reduce_send(sites[loop], out[0], count, MPI_INT, SENDWRIGHT_SUM, root, tag,
                                MPI_COMM_WORLD, 0, ranks))
      MPI_Send(out[0], count, MPI_INT, root, tag, MPI_COMM_WORLD);
    return;
  }
  memcpy(in[0], out[0], sizeof(int) * (size_t)count);
  if (sendwright_reduce_receive(sites[loop], in[0], count, MPI_INT, SENDWRIGHT_SUM, root, tag,
                                MPI_COMM_WORLD, 0, ranks, 0))
    return;
  for (int peer = 0; peer < ranks; ++peer) {
    if (peer == root)
      continue;
    MPI_Recv(in[1], count, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int index = 0; index < count; ++index)
      in[0][index] += in[1][index];
    for (int index = 0; index < count; ++index)
      in[1][index] = -1;
  }
}

static void collectives(void) {
  for (int loop = 0; loop < loop_count; ++loop) {
    const int count = loops[loop].count, root = loop % ranks;
    fill(count, loop);
    switch (loops[loop].operation) {
    case SENDWRIGHT_BROADCAST:
      broadcast(loop, count, root);
      break;
    case SENDWRIGHT_SCATTER:
      scatter(loop, count, root);
      break;
    case SENDWRIGHT_GATHER:
      gather(loop, count, root);
      break;
    case SENDWRIGHT_ALLGATHER:
      allgather(loop, count);
      break;
    case SENDWRIGHT_ALL_TO_ALL:
      all_to_all(loop, count);
      break;
    default:
      reduce(loop, count, root);
    }
    for (int from = 0; from < ranks; ++from)
      add(in[from], count);
  }
}

static int send_all(int length, int first_tag, MPI_Request *requests) {
  int count = 0;
  for (int step = 1; step < ranks; ++step) {
    int peer = (rank + step) % ranks;
    MPI_Isend(out[peer], length, MPI_INT, peer, first_tag, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(out[peer], 3, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[count++]);
  }
  return count;
}

/* Two messages to every other rank; ranks 1 and 2 take the first from any source. */
static void exchange(int first_tag, int round) {
  MPI_Request requests[2 * ranks];
  int count, length = 100 * round + 5;
  fill(length, first_tag + round);
  if (first_tag == 0) {
    sendwright_batch(first_loop);
    count = send_all(length, first_tag, requests);
  } else {
    sendwright_batch(second_loop);
    count = send_all(length, first_tag, requests);
  }
  for (int step = 1; step < ranks; ++step) {
    MPI_Status status;
    int any = rank == 1 || rank == 2, small[3];
    MPI_Recv(in[rank], length, MPI_INT, any ? MPI_ANY_SOURCE : (rank + step) % ranks, first_tag,
             MPI_COMM_WORLD, &status);
    memcpy(in[status.MPI_SOURCE], in[rank], sizeof(int) * (size_t)length);
    MPI_Recv(small, 3, MPI_INT, (rank + step) % ranks, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add(small, 3);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      add(in[from], length);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void send_some(MPI_Request *requests) {
  for (int step = 0; step < 4; ++step) {
    int peer = (rank + 1 + step % 3) % ranks;
    if (step % 2)
      MPI_Send(out[peer] + step, 5, MPI_INT, peer, tag, MPI_COMM_WORLD);
    else
      MPI_Isend(out[peer] + step, 5, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[step / 2]);
  }
}

/* Several messages with one tag to a rank, blocking and nonblocking. */
static void ordered(int first, int round) {
  MPI_Request requests[2];
  fill(10, round);
  if (first) {
    sendwright_batch(first_loop);
    send_some(requests);
  } else {
    sendwright_batch(second_loop);
    send_some(requests);
  }
  for (int step = 0; step < 4; ++step) {
    int peer = (rank + ranks - 1 - step % 3) % ranks;
    MPI_Recv(in[0], 5, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add(in[0], 5);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* Around a ring in which all send first, and one way between two pairs. */
static void messages(int round) {
  fill(10, round);
  MPI_Send(out[0], 10, MPI_INT, (rank + 1) % ranks, tag, MPI_COMM_WORLD);
  MPI_Recv(in[0], 10, MPI_INT, (rank + 3) % ranks, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  add(in[0], 10);
  if (rank < 2)
    MPI_Send(out[2], 10, MPI_INT, rank + 2, tag, MPI_COMM_WORLD);
  else
    MPI_Recv(in[2], 10, MPI_INT, rank - 2, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  add(in[2], 10);
}

int main(int argc, char **argv) {
  unsigned long long all = 0;
  MPI_Init(&argc, &argv);
  rank = my_rank();
  for (int round = 0; round < rounds; ++round)
    if (!strcmp(argv[1], "collectives"))
      collectives();
    else if (!strcmp(argv[1], "exchanges"))
      exchange(0, round), exchange(1, round);
    else if (!strcmp(argv[1], "orders"))
      ordered(1, round), ordered(0, round);
    else
      for (int times = 0; times < 10; ++times)
        messages(round);
  digest *= 2 * (unsigned)rank + 1;
  MPI_Reduce(&digest, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("digest %llx\n", all);
  MPI_Finalize();
  return argc != 2;
}
