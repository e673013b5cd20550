/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Everything that a plan changes, in one program: sends to all others and to some, and loops that
 * are collective operations, as the plugin would have rewritten them. Prints, for each rank, a
 * number for what it has received, which is the same under any order and by any route, but changes
 * if one value is lost, repeated or misplaced. TEST_PLAN names the plan.
 *
 *   planned-program [ROUNDS]     by default 3 */

#include "test/runtime/inputs/planned-loop.h"

#include "runtime/include/sendwright/collectives.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  most_ranks = 16,
  block = 6,
  exchange_tag = 3,
  some_tag,
  broadcast_tag,
  scatter_tag,
  gather_tag,
  reduce_tag,
  allgather_tag,
  all_to_all_tag
};

PLANNED_LOOP(to_all, 1, 0)
PLANNED_LOOP(to_some, 2, 0)
PLANNED_LOOP(broadcast_loop, 3, 0)
PLANNED_LOOP(scatter_loop, 4, 0)
PLANNED_LOOP(gather_loop, 5, 0)
PLANNED_LOOP(reduce_loop, 6, 0)
PLANNED_LOOP(allgather_loop, 7, 0)
PLANNED_LOOP(all_to_all_loop, 8, 0)

static int rank, ranks;
static unsigned long long digest = 14695981039346656037u;

static void note(int value) { digest = (digest ^ (unsigned)value) * 1099511628211u; }

static int value_of(int from, int to, int round, int index) {
  return from * 1000003 + to * 7919 + round * 101 + index;
}

static void fill(int *values, int from, int to, int round) {
  for (int index = 0; index < block; ++index)
    values[index] = value_of(from, to, round, index);
}

static void note_block(const int *values) {
  for (int index = 0; index < block; ++index)
    note(values[index]);
}

