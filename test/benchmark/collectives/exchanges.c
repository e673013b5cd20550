/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* All-to-all and allgather as loops of MPI_Sendrecv, for exchanges-on-smpi.
 *
 * Usage: exchanges [COUNT [ROUNDS]]      elements of a block (8), and how often (20)
 *
 * Standard output says what all ranks have at the end, standard error the microseconds of each
 * operation, with the barrier that ends it. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void pairwise(const int *out, int *in, int n) {
  memcpy(in + rank * n, out + rank * n, (size_t)n * sizeof *in);
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* For numbers of ranks that are powers of two. */
static void opposite(const int *out, int *in, int n) {
  for (int i = 0; i < size; i++) {
    int partner = rank ^ i;
    MPI_Sendrecv(out + partner * n, n, MPI_INT, partner, i, in + partner * n, n, MPI_INT, partner,
                 i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void share(const int *out, int *in, int n) {
  memcpy(in + rank * n, out, (size_t)n * sizeof *in);
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out, n, MPI_INT, to, 2, in + from * n, n, MPI_INT, from, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

typedef void operation(const int *, int *, int);
static operation *const operations[] = {pairwise, opposite, share};
static const char *const names[] = {"pairwise", "opposite", "share"};
enum { count = sizeof operations / sizeof *operations };

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 8, rounds = argc > 2 ? atoi(argv[2]) : 20;
  double seconds[count] = {0};
  unsigned long long check = 0, together = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *out = calloc((size_t)(size * n), sizeof *out), *in = calloc((size_t)(size * n), sizeof *in);
  for (int round = 0; round < rounds; round++)
    for (int each = 0; each < count; each++) {
      if (operations[each] == opposite && (size & (size - 1)) != 0)
        continue;
      for (int k = 0; k < size * n; k++)
        out[k] = rank * 1000 + k * 3 + round + each;
      MPI_Barrier(MPI_COMM_WORLD);
      const double begun = MPI_Wtime();
      operations[each](out, in, n);
      MPI_Barrier(MPI_COMM_WORLD);
      seconds[each] += MPI_Wtime() - begun;
      for (int k = 0; k < size * n; k++)
        check = check * 6364136223846793005ULL + (unsigned)in[k];
    }
  MPI_Reduce(&check, &together, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d ranks, %d elements, %d rounds: %016llx\n", size, n, rounds, together);
    for (int each = 0; each < count; each++)
      fprintf(stderr, "%s %.2f us\n", names[each], 1e6 * seconds[each] / rounds);
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
