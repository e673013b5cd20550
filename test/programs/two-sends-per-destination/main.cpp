#include "particles.hpp"
#include "result.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, most = 0, total = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    Slab slab(MPI_COMM_WORLD);
    const double reach[] = {1, -1, 2, -2, 0.25, -0.5};
    for (int k = 0; k < 60; ++k)
      slab.particles.push_back(
          {(rank + (k + 0.5) / 60) / ranks, reach[k % 6] / ranks, 100 * rank + k, 0});
    for (int step = 0; step < 8; ++step) {
      slab.move(1);
      slab.exchange();
    }
    print_result(MPI_COMM_WORLD, "particles", slab.particles.data(),
                 slab.particles.size() * sizeof(Particle));
    const int own = static_cast<int>(slab.particles.size());
    MPI_Reduce(&own, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own, &most, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  }
  if (rank == 0)
    printf("%d particles, at most %d at a rank\n", total, most);
  return MPI_Finalize();
}
