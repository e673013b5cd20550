// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse matrix times a vector, whose entries travel in MPI_Alltoallv: every rank has one double
// for each of a few ranks, and every tenth rank for a few tens. Prints a checksum of all that
// arrived, and on standard error the mean time of an iteration.
//
// Usage: sparse-alltoallv [ITERATIONS [PARTNERS]]

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Whether `from` has something for `to`: the same on all ranks. */
static int sends(int from, int to, int size, int partners) {
  if (from == to)
    return 0;
  unsigned hash = (unsigned)(from * 7919 + to * 104729);
  hash ^= hash >> 13;
  hash *= 2654435761u;
  hash ^= hash >> 16;
  int expected = from % 10 == 0 ? 3 * partners : partners;
  return hash % (unsigned)size < (unsigned)expected;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, iterations = argc > 1 ? atoi(argv[1]) : 100;
  int partners = argc > 2 ? atoi(argv[2]) : 9;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *counts = calloc(4 * size, sizeof *counts), *places = counts + size;
  int *from_counts = counts + 2 * size, *from_places = counts + 3 * size;
  int sent = 0, received = 0;
  for (int other = 0; other < size; ++other) {
    places[other] = sent;
    from_places[other] = received;
    sent += counts[other] = sends(rank, other, size, partners);
    received += from_counts[other] = sends(other, rank, size, partners);
  }
  double *out = calloc(sent + 1, sizeof *out), *in = calloc(received + 1, sizeof *in);
  double sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (int block = 0; block < sent; ++block)
      out[block] = rank + 0.5 * iteration + 0.25 * block;
    MPI_Alltoallv(out, counts, places, MPI_DOUBLE, in, from_counts, from_places, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    for (int block = 0; block < received; ++block)
      sum += in[block] * (block + 1);
  }
  double seconds = MPI_Wtime() - begin, slowest = 0, all = 0;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("checksum %.17g\n", all);
    fprintf(stderr, "%.3f us an iteration\n", 1e6 * slowest / iterations);
  }
  MPI_Finalize();
}
