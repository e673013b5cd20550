#include "result.h"
#include "transpose.h"

#include <math.h>

enum { n = 32 };

/* In place, by decimation in time; sign -1 forward, 1 backward without scaling. */
static void transform(double complex *x, int sign) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      const double complex swap = x[i];
      x[i] = x[j];
      x[j] = swap;
    }
  }
  for (int length = 2; length <= n; length *= 2)
    for (int start = 0; start < n; start += length)
      for (int k = 0; k < length / 2; ++k) {
        const double complex even = x[start + k], odd = cexp(sign * 2 * acos(-1) * I * k / length) *
                                                        x[start + k + length / 2];
        x[start + k] = even + odd;
        x[start + k + length / 2] = even - odd;
      }
}

int main(int argc, char **argv) {
  static double complex rows[n * n];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int own = n / ranks;
  for (int i = 0; i < own * n; ++i)
    rows[i] = (rank * own * n + i) * 7919 % 1000 / 1000.0;
  for (int direction = -1; direction <= 1; direction += 2) {
    for (int dimension = 0; dimension < 2; ++dimension) {
      for (int row = 0; row < own; ++row)
        transform(&rows[row * n], direction);
      transpose(rows, n, MPI_COMM_WORLD);
    }
    print_result(MPI_COMM_WORLD, direction < 0 ? "spectrum" : "image", rows,
                 own * n * sizeof *rows);
  }
  if (rank == 0)
    printf("%.12f %.12f\n", creal(rows[1]) / (n * n), 7919 % 1000 / 1000.0);
  return MPI_Finalize();
}
