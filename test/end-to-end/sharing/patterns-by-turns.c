// One function exchanges messages on every level, each level with other partners: a loop that serves
// several patterns in turn, with one tag. Lengths vary. Two levels, and five as in the cycles of a
// multigrid method.
//
// RUN: %same_shared %s -DLEVELS=2 && %FileCheck %s --check-prefixes=CHECK,TWO < %t/remarks
// RUN: %FileCheck %s --check-prefixes=PLAN,PLAN-TWO < %t/plan.out
// RUN: %same_shared %s -DLEVELS=5 && %FileCheck %s --check-prefixes=CHECK,FIVE < %t/remarks
// RUN: %FileCheck %s --check-prefixes=PLAN,PLAN-FIVE < %t/plan.out
//
// CHECK: patterns-by-turns.c:[[#@LINE+28]]:3: remark: send loop shared by 'message-sharing':
// TWO-SAME: for 2 patterns in turn, messages of the busiest rank 30 ->
// FIVE-SAME: for 5 patterns in turn, messages of the busiest rank 30 ->
//
// PLAN: messages of a rank
// PLAN-NEXT: direct 1
// PLAN-TWO-NEXT: for 2 patterns in turn
// PLAN-FIVE-NEXT: for 5 patterns in turn

#include "hub.h"

/* Each level has the hub in common with the others, and two more partners for each rank. */
static void choose_partners(int level) {
  partners = 0;
  for (int other = 0; other < ranks; ++other) {
    const int distance = (rank - other + ranks) % ranks;
    if (rank == 0 || other == 0 || distance == level + 1 || distance == ranks - level - 1)
      add_partner(other);
  }
}

static void exchange(int level, int round) {
  MPI_Request request[2 * most];
  MPI_Status status[2 * most];
  choose_partners(level);
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
  for (int round = 0; round < rounds; ++round)
    exchange(round % LEVELS, round);
  return finish();
}
