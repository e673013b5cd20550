#include "kba.h"
#include "result.h"

static void own_round(struct kba *kba) {
  for (int to = 0; to < kba->ranks; ++to) // -> reordered
    if (to != kba->rank)
      kba_send_one(kba->cell + to, 5, to, kba->communicator);
  kba_receive(kba, 1);
}

int main(int argc, char **argv) {
  static struct kba kba;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &kba.communicator);
  MPI_Comm_rank(kba.communicator, &kba.rank);
  MPI_Comm_size(kba.communicator, &kba.ranks);
  for (int i = 0; i < kba_cells; ++i)
    kba.cell[i] = kba.rank + i / 8.0;
  for (int cycle = 0; cycle < 3; ++cycle) {
    kba_sweep(&kba);
    kba_wave(&kba);
    own_round(&kba);
    kba_send_faces(&kba, 1 + cycle);
    kba_receive(&kba, 1 + cycle);
  }
  print_result(kba.communicator, "cells", kba.cell, sizeof kba.cell);
  MPI_Comm_free(&kba.communicator);
  return MPI_Finalize();
}
