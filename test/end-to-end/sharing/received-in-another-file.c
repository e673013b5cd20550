// Receives are posted, and taken as they arrive, in another file; a function there makes the
// sends.
//
// RUN: %same_shared %s %S/inputs/receiving.c && %FileCheck %s < %t/remarks
// CHECK: received-in-another-file.c:[[#@LINE+11]]:5: remark: send loop shared by 'message-sharing':

#include "hub.h"
#include "receiving.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rounds; ++round) {
    int counts[most];
    fill(round);
    expect_all(partner, partners, inbox);
    for (int k = 0; k < partners; ++k)
      dispatch(outbox[k], length(round, rank, partner[k]), partner[k]);
    take_all(partners, counts);
    for (int k = 0; k < partners; ++k)
      take(partner[k], inbox[k], counts[k]);
    await_dispatched();
  }
  return finish();
}
