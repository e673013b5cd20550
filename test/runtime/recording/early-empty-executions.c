// A send loop that a rank executes without communication before it first communicates leaves its events
// where this happens, between the rank's other calls: what the rank receives there comes after an execution
// in which it sent nothing. Of 100 such executions the last 36 follow when it communicates. Fails if the
// first execution stands behind what the rank received after it.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %print_profile %t.prof skips | sed 's/ at .*//' | uniq -c | sed 's/^ *//' | %FileCheck %s --match-full-lines

// CHECK: 1 rank
// CHECK-NEXT: 1 skip program.c:1
// CHECK-NEXT: 1 MPI_Recv
// CHECK-NEXT: 1 skip program.c:1
// CHECK-NEXT: 1 MPI_Recv
// CHECK-NEXT: 62 skip program.c:1
// CHECK-NEXT: 1 MPI_Recv
// CHECK-NEXT: 36 skip program.c:1
// CHECK-NEXT: 1 enter program.c:1
// CHECK-NEXT: 1 MPI_Send in program.c:1
// CHECK-NEXT: 1 leave program.c:1
// CHECK-NEXT: 1 skip program.c:1

#include "../inputs/recorded.h"

#include <mpi.h>

static int rank, value;

static void send(int count) {
  MARK(first)
  for (int i = 0; i < count; ++i)
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  END_MARK
}

static void receive(void) { MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  first.flags = SENDWRIGHT_SITE_DEFERRABLE;
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) {
      send(0);
      receive();
    }
    for (int i = 0; i < 98; ++i)
      send(0);
    receive();
    send(1);
    send(0);
  } else {
    for (int i = 0; i < 3; ++i)
      send(1);
    receive();
  }
  MPI_Finalize();
  return 0;
}
