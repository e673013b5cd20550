/* A probe is no step of a plan, so a probe that waits for a message of the next super epoch goes unnoticed:
 * the sender waits until this rank has come there. Strict buffers find the cycle. */

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, in, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 4; round++) {
    MPI_Send(&round, 1, MPI_INT, 1 - rank, round, MPI_COMM_WORLD);
    if (argc > 1 && rank == 0 && round == 1)
      MPI_Probe(1, round + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += in;
  }
  printf("rank %d: %d\n", rank, sum);
  MPI_Finalize();
  return 0;
}

/* RUN: rm -rf %t && mkdir %t
 * RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
 * RUN: env SENDWRIGHT_PROFILE=%t/run.prof %mpirun 2 %t/profiled > %t/out
 * RUN: for kind in component full; do \
 * RUN:   %sendwright plan %t/run.prof -o %t/plan --synchronize $kind > %t/said && \
 * RUN:   %mpicc -O1 -g %use=%t/plan %s -o %t/$kind %runtime && \
 * RUN:   env SENDWRIGHT_BUFFERS=1 %mpirun 2 %t/$kind > %t/out && grep 'rank 0: 6' %t/out && \
 * RUN:   sh -c "env SENDWRIGHT_BUFFERS=1 %mpirun 2 %t/$kind probe > %t/out 2> %t/$kind.err; test \$? = 86" || exit 1; \
 * RUN: done
 * RUN: %FileCheck %s < %t/component.err
 * RUN: %FileCheck %s < %t/full.err
 * CHECK: sendwright: deadlock with SENDWRIGHT_BUFFERS=1: these ranks wait for one another
 * CHECK-NEXT: sendwright:   rank 0: MPI_Probe from rank 1, tag 2, at {{.*}}waiting-for-what-is-not-sent.c:14: rank 1 does not send it
 * CHECK-NEXT: sendwright:   rank 1: before MPI_{{(Send|Recv)}} at {{.*}}waiting-for-what-is-not-sent.c:1{{[0-9]}}, waits for rank 0 at the boundary of a super epoch: rank 0 has not reached it
 */
