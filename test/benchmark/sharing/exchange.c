/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How long an exchange of many small messages takes: from when the last rank begins until the last
 * one is through, the median of ROUNDS (3) after one that warms up. On SMPI all ranks begin at
 * once.
 *
 *   exchange plan RANKS GRID     words for write-plan: all of the built-in pattern, through a grid
 *   exchange                     runs it: 61 messages a rank on average and 400 at most, of 64
 * bytes exchange MATRIX ITEM_BYTES   runs the pattern of a communication matrix
 * (docs/file-formats.md)
 *
 * "MPI_Alltoallv" as one more argument times that, too, with the same bytes. */

#define _GNU_SOURCE

#include "../../runtime/inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* This rank's part of a pattern. */
struct part {
  int sends, receives;
  int *to, *from;               /* ranks, ascending */
  int *send_bytes, *recv_bytes; /* of each message */
};

static void add_message(struct part *part, int source, int destination, int bytes) {
  if (source == destination)
    return;
  if (source == my_rank()) {
    part->to[part->sends] = destination;
    part->send_bytes[part->sends++] = bytes;
  } else if (destination == my_rank()) {
    part->from[part->receives] = source;
    part->recv_bytes[part->receives++] = bytes;
  }
}

static struct part empty_part(void) {
  const size_t size = sizeof(int) * (size_t)rank_count();
  struct part part = {0, 0, malloc(size), malloc(size), malloc(size), malloc(size)};
  return part;
}

static struct part built_in_part(void) {
  struct part part = empty_part();
  const int ranks = rank_count();
  int *to = malloc(sizeof(int) * ranks);
  for (int source = 0; source < ranks; ++source) {
    const int count = destinations(source, ranks, to);
    for (int index = 0; index < count; ++index)
      add_message(&part, source, to[index], 64);
  }
  free(to);
  return part;
}

static struct part part_of_matrix(const char *name, int item_bytes) {
  struct part part = empty_part();
  FILE *file = fopen(name, "r");
  EXPECT(file != NULL);
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, file) > 0) {
    char *at = line;
    const int source = (int)strtol(line, &at, 10);
    if (at == line || *at != ':')
      continue; /* a comment */
    for (++at;;) {
      char *end = at;
      const int destination = (int)strtol(at, &end, 10);
      if (end == at)
        break;
      add_message(&part, source, destination, item_bytes * (int)strtol(end + 1, &at, 10));
    }
  }
  free(line);
  fclose(file);
  return part;
}

/* Memory for messages, with the number of the round in it; and where each begins. */
struct buffers {
  char *out, *in;
  int *out_at, *in_at;
};

static int *places(const int *bytes, int count, char **memory) {
  int *at = malloc(sizeof(int) * (size_t)(count + 1)), sum = 0;
  for (int index = 0; index < count; sum += bytes[index++])
    at[index] = sum;
  *memory = calloc((size_t)sum + 1, 1);
  return at;
}

static struct buffers buffers_for(const struct part *part) {
  struct buffers buffers;
  buffers.out_at = places(part->send_bytes, part->sends, &buffers.out);
  buffers.in_at = places(part->recv_bytes, part->receives, &buffers.in);
  return buffers;
}

static void exchange(const struct part *part, const struct buffers *memory, MPI_Request *requests,
                     int round) {
  for (int index = 0; index < part->receives; ++index)
    MPI_Irecv(memory->in + memory->in_at[index], part->recv_bytes[index], MPI_BYTE,
              part->from[index], 3, MPI_COMM_WORLD, &requests[index]);
  {
    sendwright_batch(loop);
    for (int index = 0; index < part->sends; ++index) {
      char *out = memory->out + memory->out_at[index];
      memset(out, my_rank() + part->to[index] + round, (size_t)part->send_bytes[index]);
      MPI_Isend(out, part->send_bytes[index], MPI_BYTE, part->to[index], 3, MPI_COMM_WORLD,
                &requests[part->receives + index]);
    }
  }
  MPI_Waitall(part->receives + part->sends, requests, MPI_STATUSES_IGNORE);
}

