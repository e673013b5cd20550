#include "faces.h"
#include "result.h"

#include <string.h>

int main(int argc, char **argv) {
  static double values[cells], next[cells];
  static struct faces faces;
  MPI_Init(&argc, &argv);
  faces_create(&faces, MPI_COMM_WORLD);
  int rank;
  MPI_Comm_rank(faces.grid, &rank);
  for (int i = 0; i < cells; ++i)
    values[i] = (rank * 37 + i * 11) % 101 / 8.0;
  for (int step = 0; step < 6; ++step) {
    faces_exchange(&faces, values);
    for (int z = 1; z <= side; ++z)
      for (int y = 1; y <= side; ++y)
        for (int x = 1; x <= side; ++x)
          next[cell(x, y, z)] =
              (values[cell(x - 1, y, z)] + values[cell(x + 1, y, z)] + values[cell(x, y - 1, z)] +
               values[cell(x, y + 1, z)] + values[cell(x, y, z - 1)] + values[cell(x, y, z + 1)]) /
              6;
    memcpy(values, next, sizeof values);
  }
  print_result(faces.grid, "grid", values, sizeof values);
  MPI_Comm_free(&faces.grid);
  return MPI_Finalize();
}
