// With SENDWRIGHT_VERIFY, executions of an ordered loop take turns in the order as written and in
// the plan's order, four at a time, alike on all ranks; rank 0 prints a table and writes a file. The
// planned order is made slow here, so the table shows a loss. Fails without verification: all
// executions are planned.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf 'ranks 4\nsite 1\norder * 3 2 1 0\n' | %write_plan %t/plan
// RUN: %mpicc %s %planned_loop -o %t/program %runtime
// RUN: env TEST_PLAN=%t/plan SENDWRIGHT_VERIFY=1 %mpirun 4 %t/program 160 2>%t/table
// RUN: %FileCheck %s --input-file=%t/table
// RUN: %FileCheck %s --check-prefix=FILE --input-file=%t/sendwright-verified.json
// RUN: env TEST_PLAN=%t/plan SENDWRIGHT_VERIFY=%t/named.json %mpirun 4 %t/program 20 2>%t/few
// RUN: %FileCheck %s --check-prefix=FEW --input-file=%t/few
// RUN: env TEST_PLAN=%t/plan SENDWRIGHT_VERIFY=%t/none/named.json %mpirun 4 %t/program 20 2>%t/unwritten
// RUN: %FileCheck %s --check-prefix=UNWRITTEN --input-file=%t/unwritten
// RUN: env TEST_PLAN=%t/plan SENDWRIGHT_VERIFY=0 %mpirun 4 %t/program 20 always 2>%t/off
// RUN: test ! -s %t/off
//
// CHECK: sendwright: executions took turns as written and as planned
// CHECK-NEXT: site{{ +}}executions{{ +}}as written{{ +}}as planned{{ +}}gain (95 % confidence)
// CHECK-NEXT: program.c:{{[0-9]+}} (message-ordering){{ +}}160 {{.*}}s {{.*}}s -{{[0-9.]+}} % (-{{[0-9.]+}} to -{{[0-9.]+}})
// CHECK-NEXT: sendwright: written to sendwright-verified.json
// FILE: {"verified_gains": 1, "ranks": 4,
// FILE: {"file":"program.c","line":{{[0-9]+}},"function":"main",{{.*}}"hash":"0000000000000001","transformation":"message-ordering","executions":160,"pairs":18,"as_written":
// FEW: program.c:{{[0-9]+}} (message-ordering){{ +}}20{{ +}}-{{ +}}-{{ +}}too few executions, expected 57 or more
// FEW: sendwright: written to {{.*}}named.json
// UNWRITTEN: program.c:{{[0-9]+}}
// UNWRITTEN: sendwright: {{.*}}named.json: {{.*}}No such file or directory

#define _GNU_SOURCE
#include "../inputs/planned-loop.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int executions = atoi(argv[1]), always = argc > 2;
  int rank = my_rank(), changes = 0, before = -1, planned_executions = 0;
  for (int execution = 0; execution < executions; ++execution) {
    MPI_Request requests[4];
    int value = 100 * execution + rank, count = 0;
    clear_log();
    {
      sendwright_batch(loop);
      for (int peer = 0; peer < 4; ++peer)
        if (peer != rank)
          MPI_Isend(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[count++]);
    }
    int planned = strstr(issue_log, "start") != NULL, least = planned;
    if (rank == 0)
      expect_log(planned ? "start 3 start 2 start 1 " : "isend 1 isend 2 isend 3 ");
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    EXPECT(least == planned);
    for (int source = 0; source < 4; ++source)
      if (source != rank) {
        int received = -1;
        MPI_Recv(&received, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EXPECT(received == 100 * execution + source);
      }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    changes += planned != before;
    EXPECT(planned == before || execution % 4 == 0);
    before = planned;
    planned_executions += planned;
    usleep(planned ? 20000 : 500);
  }
  EXPECT(always ? planned_executions == executions
                : abs(2 * planned_executions - executions) <= 4);
  EXPECT(always || changes >= 2);
  MPI_Finalize();
}
