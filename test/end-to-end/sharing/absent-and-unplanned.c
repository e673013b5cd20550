// Now and then a planned message is not sent, or an unplanned one is; both ends
// know.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// CHECK: absent-and-unplanned.c:[[#@LINE+26]]:5: remark: send loop shared by 'message-sharing':

#include "hub.h"

/* Whether rank `from` sends to rank `to` in a round. */
static int sends(int round, int from, int to) {
  const int usual = from == 0 || to == 0 || (from - to) * (from - to) == 1;
  if (from == to)
    return 0;
  if (usual)
    return !(round == 3 && to == (from + 1) % ranks && from % 5 == 2);
  return round == 7 && to == (from + 4) % ranks && from % 6 == 1;
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request[2 * most];
    MPI_Status status[2 * most];
    int count = 0, received = 0;
    for (int from = 0; from < ranks; ++from)
      if (sends(round, from, rank))
        MPI_Irecv(inbox[received++], room, MPI_INT, from, 9, MPI_COMM_WORLD, &request[count++]);
    for (int to = 0; to < ranks; ++to)
      for (int i = 0; i < room; ++i)
        outbox[to][i] = round * 1000003 + rank * 10007 + to * 101 + i;
    for (int to = 0; to < ranks; ++to)
      if (sends(round, rank, to))
        MPI_Isend(outbox[to], length(round, rank, to), MPI_INT, to, 9, MPI_COMM_WORLD,
                  &request[count++]);
    MPI_Waitall(count, request, status);
    for (int k = 0; k < received; ++k) {
      int values;
      MPI_Get_count(&status[k], MPI_INT, &values);
      take(status[k].MPI_SOURCE, inbox[k], values);
    }
  }
  return finish();
}
