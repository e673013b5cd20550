// Statements send, each to a partner that this rank may have or not: the messages of the block are
// shared as those of a loop are.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// CHECK: statements.c:[[#@LINE+9]]:3: remark: block of 15 sends shared by 'message-sharing':

#include "hub.h"

static MPI_Request request[2 * most];

/* Partner `k` of this rank, if it has as many. */
#define SEND(K) if (K < partners) MPI_Isend(outbox[K], length(round, rank, partner[K]), MPI_INT, partner[K], 5, MPI_COMM_WORLD, &request[partners + K])
static void send_all(int round) {
  SEND(0);
  SEND(1);
  SEND(2);
  SEND(3);
  SEND(4);
  SEND(5);
  SEND(6);
  SEND(7);
  SEND(8);
  SEND(9);
  SEND(10);
  SEND(11);
  SEND(12);
  SEND(13);
  SEND(14);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rounds; ++round) {
    MPI_Status status[2 * most];
    fill(round);
    for (int k = 0; k < partners; ++k)
      MPI_Irecv(inbox[k], room, MPI_INT, partner[k], 5, MPI_COMM_WORLD, &request[k]);
    send_all(round);
    MPI_Waitall(2 * partners, request, status);
    for (int k = 0; k < partners; ++k) {
      int count;
      MPI_Get_count(&status[k], MPI_INT, &count);
      take(status[k].MPI_SOURCE, inbox[k], count);
    }
  }
  return finish();
}
