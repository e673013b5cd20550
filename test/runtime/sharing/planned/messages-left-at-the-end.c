// A run ends with no message of the runtime left that nobody has received: ranks that execute the
// loop less often than others take in the parts of the later executions in MPI_Finalize. MPICH's
// shared memory prints a warning for each such message, into what the program prints. Fails if a
// rank ends as soon as all others have come to MPI_Finalize.
//
// RUN: printf 'ranks 4\nsite 1\nexchange direct\nmessages 5\n' | %write_plan %t.direct
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessages 5\n' | %write_plan %t.grid
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: for plan in direct grid; do env TEST_PLAN=%t.$plan %mpirun 4 %t >%t.out 2>&1 && test ! -s %t.out || { cat %t.out; exit 1; }; done

#define _GNU_SOURCE
#include "../../inputs/planned-loop.h"

#include <dlfcn.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 4, executions = 50 };

static int checks;

/* The runtime frees its duplicate of MPI_COMM_WORLD once it is done. */
int PMPI_Comm_free(MPI_Comm *communicator) {
  int (*const next)(MPI_Comm *) = (int (*)(MPI_Comm *))dlsym(RTLD_NEXT, "PMPI_Comm_free");
  int relation, found = 0;
  PMPI_Comm_compare(*communicator, MPI_COMM_WORLD, &relation);
  if (relation == MPI_CONGRUENT) {
    ++checks;
    PMPI_Barrier(MPI_COMM_WORLD);
    for (int times = 0; times < 1000 && !found; ++times)
      PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, *communicator, &found, MPI_STATUS_IGNORE);
    EXPECT(!found);
  }
  return next(communicator);
}

/* Pairs of ranks that do not wait for other pairs. */
static void execute(void) {
  const int rank = my_rank(), peer = rank ^ 2;
  int out = rank, in = -1;
  MPI_Request request;
  {
    sendwright_batch(loop);
    for (int times = 0; times < 1; ++times)
      MPI_Isend(&out, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &request);
  }
  MPI_Recv(&in, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(in == peer);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int number = 0; number < executions; ++number)
    if (number < 2 || my_rank() % 2)
      execute();
  MPI_Finalize();
  EXPECT(checks == 1);
  return 0;
}
