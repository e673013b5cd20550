#include "package.h"
#include "result.h"

int main(int argc, char **argv) {
  double values[40], ghosts[40] = {0};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 40; ++i)
    values[i] = 100 * rank + i;
  for (int level = 2; level < 5; ++level) {
    struct package package;
    package_create(&package, MPI_COMM_WORLD, level);
    for (int sweep = 0; sweep < 6; ++sweep) {
      package_begin(&package, values);
      for (int i = 20; i < 40; ++i) /* computes while messages are under way */
        values[i] = 0.5 * (values[i - 1] + values[i]);
      package_end(&package, ghosts);
      for (int i = 0; i < 20; ++i)
        values[i] = 0.75 * values[i] + 0.25 * ghosts[i];
    }
    package_destroy(&package);
    print_result(MPI_COMM_WORLD, "level", values, sizeof values);
  }
  return MPI_Finalize();
}
