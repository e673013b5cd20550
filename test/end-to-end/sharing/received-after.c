// Blocking sends from one buffer, which each message overwrites, and blocking receives after them.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// CHECK: received-after.c:[[#@LINE+9]]:5: remark: send loop shared by 'message-sharing':

#include "hub.h"
#include <string.h>

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rounds; ++round) {
    fill(round);
    for (int k = 0; k < partners; ++k) {
      static int packed[room];
      memcpy(packed, outbox[k], sizeof packed);
      MPI_Send(packed, length(round, rank, partner[k]) / 8, MPI_INT, partner[k], rank,
               MPI_COMM_WORLD);
    }
    for (int k = partners; k-- > 0;) {
      MPI_Status status;
      int count;
      MPI_Recv(inbox[k], room, MPI_INT, partner[k], partner[k], MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      take(partner[k], inbox[k], count);
    }
  }
  return finish();
}
