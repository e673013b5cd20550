/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A rank exchanges a small message with itself 10^6 times with Irecv, Isend and Waitall, in rounds
 * that record and rounds that do not, so that both see the same machine. Prints the nanoseconds
 * that recording adds to a call, and the same for a call that a program at rest makes. With the
 * argument "irregular", tags and sizes are random, so that no iteration repeats what came before.
 * With "patterns", each iteration is an execution of the loop with another pattern: 1 to 8 messages
 * over any of 64 communicators, which stand for destinations, with any tags and sizes. The argument
 * "memory" prints what the process had at most, too.
 *
 * The runtime has no switch for recording, so the program calls MPI_X in rounds that record and
 * PMPI_X in the others. */

#include "../../runtime/inputs/own-memory.h"

#include <mpi.h>
#include <sendwright/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct sendwright_site loop = {"exchange.c", "main", 1, 0, 1, 0, 0};
static struct sendwright_site *sites[] = {&loop};
static struct sendwright_unit unit = {SENDWRIGHT_RUNTIME_VERSION,
                                      SENDWRIGHT_UNIT_GENERATE,
                                      "exchange.c",
                                      sites,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0};

__attribute__((constructor)) static void announce(void) {
  if (!getenv("AT_REST"))
    sendwright_register(&unit);
}

enum { partners = 64, mostMessages = 8 };
static MPI_Comm partner[partners];
static long calls;

/* A pattern of messages that hardly ever comes again. */
#define PATTERN(PREFIX)                                                                            \
  do {                                                                                             \
    const int messages = 1 + choose(mostMessages);                                                 \
    for (int m = 0; m < messages; ++m) {                                                           \
      const int with = choose(partners), tag = choose(32768), count = 1 + choose(mostInts);        \
      PREFIX##_Irecv(in, count, MPI_INT, 0, tag, partner[with], &requests[2 * m]);                 \
      PREFIX##_Isend(out, count, MPI_INT, 0, tag, partner[with], &requests[2 * m + 1]);            \
    }                                                                                              \
    PREFIX##_Waitall(2 * messages, requests, MPI_STATUSES_IGNORE);                                 \
    calls += 2 * messages + 1;                                                                     \
  } while (0)

#define EXCHANGE(PREFIX)                                                                           \
  do {                                                                                             \
    const int tag = choose(8), count = 1 + choose(mostInts);                                       \
    PREFIX##_Irecv(in, count, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[0]);                   \
    PREFIX##_Isend(out, count, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[1]);                  \
    PREFIX##_Waitall(2, requests, MPI_STATUSES_IGNORE);                                            \
  } while (0)

static int compare(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Processor time, which other work on the machine hardly affects. */
static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

enum { rounds = 41, callsPerIteration = 3, mostInts = 64 };

static int irregular, patterns;

/* A number below `most`, always 0 in a regular program. */
static int choose(unsigned most) {
  static unsigned state = 1;
  if (!irregular && !patterns)
    return 0;
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 16) % most);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int iterations = (argc > 1 ? atoi(argv[1]) : 1000000) / rounds + 1;
  irregular = argc > 2 && strcmp(argv[2], "irregular") == 0;
  int rank, in[mostInts], out[mostInts] = {1};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int peer = rank;
  MPI_Request requests[2 * mostMessages];
  patterns = argc > 2 && strcmp(argv[2], "patterns") == 0;
  for (int i = 0; i < partners; ++i)
    MPI_Comm_dup(MPI_COMM_SELF, &partner[i]);
  const long before = own_memory("VmHWM");
  double added[rounds], plain[rounds], ratio[rounds];
  for (int round = 0; round < rounds; ++round) {
    calls = 0;
    const double begin = seconds();
    for (int i = 0; patterns && i < iterations; ++i) {
      sendwright_mark(loop);
      PATTERN(MPI);
    }
    if (!patterns) {
      sendwright_mark(loop);
      for (int i = 0; i < iterations; ++i)
        EXCHANGE(MPI);
    }
    const double middle = seconds();
    const double recorded = patterns ? calls : callsPerIteration * (double)iterations;
    for (int i = 0; i < iterations; ++i)
      if (patterns)
        PATTERN(PMPI);
      else
        EXCHANGE(PMPI);
    const double end = seconds();
    const double others = patterns ? calls - recorded : recorded;
    plain[round] = (end - middle) / others * 1e9;
    added[round] = (middle - begin) / recorded * 1e9 - plain[round];
    ratio[round] = (middle - begin) / (end - middle);
  }
  qsort(added, rounds, sizeof *added, compare);
  qsort(plain, rounds, sizeof *plain, compare);
  qsort(ratio, rounds, sizeof *ratio, compare);
  if (rank == 0)
    printf("%-19s %8.1f ns a call, %+7.1f ns with wrappers (quartiles %.1f to %.1f), ratio %.2f\n",
           getenv("AT_REST") ? "at rest"
           : irregular       ? "recording, random"
           : patterns        ? "recording, patterns"
                             : "recording",
           plain[rounds / 2], added[rounds / 2], added[rounds / 4], added[3 * rounds / 4],
           ratio[rounds / 2]);
  const long recorded = own_memory("VmHWM");
  MPI_Finalize();
  if (rank == 0 && argc > 3 && strcmp(argv[3], "memory") == 0)
    printf("memory of the process: %ld kB before, at most %ld kB more while recording, %ld kB more "
           "at the end\n",
           before, recorded - before, own_memory("VmHWM") - before);
  return 0;
}
