#include "halo.h"
#include "result.h"

#include <math.h>
#include <stdlib.h>

/* The same sum at every rank: partial sums are added in the order of ranks. */
static double dot(const double *a, const double *b, int n, MPI_Comm communicator) {
  double own = 0, all[64], sum = 0;
  int ranks;
  for (int i = 0; i < n; ++i)
    own += a[i] * b[i];
  MPI_Comm_size(communicator, &ranks);
  MPI_Allgather(&own, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, communicator);
  for (int r = 0; r < ranks; ++r)
    sum += all[r];
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm communicator;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  int rank;
  MPI_Comm_rank(communicator, &rank);
  struct problem problem;
  problem_create(&problem, communicator);
  const int n = problem.rows;
  double *x = calloc(n, sizeof *x), *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p),
         *q = malloc(n * sizeof *q);
  for (int i = 0; i < n; ++i)
    p[i] = r[i] = sin(1 + rank + 0.1 * i);
  double rr = dot(r, r, n, communicator);
  for (int step = 0; step < 12; ++step) {
    problem_apply(&problem, communicator, p, q);
    const double alpha = rr / dot(p, q, n, communicator);
    for (int i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double next = dot(r, r, n, communicator);
    for (int i = 0; i < n; ++i)
      p[i] = r[i] + next / rr * p[i];
    rr = next;
  }
  if (rank == 0)
    printf("residual %.17g after 12 steps\n", sqrt(rr));
  print_result(communicator, "solution", x, n * sizeof *x);
  free(x), free(r), free(p), free(q);
  problem_destroy(&problem);
  MPI_Comm_free(&communicator);
  return MPI_Finalize();
}
