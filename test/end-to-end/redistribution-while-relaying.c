// A rank whose own cells have come begins to redistribute while it still has to pass on the cells of others, of which
// one comes late: rank 3 sends to rank 4 through rank 0. It passes them on while it waits for the other ranks, also in
// the collective call by which ranks tell one another what they computed.
//
// REQUIRES: smpicc
// UNSUPPORTED: sanitize
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 -Wall -Wextra -Werror %generate %s -o %t/generate %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/prof %mpirun 16 %t/generate | %FileCheck %s
// RUN: %sendwright plan %t/prof -o %t/plan --method store-and-forward:2 | grep -q "travel through other ranks"
// RUN: %mpicc -O1 -Wall -Wextra -Werror %use=%t/plan %s -o %t/use %runtime
// RUN: env SENDWRIGHT_WATCHDOG=20,abort %mpirun 16 %t/use | %FileCheck %s
// RUN: env SENDWRIGHT_WATCHDOG=20,abort %mpirun 16 %t/use balance | %FileCheck %s
// RUN: env SENDWRIGHT_USE=%t/plan %tools/bin/sendwright-smpicc -O1 %s -o %t/simulated
// RUN: %source_root/test/benchmark/testbed/smpi run 16 %source_root/examples/platforms/infiniband.xml %t/simulated | %FileCheck %s
// RUN: %source_root/test/benchmark/testbed/smpi run 16 %source_root/examples/platforms/infiniband.xml %t/simulated balance | %FileCheck %s
// CHECK: 20 steps, 0 wrong

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, step, sizes[16], others[16];
  long wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 16; ++i) {
    sizes[i] = 3;
    others[i] = 3 + (i == 7) - (i == 8);
  }
  double *A = malloc(sizeof(double) * 5);
#pragma hpf processors P(16)
#pragma hpf distribute A(gen_block(sizes)) onto P extent(48)
#pragma hpf shadow A(1:1)
#pragma hpf dynamic A
  for (step = 0; step < 20; ++step) {
    int first = 0;
    for (int i = 0; i < rank; ++i)
      first += sizes[i];
    for (int i = 0; i < sizes[rank]; ++i)
      A[i + 1] = 100 * step + first + i;
    if (rank == 3)
      usleep(500);
#pragma hpf reflect A periodic
    for (int i = -1; i <= sizes[rank]; ++i)
      wrong += A[i + 1] != 100 * step + (first + i + 48) % 48;
    if (argc > 1) {
#pragma hpf redistribute A(balance(measured, sizes))
    } else {
      for (int i = 0; i < 16; ++i) {
        const int size = sizes[i];
        sizes[i] = others[i];
        others[i] = size;
      }
#pragma hpf redistribute A(gen_block(sizes))
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d steps, %ld wrong\n", step, wrong);
  free(A);
  MPI_Finalize();
}
