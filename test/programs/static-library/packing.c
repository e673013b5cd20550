#include "kba.h"

int kba_pack(const struct kba *kba, int to, double *out) {
  int count = 0;
  for (int i = to % 3; i < kba_cells; i += 3)
    out[count++] = 0.5 * kba->cell[i];
  return count;
}

void kba_receive(struct kba *kba, int stride) {
  for (int step = 1; step < kba->ranks; step += stride) {
    const int from = (kba->rank + kba->ranks - step) % kba->ranks;
    MPI_Status status;
    int count;
    MPI_Recv(kba->inbox[from], kba_cells, MPI_DOUBLE, from, 0, kba->communicator, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    for (int i = 0; i < count; ++i)
      kba->cell[(from + i) % kba_cells] += kba->inbox[from][i] / 16;
  }
}
