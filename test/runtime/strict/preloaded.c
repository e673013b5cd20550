// A program that was built without Sendwright: the runtime is preloaded. Without debug information
// the report names the program and an offset.
//
// RUN: %mpicc -g0 %s -o %t
// RUN: %mpirun 2 sh -c 'LD_PRELOAD=$LD_PRELOAD:%runtime_file SENDWRIGHT_BUFFERS=1 exec %t'
// RUN: %mpirun 2 sh -c 'LD_PRELOAD=$LD_PRELOAD:%runtime_file SENDWRIGHT_BUFFERS=0 exec %t' > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// CHECK: rank 0: MPI_Send to rank 1, tag 7, at preloaded.c.tmp+0x{{[0-9a-f]+}}: rank 1 has no buffers
// CHECK-NEXT: rank 1: MPI_Recv from rank 0, tag 8, at preloaded.c.tmp+0x{{[0-9a-f]+}}: rank 0 does not send it

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int message = 0; message < 2; ++message)
    if (rank == 0)
      MPI_Send(&value, 1, MPI_INT, 1, 7 + message, MPI_COMM_WORLD);
    else
      MPI_Recv(&value, 1, MPI_INT, 0, 8 - message, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
