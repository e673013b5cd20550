// Near partners in one loop, far ones in another, the hub in a statement: the messages are shared as
// one exchange.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// CHECK: loops-in-a-row.c:[[#@LINE+14]]:5: remark: block of 1 send and 2 send loops shared by 'message-sharing':
// CHECK-NOT: shared by

#include "hub.h"

static MPI_Request request[2 * most];

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rounds; ++round) {
    MPI_Status status[2 * most];
    fill(round);
    for (int k = 0; k < partners; ++k)
      MPI_Irecv(inbox[k], room, MPI_INT, partner[k], 5, MPI_COMM_WORLD, &request[k]);
    for (int k = 1; k < partners && k < 3; ++k)
      MPI_Isend(outbox[k], length(round, rank, partner[k]), MPI_INT, partner[k], 5, MPI_COMM_WORLD, &request[partners + k]);
    for (int k = 3; k < partners; ++k)
      MPI_Isend(outbox[k], length(round, rank, partner[k]), MPI_INT, partner[k], 5, MPI_COMM_WORLD, &request[partners + k]);
    MPI_Isend(outbox[0], length(round, rank, partner[0]), MPI_INT, partner[0], 5, MPI_COMM_WORLD, &request[partners]);
    MPI_Waitall(2 * partners, request, status);
    for (int k = 0; k < partners; ++k) {
      int count;
      MPI_Get_count(&status[k], MPI_INT, &count);
      take(status[k].MPI_SOURCE, inbox[k], count);
    }
  }
  return finish();
}
