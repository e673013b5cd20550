#include "handle.h"
#include "result.h"

int main(int argc, char **argv) {
  long near_values[30], far_values[30], sum = 0;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct handle *near = handle_create(MPI_COMM_WORLD, 1), *far = handle_create(MPI_COMM_WORLD, 2);
  for (int distance = 1; distance < ranks; ++distance) {
    const int other = (rank + distance) % ranks,
              gap = distance < ranks - distance ? distance : ranks - distance;
    handle_add(gap < 3 ? near : far, other, 4 * gap + rank, 4 * gap + other);
  }
  for (int i = 0; i < 30; ++i)
    near_values[i] = far_values[i] = rank * 100 + i;
  handle_end(near, near_values); /* nothing was begun */
  for (int step = 0; step < 5; ++step) {
    handle_begin(near, near_values);
    for (int i = 0; i < 30; ++i)
      sum = (sum * 31 + near_values[i]) % 1000003;
    handle_begin(far, far_values);
    handle_end(near, near_values);
    for (int i = 0; i < 30; ++i)
      sum = (sum * 31 + near_values[i]) % 1000003;
    handle_end(far, far_values);
  }
  handle_free(near);
  handle_free(far);
  print_result(MPI_COMM_WORLD, "near", near_values, sizeof near_values);
  print_result(MPI_COMM_WORLD, "far", far_values, sizeof far_values);
  print_result(MPI_COMM_WORLD, "sum", &sum, sizeof sum);
  return MPI_Finalize();
}
