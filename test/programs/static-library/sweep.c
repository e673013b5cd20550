#include "kba.h"

/* From every rank to every other, through the program's transport. */
void kba_sweep(struct kba *kba) {
  MPI_Request requests[16];
  int sent = 0;
  for (int step = 1; step < kba->ranks; ++step) // -> reordered
    transport_post(kba->cell + step, 4 + step, (kba->rank + step) % kba->ranks, kba->communicator,
                   &requests[sent++]);
  kba_receive(kba, 1);
  MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE);
}
