// What is sent differs from one execution to the next, and no pattern recurs: such messages are not
// shared, and the plan says why.
//
// RUN: rm -rf %t && mkdir %t && %mpicc -O1 -I%S/inputs %generate %s -o %t/profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/app.prof %mpirun 16 %t/profiled > %t/expected
// RUN: %sendwright plan %t/app.prof --machine %S/inputs/latency-bound.json -o %t/app.plan | %FileCheck %s
// RUN: %mpicc -O1 -I%S/inputs %use=%t/app.plan %s -o %t/rewritten %runtime
// RUN: %mpirun 16 %t/rewritten > %t/rewritten.out && cmp %t/expected %t/rewritten.out
// CHECK: not shared because its messages differ from one execution to the next ({{[0-9]+}} % of them recur in most executions)

#include "hub.h"

/* Whether rank `from` sends to rank `to` in a round. */
static int sends(int round, int from, int to) {
  const unsigned mixed = (unsigned)(round * 7919 + from * 104729 + to * 1299709) * 2654435761u;
  return from != to && (to == (from + 1) % ranks || (mixed >> 16) % 3 == 0);
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
    partners = 0;
    for (int to = 0; to < ranks; ++to)
      if (sends(round, rank, to))
        add_partner(to);
    fill(round);
    for (int k = 0; k < partners; ++k)
      MPI_Isend(outbox[k], length(round, rank, partner[k]), MPI_INT, partner[k], 9, MPI_COMM_WORLD,
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
