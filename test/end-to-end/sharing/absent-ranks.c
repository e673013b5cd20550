// A V-cycle in which ranks without work on the coarse level do not call the function there: they
// execute the loop less often. Each level has routes of its own, and nothing is sent for the other
// level. A run that visits the levels in another order than the profile does the same.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// RUN: %sendwright show %t/app.plan | %FileCheck %s --check-prefix=PLAN
// RUN: env ORDER=other %mpirun 16 %t/original > %t/other.expected
// RUN: env ORDER=other %mpirun 16 %t/rewritten > %t/other.out 2> %t/other.err
// RUN: cmp %t/other.expected %t/other.out
// RUN: ! cmp -s %t/expected %t/other.out
//
// CHECK: absent-ranks.c:[[#@LINE+26]]:3: remark: send loop shared by 'message-sharing':
// CHECK-SAME: for 2 patterns in turn
// PLAN: shared: the {{[0-9]+}} messages of {{.*}}absent-ranks.c:[[#@LINE+24]]
// PLAN: shared: the {{[0-9]+}} messages of {{.*}}absent-ranks.c:[[#@LINE+23]]

#include "hub.h"

#include <stdlib.h>

/* On the fine level a hub and two neighbours; on the coarse level all even ranks. */
static void choose_partners(int coarse) {
  partners = 0;
  for (int other = 0; other < ranks; ++other) {
    const int distance = (rank - other + ranks) % ranks;
    if (coarse ? other % 2 == 0 : rank == 0 || other == 0 || distance == 1 || distance == ranks - 1)
      add_partner(other);
  }
}

static void exchange(int coarse, int round) {
  MPI_Request request[2 * most];
  MPI_Status status[2 * most];
  choose_partners(coarse);
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

int main(int argc, char **argv) {
  begin(&argc, &argv);
  const int other = getenv("ORDER") != NULL;
  for (int round = 0; round < rounds; ++round) {
    const int coarse = other ? round * 7 % 5 < 3 : round % 4 == 1 || round % 4 == 2;
    if (!coarse || rank % 2 == 0)
      exchange(coarse, round);
  }
  return finish();
}
