/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An irregular exchange of many small messages, as a solver would write it and by three-step
 * aggregation, followed by sums over all ranks.
 *
 * Usage: exchange PATTERN BYTES SUMS FIRST LAST WAY...
 *
 * PATTERN is one of pattern.h. SUMS is how often MPI_Allreduce is called in an iteration, or
 * "hidden": PMPI_Allreduce is called instead. WAY is "written", or the number of ranks in a region.
 * For each way in turn, prints the mean microseconds of an iteration, over the iterations from
 * FIRST to LAST (from when the last rank has begun them until the last rank has ended them), and a
 * sum of all that was received in the first ten: whoever runs longer can be compared, too. */

#include "pattern.h"
#include "three-step.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { compared = 10 };

static int rank, ranks, sources, destinations, bytes;
static int *source, *destination;
static char *out, *in;
static MPI_Request *requests;

static void find_neighbours(const struct pattern *pattern) {
  source = malloc(sizeof(int) * (size_t)ranks);
  destination = malloc(sizeof(int) * (size_t)ranks);
  for (int other = 0; other < ranks; other++) {
    if (sends(pattern, other, rank))
      source[sources++] = other;
    if (sends(pattern, rank, other))
      destination[destinations++] = other;
  }
  out = calloc((size_t)(destinations * bytes + 1), 1);
  in = calloc((size_t)(sources * bytes + 1), 1);
  requests = malloc(sizeof(MPI_Request) * (size_t)(sources + destinations + 1));
}

static void exchange(void) {
  for (int n = 0; n < sources; n++)
    MPI_Irecv(in + n * bytes, bytes, MPI_BYTE, source[n], 0, MPI_COMM_WORLD, &requests[n]);
  for (int n = 0; n < destinations; n++)
    MPI_Isend(out + n * bytes, bytes, MPI_BYTE, destination[n], 0, MPI_COMM_WORLD,
              &requests[sources + n]);
  MPI_Waitall(sources + destinations, requests, MPI_STATUSES_IGNORE);
}

static double iterate(struct three_step *steps, double total, int iteration, const char *sums) {
  for (int n = 0; n < destinations; n++) {
    const double value = total * 1e-3 + rank + n * 0.1 + iteration * 0.01;
    memcpy(out + n * bytes, &value, sizeof value);
  }
  if (steps)
    three_step_exchange(steps);
  else
    exchange();
  for (int n = 0; n < sources; n++) {
    double value;
    memcpy(&value, in + n * bytes, sizeof value);
    total = 0.5 * total + 0.1 * value;
  }
  for (int sum = 0; sum < atoi(sums); sum++) {
    double of_all = 0;
    MPI_Allreduce(&total, &of_all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    total = total / 3 + of_all * 1e-6;
  }
  if (strcmp(sums, "hidden") == 0) {
    double of_all = 0;
    PMPI_Allreduce(&total, &of_all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    total = total / 3 + of_all * 1e-6;
  }
  return total;
}

static void measure(const struct pattern *pattern, const char *way, const char *sums, int first,
                    int last) {
  struct three_step *steps =
      strcmp(way, "written") == 0 ? NULL : three_step_begin(pattern, bytes, atoi(way), out, in);
  double times[2] = {0, 0}, latest[2], total = rank, then = 0, of_all = 0;
  MPI_Barrier(MPI_COMM_WORLD); // SMPI may hang if a rank still ends the way before
  for (int iteration = 0; iteration < last; iteration++) {
    if (iteration == first)
      times[0] = MPI_Wtime();
    total = iterate(steps, total, iteration, sums);
    if (iteration == compared - 1)
      then = total;
  }
  times[1] = MPI_Wtime();
  if (steps)
    three_step_end(steps);
  MPI_Reduce(times, latest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&then, &of_all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %.3f %.17g\n", way, 1e6 * (latest[1] - latest[0]) / (last - first), of_all);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc < 7) {
    fprintf(stderr, "usage: exchange PATTERN BYTES SUMS FIRST LAST WAY...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bytes = atoi(argv[2]);
  struct pattern pattern = pattern_of(argv[1], ranks);
  find_neighbours(&pattern);
  for (int way = 6; way < argc; way++)
    measure(&pattern, argv[way], argv[3], atoi(argv[4]), atoi(argv[5]));
  free(pattern.sends);
  free(source);
  free(destination);
  free(out);
  free(in);
  free(requests);
  MPI_Finalize();
  return 0;
}
