// Persistent requests: the loop starts sends that were created once, and so were the receives.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// CHECK: persistent.c:[[#@LINE+15]]:5: remark: send loop shared by 'message-sharing':

#include "hub.h"

int main(int argc, char **argv) {
  MPI_Request request[2 * most];
  begin(&argc, &argv);
  for (int k = 0; k < partners; ++k) {
    MPI_Recv_init(inbox[k], room, MPI_INT, partner[k], 2, MPI_COMM_WORLD, &request[k]);
    MPI_Send_init(outbox[k], length(3, rank, partner[k]), MPI_INT, partner[k], 2, MPI_COMM_WORLD,
                  &request[partners + k]);
  }
  for (int round = 0; round < rounds; ++round) {
    fill(round);
    MPI_Startall(partners, request);
    for (int k = 0; k < partners; ++k)
      MPI_Start(&request[partners + k]);
    for (int k = 0; k < partners; ++k) {
      MPI_Status status;
      int count;
      MPI_Wait(&request[k], &status);
      MPI_Get_count(&status, MPI_INT, &count);
      take(partner[k], inbox[k], count);
    }
    MPI_Waitall(partners, request + partners, MPI_STATUSES_IGNORE);
  }
  for (int k = 0; k < 2 * partners; ++k)
    MPI_Request_free(&request[k]);
  return finish();
}
