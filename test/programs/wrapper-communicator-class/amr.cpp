#include "patches.hpp"
#include "result.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    amr::Communicator world(MPI_COMM_WORLD);
    Patches patches(world, 6);
    for (int step = 0; step < 4; ++step) {
      patches.describe();
      patches.exchange();
      patches.advance();
    }
    const std::vector<double> cells = patches.cells();
    print_result(world.native(), "cells", cells.data(), cells.size() * sizeof(double));
  }
  return MPI_Finalize();
}
