/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How long an exchange of many small messages takes: from when the last rank begins until the
 * last rank is through, the median of ROUNDS (3) after a warm-up round. All ranks begin at once,
 * by the clock of SMPI or of the machine that they share.
 *
 *   exchange plan RANKS GRID     words for write-plan: the built-in pattern, through a grid
 *   exchange                     runs it: 64.6 messages a rank on average and 400 at most
 *                                with 512 ranks, 64 bytes each
 *   exchange MATRIX BYTES...     runs the pattern of a communication matrix, with items of so
 *                                many bytes (docs/file-formats.md)
 *
 * WAYS in the environment names what is timed, in turn ("exchange"): "direct" is the same loop
 * without a plan, "MPI_Alltoallv" and "MPI_Neighbor_alltoallv" are what a program could call
 * instead. */

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

/* The number of ranks that a rank sends to: degrees fall from 400 of 512 as one over the square
 * root of the rank's number, which is shuffled. */
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

/* Memory for messages, where each message begins, and what the ways need. */
struct setting {
  char *out, *in;
  int *out_at, *in_at;
  MPI_Request *requests;
  int *arguments;                 /* of MPI_Alltoallv */
  MPI_Comm duplicate, neighbours; /* of the world, where nothing is shared */
};

static int *places(const int *bytes, int count, char **memory) {
  int *at = malloc(sizeof(int) * (size_t)(count + 1)), sum = 0;
  for (int index = 0; index < count; sum += bytes[index++])
    at[index] = sum;
  *memory = calloc((size_t)sum + 1, 1);
  return at;
}

static struct setting setting_for(const struct part *part) {
  struct setting setting;
  setting.out_at = places(part->send_bytes, part->sends, &setting.out);
  setting.in_at = places(part->recv_bytes, part->receives, &setting.in);
  setting.requests = malloc(sizeof(MPI_Request) * (size_t)(part->sends + part->receives + 1));
  setting.arguments = malloc(sizeof(int) * 4 * (size_t)rank_count());
  MPI_Comm_dup(MPI_COMM_WORLD, &setting.duplicate);
#ifndef SMPI_H /* SMPI has no neighbourhood collectives */
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, part->receives, part->from, part->recv_bytes,
                                 part->sends, part->to, part->send_bytes, MPI_INFO_NULL, 0,
                                 &setting.neighbours);
#endif
  return setting;
}

static void fill(const struct part *part, const struct setting *setting, int index, int round) {
  memset(setting->out + setting->out_at[index], my_rank() + part->to[index] + round,
         (size_t)part->send_bytes[index]);
}

static void receive_all(const struct part *part, const struct setting *setting,
                        MPI_Comm communicator) {
  for (int index = 0; index < part->receives; ++index)
    MPI_Irecv(setting->in + setting->in_at[index], part->recv_bytes[index], MPI_BYTE,
              part->from[index], 3, communicator, &setting->requests[index]);
}

static void send_all(const struct part *part, const struct setting *setting, int round,
                     MPI_Comm communicator) {
  for (int index = 0; index < part->sends; ++index) {
    fill(part, setting, index, round);
    MPI_Isend(setting->out + setting->out_at[index], part->send_bytes[index], MPI_BYTE,
              part->to[index], 3, communicator, &setting->requests[part->receives + index]);
  }
}

static void exchange(const struct part *part, struct setting *setting, int round) {
  receive_all(part, setting, MPI_COMM_WORLD);
  {
    sendwright_batch(loop);
    send_all(part, setting, round, MPI_COMM_WORLD);
  }
  MPI_Waitall(part->receives + part->sends, setting->requests, MPI_STATUSES_IGNORE);
}

static void exchange_directly(const struct part *part, struct setting *setting, int round) {
  receive_all(part, setting, setting->duplicate);
  send_all(part, setting, round, setting->duplicate);
  MPI_Waitall(part->receives + part->sends, setting->requests, MPI_STATUSES_IGNORE);
}