static void expect_received(const struct part *part, const struct buffers *memory, int round) {
  for (int index = 0; index < part->receives; ++index)
    for (int byte = 0; byte < part->recv_bytes[index]; ++byte)
      EXPECT(memory->in[memory->in_at[index] + byte] ==
             (char)(part->from[index] + my_rank() + round));
}

/* The same bytes by the collective operation that programs use for it. */
static void exchange_all(const struct part *part, const struct buffers *memory, int *arguments) {
  const int ranks = rank_count();
  int *send_counts = arguments, *send_at = arguments + ranks, *receive_counts = send_at + ranks,
      *receive_at = receive_counts + ranks;
  memset(arguments, 0, sizeof(int) * 4 * (size_t)ranks);
  for (int index = 0; index < part->sends; ++index) {
    send_counts[part->to[index]] = part->send_bytes[index];
    send_at[part->to[index]] = memory->out_at[index];
  }
  for (int index = 0; index < part->receives; ++index) {
    receive_counts[part->from[index]] = part->recv_bytes[index];
    receive_at[part->from[index]] = memory->in_at[index];
  }
  MPI_Alltoallv(memory->out, send_counts, send_at, MPI_BYTE, memory->in, receive_counts, receive_at,
                MPI_BYTE, MPI_COMM_WORLD);
}

/* Waits until `start`, a time that all ranks know; without one clock of all, for one another. */
static void start_together(double start) {
#ifdef SMPI_H
  const struct timespec pause = {0, (long)((start - MPI_Wtime()) * 1e9)};
  nanosleep(&pause, NULL);
#else
  (void)start;
  MPI_Barrier(MPI_COMM_WORLD);
#endif
}

static int by_size(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Prints the median, in microseconds. */
static void time_rounds(const char *name, const struct part *part, int all) {
  const int warm = 1, rounds = getenv("ROUNDS") ? atoi(getenv("ROUNDS")) : 3;
  struct buffers memory = buffers_for(part);
  MPI_Request *requests = malloc(sizeof(MPI_Request) * (size_t)(part->sends + part->receives + 1));
  int *arguments = malloc(sizeof(int) * 4 * (size_t)rank_count());
  double *times = malloc(sizeof(double) * (size_t)(rounds + 1));
  double mine[2], last[2] = {0, 0};
  for (int round = -warm; round < rounds; ++round) {
    start_together(last[1] + 1e-2);
    mine[0] = MPI_Wtime();
    if (all)
      exchange_all(part, &memory, arguments);
    else
      exchange(part, &memory, requests, round);
    mine[1] = MPI_Wtime();
    if (!all)
      expect_received(part, &memory, round);
    MPI_Allreduce(mine, last, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (round >= 0)
      times[round] = last[1] - last[0];
  }
  qsort(times, (size_t)rounds, sizeof *times, by_size);
  if (my_rank() == 0)
    printf("%s: %.2f us\n", name, times[rounds / 2] * 1e6);
  free(times);
  free(arguments);
  free(requests);
}

static void time_both(const struct part *part) {
  time_rounds("exchange", part, 0);
  if (getenv("MPI_ALLTOALLV"))
    time_rounds("MPI_Alltoallv", part, 1);
}

int main(int argc, char **argv) {
  if (argc > 3 && strcmp(argv[1], "plan") == 0) {
    print_plan(atoi(argv[2]), argv[3]);
    return 0;
  }
  MPI_Init(&argc, &argv);
  if (argc < 3) {
    const struct part part = built_in_part();
    time_both(&part);
  }
  for (int argument = 2; argument < argc; ++argument) {
    const struct part part = part_of_matrix(argv[1], atoi(argv[argument]));
    time_both(&part);
  }
  MPI_Finalize();
}