/* All ranks to all, with receives posted before. */
static void exchange(int round) {
  static int out[most_ranks][block], in[most_ranks][block];
  MPI_Request requests[most_ranks];
  int count = 0;
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      MPI_Irecv(in[from], block, MPI_INT, from, exchange_tag, MPI_COMM_WORLD, &requests[count++]);
  for (int to = 0; to < ranks; ++to)
    fill(out[to], rank, to, round);
  {
    sendwright_batch(to_all);
    for (int to = 0; to < ranks; ++to)
      if (to != rank)
        MPI_Send(out[to], block, MPI_INT, to, exchange_tag, MPI_COMM_WORLD);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      note_block(in[from]);
}

static int sends_some(int from, int to) { return from != to && (from + 2 * to) % 3 != 0; }

/* Some ranks to some, in an order that is not the best. */
static void exchange_some(int round) {
  static int out[most_ranks][block], in[most_ranks][block];
  MPI_Request requests[most_ranks];
  int count = 0;
  for (int from = 0; from < ranks; ++from)
    if (sends_some(from, rank))
      MPI_Irecv(in[from], block, MPI_INT, from, some_tag, MPI_COMM_WORLD, &requests[count++]);
  for (int to = 0; to < ranks; ++to)
    fill(out[to], rank, to, round);
  {
    sendwright_batch(to_some);
    for (int to = 0; to < ranks; ++to)
      if (sends_some(rank, to))
        MPI_Send(out[to], block, MPI_INT, to, some_tag, MPI_COMM_WORLD);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int from = 0; from < ranks; ++from)
    if (sends_some(from, rank))
      note_block(in[from]);
}

static void broadcast(int round) {
  int values[block];
  fill(values, 1, 0, round);
  if (rank == 1) {
    if (!sendwright_broadcast(broadcast_loop, values, block, MPI_INT, 1, broadcast_tag,
                              MPI_COMM_WORLD, 0, ranks, 0))
      for (int to = 0; to < ranks; ++to)
        if (to != 1)
          MPI_Send(values, block, MPI_INT, to, broadcast_tag, MPI_COMM_WORLD);
  } else if (!sendwright_broadcast(broadcast_loop, values, block, MPI_INT, 1, broadcast_tag,
                                   MPI_COMM_WORLD, 0, ranks, 0)) {
    MPI_Recv(values, block, MPI_INT, 1, broadcast_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  note_block(values);
}

static void scatter(int round) {
  static int all[most_ranks][block];
  for (int to = 0; to < ranks; ++to)
    fill(all[to], rank, to, round);
  if (rank == 0) {
    if (!sendwright_scatter_send(scatter_loop, all[0], all[1], block, MPI_INT, 0, scatter_tag,
                                 MPI_COMM_WORLD, 1, ranks))
      for (int to = 1; to < ranks; ++to)
        MPI_Send(all[to], block, MPI_INT, to, scatter_tag, MPI_COMM_WORLD);
  } else if (!sendwright_scatter_receive(scatter_loop, all[0], block, MPI_INT, 0, scatter_tag,
                                         MPI_COMM_WORLD, 1, ranks, 0)) {
    MPI_Recv(all[0], block, MPI_INT, 0, scatter_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  note_block(all[0]);
}

static void gather(int round) {
  static int all[most_ranks][block];
  fill(all[0], rank, 0, round);
  if (rank != 0) {
    if (!sendwright_gather_send(gather_loop, all[0], block, MPI_INT, 0, gather_tag, MPI_COMM_WORLD,
                                1, ranks))
      MPI_Send(all[0], block, MPI_INT, 0, gather_tag, MPI_COMM_WORLD);
    return;
  }
  if (!sendwright_gather_receive(gather_loop, all[0], all[1], block, MPI_INT, 0, gather_tag,
                                 MPI_COMM_WORLD, 1, ranks, 0))
    for (int from = 1; from < ranks; ++from)
      MPI_Recv(all[from], block, MPI_INT, from, gather_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int from = 0; from < ranks; ++from)
    note_block(all[from]);
}

static void reduce(int round) {
  int sum[block], one[block];
  fill(sum, rank, 0, round);
  if (rank != 0) {
    if (!sendwright_reduce_send(reduce_loop, sum, block, MPI_INT, SENDWRIGHT_SUM, 0, reduce_tag,
                                MPI_COMM_WORLD, 1, ranks))
      MPI_Send(sum, block, MPI_INT, 0, reduce_tag, MPI_COMM_WORLD);
    return;
  }
  if (!sendwright_reduce_receive(reduce_loop, sum, block, MPI_INT, SENDWRIGHT_SUM, 0, reduce_tag,
                                 MPI_COMM_WORLD, 1, ranks, 0))
    for (int from = 1; from < ranks; ++from) {
      MPI_Recv(one, block, MPI_INT, from, reduce_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int index = 0; index < block; ++index)
        sum[index] += one[index];
    }
  note_block(sum);
}

/* Both as loops that send to all others and receive from them. */
static void exchange_blocks(int out[][block], int in[][block], int tag) {
  MPI_Request requests[most_ranks];
  int count = 0;
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      MPI_Irecv(in[from], block, MPI_INT, from, tag, MPI_COMM_WORLD, &requests[count++]);
  for (int to = 0; to < ranks; ++to)
    if (to != rank)
      MPI_Send(out[to], block, MPI_INT, to, tag, MPI_COMM_WORLD);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void allgather(int round) {
  static int out[most_ranks][block], in[most_ranks][block];
  for (int to = 0; to < ranks; ++to)
    fill(out[to], rank, 0, round);
  if (!sendwright_allgather(allgather_loop, out[0], block, MPI_INT, in[0], in[1], block, MPI_INT,
                            allgather_tag, MPI_COMM_WORLD, 0, ranks))
    exchange_blocks(out, in, allgather_tag);
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      note_block(in[from]);
}

static void all_to_all(int round) {
  static int out[most_ranks][block], in[most_ranks][block];
  for (int to = 0; to < ranks; ++to)
    fill(out[to], rank, to, round);
  if (!sendwright_all_to_all(all_to_all_loop, out[0], out[1], block, MPI_INT, in[0], in[1], block,
                             MPI_INT, all_to_all_tag, MPI_COMM_WORLD, 0, ranks))
    exchange_blocks(out, in, all_to_all_tag);
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      note_block(in[from]);
}

int main(int argc, char **argv) {
  unsigned long long digests[most_ranks];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0, rounds = argc > 1 ? atoi(argv[1]) : 3; round < rounds; ++round) {
    exchange(round);
    exchange_some(round);
    broadcast(round);
    scatter(round);
    gather(round);
    reduce(round);
    allgather(round);
    all_to_all(round);
  }
  MPI_Gather(&digest, 1, MPI_UNSIGNED_LONG_LONG, digests, 1, MPI_UNSIGNED_LONG_LONG, 0,
             MPI_COMM_WORLD);
  for (int from = 0; rank == 0 && from < ranks; ++from)
    printf("%d %016llx\n", from, digests[from]);
  MPI_Finalize();
  return 0;
}