static void exchange_by_alltoallv(const struct part *part, struct setting *setting, int round) {
  const int ranks = rank_count();
  int *send_counts = setting->arguments, *send_at = send_counts + ranks,
      *receive_counts = send_at + ranks, *receive_at = receive_counts + ranks;
  memset(send_counts, 0, sizeof(int) * 4 * (size_t)ranks);
  for (int index = 0; index < part->sends; ++index) {
    fill(part, setting, index, round);
    send_counts[part->to[index]] = part->send_bytes[index];
    send_at[part->to[index]] = setting->out_at[index];
  }
  for (int index = 0; index < part->receives; ++index) {
    receive_counts[part->from[index]] = part->recv_bytes[index];
    receive_at[part->from[index]] = setting->in_at[index];
  }
  MPI_Alltoallv(setting->out, send_counts, send_at, MPI_BYTE, setting->in, receive_counts,
                receive_at, MPI_BYTE, setting->duplicate);
}

#ifndef SMPI_H
static void exchange_among_neighbours(const struct part *part, struct setting *setting, int round) {
  for (int index = 0; index < part->sends; ++index)
    fill(part, setting, index, round);
  MPI_Neighbor_alltoallv(setting->out, part->send_bytes, setting->out_at, MPI_BYTE, setting->in,
                         part->recv_bytes, setting->in_at, MPI_BYTE, setting->neighbours);
}
#endif

static const struct way {
  const char *name;
  void (*run)(const struct part *part, struct setting *setting, int round);
} ways[] = {
    {"exchange", exchange},
    {"direct", exchange_directly},
    {"MPI_Alltoallv", exchange_by_alltoallv},
#ifndef SMPI_H
    {"MPI_Neighbor_alltoallv", exchange_among_neighbours},
#endif
};
enum { wayCount = sizeof ways / sizeof *ways };

static void expect_received(const struct part *part, const struct setting *setting, int round) {
  for (int index = 0; index < part->receives; ++index)
    for (int byte = 0; byte < part->recv_bytes[index]; ++byte)
      EXPECT(setting->in[setting->in_at[index] + byte] ==
             (char)(part->from[index] + my_rank() + round));
}

/* Seconds by a clock that all ranks share: under SMPI, and on one machine. */
static double now(void) {
#ifdef SMPI_H
  return MPI_Wtime();
#else
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
#endif
}

static void sleep_until(double start) {
  const double rest = start - now();
  const struct timespec pause = {0, (long)(rest * 1e9)};
  if (rest > 0)
    nanosleep(&pause, NULL);
}

static int by_size(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Times the ways in turn; prints the median of each, in microseconds. */
static void time_ways(const struct part *part) {
  const char *names = getenv("WAYS") ? getenv("WAYS") : ways[0].name;
  const int rounds = getenv("ROUNDS") ? atoi(getenv("ROUNDS")) : 3, warm = 1;
  struct setting setting = setting_for(part);
  double *times[wayCount], mine[2], last[2] = {0, 0};
  for (int way = 0; way < wayCount; ++way)
    times[way] = malloc(sizeof(double) * (size_t)(rounds + 1));
  for (int turn = -warm * wayCount; turn < rounds * wayCount; ++turn) {
    const int way = (turn + warm * wayCount) % wayCount;
    if (!strstr(names, ways[way].name))
      continue;
    sleep_until(last[1] + 0.1);
    mine[0] = now();
    ways[way].run(part, &setting, turn);
    mine[1] = now();
    expect_received(part, &setting, turn);
    MPI_Allreduce(mine, last, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (turn >= 0)
      times[way][turn / wayCount] = last[1] - last[0];
  }
  for (int way = 0; way < wayCount; ++way) {
    qsort(times[way], (size_t)rounds, sizeof *times[way], by_size);
    if (my_rank() == 0 && strstr(names, ways[way].name))
      printf("%s: %.2f us\n", ways[way].name, times[way][rounds / 2] * 1e6);
    free(times[way]);
  }
}

int main(int argc, char **argv) {
  if (argc > 3 && strcmp(argv[1], "plan") == 0) {
    print_plan(atoi(argv[2]), argv[3]);
    return 0;
  }
  MPI_Init(&argc, &argv);
  if (argc < 3) {
    const struct part part = built_in_part();
    time_ways(&part);
  }
  for (int argument = 2; argument < argc; ++argument) {
    const struct part part = part_of_matrix(argv[1], atoi(argv[argument]));
    time_ways(&part);
  }
  MPI_Finalize();
}
