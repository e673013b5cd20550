// Marked loops left by longjmp end at the next MPI call or marked loop: calls after the jump do not
// belong to them, and a loop that is repeatedly left this way does not pile up.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: test "$(grep -cx 'send 1 tag=1 site=program.c:1' %t.trace)" = 200
// RUN: test "$(grep -cx 'send 1 tag=2' %t.trace)" = 200
// RUN: test "$(grep -cx 'send 1 tag=3 site=program.c:2' %t.trace)" = 200

#include "../inputs/recorded.h"

#include <mpi.h>
#include <setjmp.h>
#include <stddef.h>

static jmp_buf back;

__attribute__((noinline)) static void leave(int depth) {
  volatile char frame[256];
  frame[0] = (char)depth;
  if (depth > 0) {
    leave(depth - 1);
    frame[1] = frame[0];
    return;
  }
  MARK(first)
  MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
  longjmp(back, 1);
  END_MARK
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (volatile int i = 0; i < 200; ++i)
    if (rank == 1) {
      for (int tag = 1; tag <= 3; ++tag)
        MPI_Recv(NULL, 0, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      if (setjmp(back) == 0)
        leave(i % 5);
      MPI_Send(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD);
      MARK(second)
      MPI_Send(NULL, 0, MPI_INT, 1, 3, MPI_COMM_WORLD);
      END_MARK
    }
  MPI_Finalize();
  return 0;
}
