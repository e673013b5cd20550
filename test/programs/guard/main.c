#include "redistribute.h"
#include "result.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double *blocks = malloc(400 * sizeof *blocks), *cyclic = malloc(400 * sizeof *cyclic),
         *back = malloc(400 * sizeof *back);
  for (int block = 3; block <= 90; block += 29) { /* with 90, two ranks get nothing */
    const struct distribution before = {400, 0, ranks}, after = {400, block, ranks};
    const int length = local_length(&before, rank);
    for (int i = 0, local = 0; i < 400; ++i)
      if (owner(&before, i) == rank)
        blocks[local++] = block + i / 8.0;
    redistribute(&before, blocks, &after, cyclic, MPI_COMM_WORLD);
    redistribute(&after, cyclic, &before, back, MPI_COMM_WORLD);
    if (memcmp(blocks, back, length * sizeof *back) != 0)
      MPI_Abort(MPI_COMM_WORLD, 1);
    print_result(MPI_COMM_WORLD, "cyclic", cyclic, local_length(&after, rank) * sizeof *cyclic);
  }
  free(blocks), free(cyclic), free(back);
  return MPI_Finalize();
}
