#include "kba.h"

void kba_send_one(const double *values, int count, int to, MPI_Comm communicator) {
  MPI_Send(values, count, MPI_DOUBLE, to, 0, communicator);
}

void kba_send_faces(const struct kba *kba, int stride) {
  for (int step = 1; step < kba->ranks; step += stride) // -> reordered
    MPI_Send(kba->cell, 3, MPI_DOUBLE, (kba->rank + step) % kba->ranks, 0, kba->communicator);
}
