#include "pencils.h"
#include "result.h"

#include <stdlib.h>

int main(int argc, char **argv) {
  struct pencils pencils;
  enum { n = 24 };
  MPI_Init(&argc, &argv);
  pencils_create(&pencils, n, MPI_COMM_WORLD);
  const int own = pencils.rows * n, first = pencils.rank * pencils.rows;
  float *matrix = malloc(own * sizeof *matrix), *turned = malloc(own * sizeof *turned);
  for (int i = 0; i < own; ++i)
    matrix[i] = (first * n + i) / 4.0f;
  int wrong = 0;
  for (int round = 0; round < 3; ++round) {
    pencils_turn(&pencils, matrix, turned);
    for (int row = 0; row < pencils.rows; ++row)
      for (int column = 0; column < n; ++column)
        wrong += turned[row * n + column] != (column * n + first + row) / 4.0f + round;
    print_result(pencils.communicator, "turned", turned, own * sizeof *turned);
    for (int i = 0; i < own; ++i)
      matrix[i] += 1;
  }
  if (pencils.rank == 0)
    printf("%d wrong\n", wrong);
  free(matrix), free(turned);
  pencils_free(&pencils);
  return MPI_Finalize();
}
