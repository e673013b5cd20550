// The set-up uses the tag of the exchange: sizes that are received from any source, and lists of
// more bytes than are copied. A collective call separates it from the exchange; the planner does not
// take messages for that. Between the rounds
// one more message goes with the same tag, and is received after the exchange's. The exchange is
// shared all the same.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// RUN: %mpicc -O1 -I%S/inputs -DSEPARATED=0 %generate %s -o %t/met %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/met.prof %mpirun 16 %t/met > %t/met.out
// RUN: %sendwright plan %t/met.prof --machine %S/inputs/latency-bound.json -o %t/met.plan | %FileCheck %s --check-prefix=MET
//
// CHECK: same-tag-in-set-up.c:[[#@LINE+69]]:5: remark: send loop shared by 'message-sharing':
// MET: not shared because a receive from any source at {{.*}}same-tag-in-set-up.c:{{[0-9]+}} could take its messages

#include "hub.h"

#ifndef SEPARATED
#define SEPARATED 1
#endif

enum { tag = 5, listed = 6000 };
static int list[most][listed], theirs[most][listed];

/* No rank goes on before all ranks are here. */
static void separate(void) {
#if SEPARATED
  MPI_Barrier(MPI_COMM_WORLD);
#else
  int token = 0;
  for (int other = 1; other < ranks; ++other)
    if (rank == 0)
      MPI_Recv(&token, 1, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank != 0)
    MPI_Send(&token, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
  for (int other = 1; other < ranks; ++other)
    if (rank == 0)
      MPI_Send(&token, 1, MPI_INT, other, 6, MPI_COMM_WORLD);
  if (rank != 0)
    MPI_Recv(&token, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
}

static void set_up(void) {
  int size[most], needed[most];
  MPI_Request request[most];
  for (int k = 0; k < partners; ++k) {
    size[k] = listed - (rank + k) % 7;
    MPI_Isend(&size[k], 1, MPI_INT, partner[k], tag, MPI_COMM_WORLD, &request[k]);
  }
  for (int k = 0; k < partners; ++k) {
    MPI_Status status;
    int length;
    MPI_Recv(&length, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    for (int which = 0; which < partners; ++which)
      if (partner[which] == status.MPI_SOURCE)
        needed[which] = length;
  }
  MPI_Waitall(partners, request, MPI_STATUSES_IGNORE);
  separate();
  for (int k = 0; k < partners; ++k)
    MPI_Irecv(theirs[k], listed, MPI_INT, partner[k], tag, MPI_COMM_WORLD, &request[k]);
  for (int k = 0; k < partners; ++k) {
    for (int value = 0; value < size[k]; ++value)
      list[k][value] = rank * value + k;
    MPI_Send(list[k], size[k], MPI_INT, partner[k], tag, MPI_COMM_WORLD);
  }
  for (int k = 0; k < partners; ++k) {
    MPI_Wait(&request[k], MPI_STATUS_IGNORE);
    take(partner[k], theirs[k], needed[k]);
  }
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  set_up();
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request[2 * most];
    fill(round);
    for (int k = 0; k < partners; ++k)
      MPI_Irecv(inbox[k], room, MPI_INT, partner[k], tag, MPI_COMM_WORLD, &request[k]);
    for (int k = 0; k < partners; ++k)
      MPI_Isend(outbox[k], length(round, rank, partner[k]), MPI_INT, partner[k], tag, MPI_COMM_WORLD,
                &request[partners + k]);
    MPI_Waitall(2 * partners, request, MPI_STATUSES_IGNORE);
    for (int k = 0; k < partners; ++k)
      take(partner[k], inbox[k], length(round, partner[k], rank));
    int more = round;
    if (rank == 3)
      MPI_Send(&more, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    if (rank == 0) {
      MPI_Recv(&more, 1, MPI_INT, 3, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      take(3, &more, 1);
    }
  }
  return finish();
}
