// Receives are posted, the loop sends without blocking, and one call waits for all.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// CHECK: posted-before.c:[[#@LINE+12]]:5: remark: send loop shared by 'message-sharing':

#include "hub.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request[2 * most];
    MPI_Status status[2 * most];
    fill(round);
    for (int k = 0; k < partners; ++k)
      MPI_Irecv(inbox[k], room, MPI_INT, partner[k], 5, MPI_COMM_WORLD, &request[k]);
    for (int k = 0; k < partners; ++k)
      MPI_Isend(outbox[k], length(round, rank, partner[k]), MPI_INT, partner[k], 5, MPI_COMM_WORLD,
                &request[partners + k]);
    MPI_Waitall(2 * partners, request, status);
    for (int k = 0; k < partners; ++k) {
      int count;
      MPI_Get_count(&status[k], MPI_INT, &count);
      take(status[k].MPI_SOURCE, inbox[k], count);
    }
  }
  return finish();
}
