#include "kba.h"

/* To every second rank, in packed messages. */
void kba_wave(struct kba *kba) {
  for (int step = 1; step < kba->ranks; step += 2) { // -> reordered
    double packed[kba_cells];
    const int to = (kba->rank + step) % kba->ranks, count = kba_pack(kba, to, packed);
    kba_send_one(packed, count, to, kba->communicator);
  }
  kba_receive(kba, 2);
}
