// With SENDWRIGHT_VERIFY, a loop whose sends complete early takes turns: its sends leave from copies, or are
// the program's own. Fails if they always leave from copies, or never.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf 'ranks 2\nsite 1\nearly least=1000 most=4000000\n' | %write_plan plan
// RUN: %mpicc %s %planned_loop -o program %runtime
// RUN: env TEST_PLAN=plan SENDWRIGHT_VERIFY=1 %mpirun 2 ./program 80 2>table
// RUN: %FileCheck %s --input-file=table
// RUN: env TEST_PLAN=plan %mpirun 2 ./program 20 always 2>off
// RUN: test ! -s off
//
// CHECK: program.c:{{[0-9]+}} (early-completion){{ +}}80 {{.*}} % (
// CHECK-NEXT: sendwright: written to sendwright-verified.json

#include "../inputs/planned-loop.h"

#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

enum { many = 5000 };

static int values[2][many], received[many];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int executions = atoi(argv[1]), always = argc > 2, rank = my_rank(), other = 1 - rank;
  int early = 0;
  for (int execution = 0; execution < executions; ++execution) {
    MPI_Request receive[2], send;
    for (int index = 0; index < many; ++index)
      values[0][index] = values[1][index] = execution + index;
    MPI_Irecv(received, many, MPI_INT, other, 5, MPI_COMM_WORLD, &receive[0]);
    clear_log();
    {
      sendwright_batch(loop);
      MPI_Send(values[0], many, MPI_INT, other, 5, MPI_COMM_WORLD);
      MPI_Isend(values[1], many, MPI_INT, other, 6, MPI_COMM_WORLD, &send);
    }
    const int copied = strncmp(issue_log, "isend", 5) == 0;
    early += copied;
    if (copied)
      values[0][7] = values[1][7] = -1; // both are complete
    MPI_Wait(&receive[0], MPI_STATUS_IGNORE);
    for (int index = 0; index < many; ++index)
      EXPECT(received[index] == execution + index);
    MPI_Recv(received, many, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int index = 0; index < many; ++index)
      EXPECT(received[index] == execution + index);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
  }
  EXPECT(always ? early == executions : 2 * early == executions);
  MPI_Finalize();
}
