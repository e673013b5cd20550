/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Three loops in which every rank sends a large message to every other by MPI_Send, each executed
 * so many times in a row:
 *
 *     1  in the same order at every rank: all send to rank 0 first
 *     2  and 3  each rank begins with the rank after its own
 *
 * The plan of on-cluster gives loop 1 the order of loop 2, loop 2 the order of loop 1, and loop 3
 * the order that it has. Prints the mean time of an execution of each loop, and a digest of what
 * was received.
 *
 *     sites EXECUTIONS BYTES */

#include "../../runtime/inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>

PLANNED_LOOP(all_to_first, 1, 0)
PLANNED_LOOP(rotated, 2, 0)
PLANNED_LOOP(rotated_again, 3, 0)

static int rank, ranks, bytes;
static unsigned char *out, *in;
static unsigned long long digest = 1;

/* A scope names its site, so each loop is a function of its own. */
#define SENDING_LOOP(NAME, SITE)                                                                   \
  static void NAME(int first) {                                                                    \
    sendwright_batch(SITE);                                                                        \
    for (int step = 0; step < ranks; ++step) {                                                     \
      int other = (first + step) % ranks;                                                          \
      if (other != rank)                                                                           \
        MPI_Send(out, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);                                  \
    }                                                                                              \
  }

SENDING_LOOP(send_to_first, all_to_first)
SENDING_LOOP(send_rotated, rotated)
SENDING_LOOP(send_rotated_again, rotated_again)

typedef void (*sending_loop)(int first);

static void exchange(sending_loop send, int execution, int first) {
  MPI_Request *requests = malloc(sizeof *requests * ranks);
  for (int other = 0; other < ranks; ++other)
    MPI_Irecv(in + (size_t)other * bytes, other == rank ? 0 : bytes, MPI_BYTE,
              other == rank ? MPI_PROC_NULL : other, 1, MPI_COMM_WORLD, &requests[other]);
  for (int index = 0; index < bytes; ++index)
    out[index] = (unsigned char)(rank * 31 + execution + index);
  send(first);
  MPI_Waitall(ranks, requests, MPI_STATUSES_IGNORE);
  free(requests);
  for (size_t index = 0; index < (size_t)ranks * bytes; index += 97)
    digest = (digest ^ in[index]) * 0x100000001b3u;
}

static double mean_time(sending_loop send, int executions, int first) {
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int execution = 0; execution < executions; ++execution)
    exchange(send, execution, first);
  double own = (MPI_Wtime() - begin) / executions, mean = 0;
  MPI_Allreduce(&own, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return mean / ranks;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  rank = my_rank();
  ranks = rank_count();
  if (argc != 3)
    MPI_Abort(MPI_COMM_WORLD, 2);
  bytes = atoi(argv[2]);
  out = calloc(bytes, 1);
  in = calloc(ranks, bytes);
  double first = mean_time(send_to_first, atoi(argv[1]), 0);
  double second = mean_time(send_rotated, atoi(argv[1]), rank + 1);
  double third = mean_time(send_rotated_again, atoi(argv[1]), rank + 1);
  unsigned long long all = 0;
  MPI_Reduce(&digest, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("digest %llx\n", all);
    printf("seconds %.9f %.9f %.9f\n", first, second, third);
  }
  free(out);
  free(in);
  MPI_Finalize();
}
