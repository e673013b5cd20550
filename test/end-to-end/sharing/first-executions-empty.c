// One function exchanges messages for several callers, in an order without a period. For two of them only
// some ranks send, so that a rank receives before it sends anything in the function. The planner knows that the
// rank was there before, so its messages can be shared. Fails if the rank seems to come late to its first
// executions, since it then waits for messages that wait for it.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
//
// CHECK: first-executions-empty.c:[[#@LINE+24]]:3: remark: send loop shared by 'message-sharing':
// CHECK-SAME: patterns in turn, messages of the busiest rank

#include "hub.h"

enum { all, from_even, from_odd };

static int sends(int kind, int from) {
  return kind == all || (from % 2 == 0) == (kind == from_even);
}

static void exchange(int kind, int round) {
  MPI_Request request[2 * most];
  MPI_Status status[2 * most];
  int requests = 0, receives = 0;
  partners = 0;
  for (int other = 0; other < ranks; ++other)
    if (other != rank && (kind == all || (rank + other) % 3 != 0))
      add_partner(other);
  fill(round);
  for (int k = 0; k < partners; ++k)
    if (sends(kind, partner[k]))
      MPI_Irecv(inbox[receives++], room, MPI_INT, partner[k], 5, MPI_COMM_WORLD, &request[requests++]);
  const int outgoing = sends(kind, rank) ? partners : 0;
  for (int k = 0; k < outgoing; ++k)
    MPI_Isend(outbox[k], length(round, rank, partner[k]), MPI_INT, partner[k], 5, MPI_COMM_WORLD,
              &request[requests++]);
  MPI_Waitall(requests, request, status);
  for (int k = 0; k < receives; ++k) {
    int count;
    MPI_Get_count(&status[k], MPI_INT, &count);
    take(status[k].MPI_SOURCE, inbox[k], count);
  }
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rounds; ++round) {
    exchange(round % 2 ? from_even : from_odd, round);
    for (int times = round * round % 7 % 3; times > 0; --times)
      exchange(all, round);
  }
  return finish();
}
