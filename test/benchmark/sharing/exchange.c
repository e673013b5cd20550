/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How long an exchange of many small messages takes, with and without sharing: 61 messages a rank
 * on average and 400 at most, 64 bytes each (or the number of bytes in BYTES),
 * ROUNDS times.
 *
 *   exchange plan RANKS GRID     words for write-plan: all of the pattern, through a grid
 *   exchange                    prints the mean time of an exchange, one after the other
 */

#include "../../runtime/inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Whether `from` sends to `to`: degrees fall from 400 of 512 as one over the square root of a
 * rank's number, which is shuffled. */
static int degree(int rank, int ranks) {
  int place = rank * 181 % ranks, most = ranks * 400 / 512;
  double root = 1;
  for (int turn = 0; turn < 40; ++turn)
    root = (root + (place / 4.0 + 1) / root) / 2;
  int wanted = (int)(most / root);
  return wanted < 24 ? 24 : wanted;
}

/* Fills `to` with the destinations of a rank, ascending; returns their number. */
static int destinations(int rank, int ranks, int *to) {
  unsigned state = (unsigned)rank * 7919u + 17;
  int count = 0, wanted = degree(rank, ranks), left = ranks;
  for (int peer = 0; peer < ranks; ++peer, --left) {
    if (peer == rank)
      continue;
    if (wanted > count && (int)(next(&state) % (unsigned)left) < wanted - count)
      to[count++] = peer;
  }
  return count;
}

static void print_plan(int ranks, const char *grid) {
  int *to = malloc(sizeof(int) * ranks), all = 0, most = 0;
  printf("ranks %d\nsite 1\nexchange %s\n", ranks, grid);
  for (int rank = 0; rank < ranks; ++rank) {
    int count = destinations(rank, ranks, to);
    all += count;
    most = count > most ? count : most;
    for (int index = 0; index < count; ++index)
      printf("message %d %d 3\n", rank, to[index]);
  }
  fprintf(stderr, "%d messages, %.1f a rank on average, %d at most\n", all, (double)all / ranks,
          most);
  free(to);
}

int main(int argc, char **argv) {
  if (argc > 3 && strcmp(argv[1], "plan") == 0) {
    print_plan(atoi(argv[2]), argv[3]);
    return 0;
  }
  MPI_Init(&argc, &argv);
  int rank = my_rank(), ranks = rank_count(), receives = 0;
  int rounds = getenv("ROUNDS") ? atoi(getenv("ROUNDS")) : 4;
  int bytes = getenv("BYTES") ? atoi(getenv("BYTES")) : 64;
  int *to = malloc(sizeof(int) * ranks), *from = malloc(sizeof(int) * ranks),
      *others = malloc(sizeof(int) * ranks);
  for (int peer = 0; peer < ranks; ++peer) {
    int count = peer == rank ? 0 : destinations(peer, ranks, others);
    for (int index = 0; index < count; ++index)
      if (others[index] == rank)
        from[receives++] = peer;
  }
  int sends = destinations(rank, ranks, to);
  char *out = calloc(ranks, bytes), *in = calloc(ranks, bytes);
  MPI_Request *requests = malloc(sizeof(MPI_Request) * 2 * ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime(), spent, slowest;
  for (int round = 0; round < rounds; ++round) {
    for (int index = 0; index < receives; ++index)
      MPI_Irecv(in + index * bytes, bytes, MPI_BYTE, from[index], 3, MPI_COMM_WORLD,
                &requests[index]);
    {
      sendwright_batch(loop);
      for (int index = 0; index < sends; ++index) {
        memset(out + index * bytes, rank + to[index] + round, bytes);
        MPI_Isend(out + index * bytes, bytes, MPI_BYTE, to[index], 3, MPI_COMM_WORLD,
                  &requests[receives + index]);
      }
    }
    MPI_Waitall(receives + sends, requests, MPI_STATUSES_IGNORE);
    for (int index = 0; index < receives; ++index)
      for (int byte = 0; byte < bytes; ++byte)
        EXPECT(in[index * bytes + byte] == (char)(from[index] + rank + round));
  }
  spent = MPI_Wtime() - begin;
  MPI_Reduce(&spent, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.1f us\n", slowest / rounds * 1e6);
  MPI_Finalize();
}
