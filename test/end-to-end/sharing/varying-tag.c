// The tags change from one execution to the next: with the number of the round, in a cycle, and with
// two messages for each partner that are received in the other order.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// RUN: %same_shared %s -DTAG='100+round%%7' && %FileCheck %s < %t/remarks
// RUN: %same_shared %s -DTWICE && %FileCheck %s < %t/remarks
// CHECK: varying-tag.c:[[#@LINE+29]]:5: remark: send loop shared by 'message-sharing':

#include "hub.h"

#ifndef TAG
#define TAG round
#endif
#ifdef TWICE
enum { messages = 2 };
#else
enum { messages = 1 };
#endif

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request[2 * messages * most];
    MPI_Status status[2 * messages * most];
    int count = 0, received;
    fill(round);
    for (int k = 0; k < partners; ++k)
      for (int which = messages; which-- > 0;)
        MPI_Irecv(inbox[k] + which * room / 2, room / messages, MPI_INT, partner[k],
                  messages * (TAG) + which, MPI_COMM_WORLD, &request[count++]);
    received = count;
    for (int k = 0; k < partners; ++k)
      for (int which = 0; which < messages; ++which)
        MPI_Isend(outbox[k] + which, length(round + which, rank, partner[k]) / messages, MPI_INT,
                  partner[k], messages * (TAG) + which, MPI_COMM_WORLD, &request[count++]);
    MPI_Waitall(count, request, status);
    for (int k = 0; k < received; ++k) {
      int values, which = messages - 1 - k % messages;
      MPI_Get_count(&status[k], MPI_INT, &values);
      take(status[k].MPI_SOURCE, inbox[k / messages] + which * room / 2, values);
      take(status[k].MPI_TAG, &values, 1);
    }
  }
  return finish();
}
