// Messages are shared only where all ranks have the same plan, one thread calls MPI, and all
// processes run this program; otherwise one line says so, and the program runs as written. Fails
// when a single rank shares: its messages never arrive.
//
// RUN: printf 'ranks 2\nsite 1\nexchange direct\nmessages 5\n' | %write_plan %t.plan.0
// RUN: printf 'ranks 2\nsite 1\nexchange direct\nmessages 6\n' | %write_plan %t.plan.1
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: %mpirun 2 sh -c 'TEST_PLAN=%t.plan.${OMPI_COMM_WORLD_RANK:-$PMI_RANK} %t' >%t.out 2>&1
// RUN: %FileCheck --check-prefix=PLANS %s <%t.out
// RUN: env TEST_PLAN=%t.plan.0 %mpirun 2 %t threads >%t.out 2>&1
// RUN: %FileCheck --check-prefix=THREADS %s <%t.out
// RUN: env TEST_PLAN=%t.plan.0 SENDWRIGHT_BUFFERS=4 %mpirun 2 %t >%t.out 2>&1
// RUN: %FileCheck --check-prefix=BUFFERS %s <%t.out
// RUN: env TEST_PLAN=%t.plan.0 %mpirun 2 %t >%t.out 2>&1
// RUN: %FileCheck --check-prefix=SHARED %s <%t.out
// PLANS-DAG: sendwright: the ranks have different plans: no messages are shared
// PLANS-DAG: done
// THREADS-DAG: sendwright: this run may call MPI from several threads: no messages are shared
// THREADS-DAG: done
// BUFFERS-DAG: sendwright: message buffers are limited: no messages are shared
// BUFFERS-DAG: done
// SHARED-NOT: sendwright
// SHARED: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  int level, value = -1, other;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  int rank = my_rank();
  for (int round = 0; round < 3; ++round) {
    {
      sendwright_batch(loop);
      other = 10 * round + rank;
      MPI_Send(&other, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
    }
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(value == 10 * round + 1 - rank);
  }
  if (rank == 0)
    printf("done\n");
  MPI_Finalize();
}
