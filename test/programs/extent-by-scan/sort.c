#include "result.h"

#include <stdlib.h>
#include <string.h>

struct keys {
  int count;
  unsigned value[4096];
  int owner[4096]; /* of each value, ascending */
};

static int compare(const void *a, const void *b) {
  const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

/* The ranks in `destination` own keys that this rank has; a rank's own keys are not sent. */
static void send_to_owners(const struct keys *keys, const int *destination, int destinations,
                           int rank) {
  int k = 0;
  for (int i = 0; i < destinations; ++i) { // -> reordered
    const int first = k;
    while (k < keys->count && keys->owner[k] == destination[i])
      k++;
    if (destination[i] != rank)
      MPI_Send(&keys->value[first], k - first, MPI_UNSIGNED, destination[i], 2, MPI_COMM_WORLD);
  }
}

static void find_owners(struct keys *keys, const unsigned *splitter, int ranks) {
  for (int k = 0; k < keys->count; ++k)
    for (keys->owner[k] = 0;
         keys->owner[k] < ranks - 1 && keys->value[k] >= splitter[keys->owner[k]];)
      keys->owner[k]++;
}

int main(int argc, char **argv) {
  static struct keys keys, sorted;
  int rank, ranks, destination[32], destinations = 0, sends_to[32] = {0}, comes_from[32];
  unsigned samples[32], all[32];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  unsigned state = 12345 + 99 * rank;
  keys.count = 300 + 40 * rank;
  for (int k = 0; k < keys.count; ++k)
    keys.value[k] = (state = state * 1664525u + 1013904223u) >> 8;
  qsort(keys.value, keys.count, sizeof *keys.value, compare);

  unsigned median = keys.value[keys.count * (rank + 1) / (ranks + 1)];
  MPI_Allgather(&median, 1, MPI_UNSIGNED, all, 1, MPI_UNSIGNED, MPI_COMM_WORLD);
  qsort(all, ranks, sizeof *all, compare);
  memcpy(samples, all + 1, (ranks - 1) * sizeof *samples);
  find_owners(&keys, samples, ranks);
  for (int k = 0; k < keys.count; ++k)
    if (!sends_to[keys.owner[k]]) {
      sends_to[keys.owner[k]] = 1;
      destination[destinations++] = keys.owner[k];
    }
  MPI_Alltoall(sends_to, 1, MPI_INT, comes_from, 1, MPI_INT, MPI_COMM_WORLD);

  send_to_owners(&keys, destination, destinations, rank);
  for (int k = 0; k < keys.count; ++k)
    if (keys.owner[k] == rank)
      sorted.value[sorted.count++] = keys.value[k];
  for (int p = 0; p < ranks; ++p) {
    if (p == rank || !comes_from[p])
      continue;
    MPI_Status status;
    int length;
    MPI_Probe(p, 2, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_UNSIGNED, &length);
    MPI_Recv(&sorted.value[sorted.count], length, MPI_UNSIGNED, p, 2, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    sorted.count += length;
  }
  qsort(sorted.value, sorted.count, sizeof *sorted.value, compare);
  print_result(MPI_COMM_WORLD, "sorted", sorted.value, sorted.count * sizeof *sorted.value);
  return MPI_Finalize();
}
