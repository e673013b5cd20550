// A run in which a rank does not come to MPI_Finalize writes no profile, and one line says so,
// whichever rank leaves, exits, aborts, or dies of a fault. Nothing is said where an exit handler
// calls MPI_Finalize, or a child process exits.
//
// A sanitizer handles faults by itself.
//
// UNSUPPORTED: sanitize
// RUN: %mpicc %s -o %t %runtime
// RUN: rm -f %t.prof
// RUN: for rank in 0 1; do for way in leave exit abort fault; do \
// RUN:   env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t $way $rank >%t.out 2>&1; \
// RUN:   test "$(grep -c 'sendwright: rank [01] ends without MPI_Finalize: no profile is written' %t.out)" = 1 || \
// RUN:     { echo "$way of rank $rank:"; cat %t.out; exit 1; }; done; done
// RUN: test ! -e %t.prof
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t handler 0 >%t.out 2>&1
// RUN: ! grep sendwright: %t.out
// RUN: test -e %t.prof

#include "../inputs/recorded.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void finish(void) { MPI_Finalize(); }

int main(int argc, char **argv) {
  int rank;
  const char *way = argv[1];
  if (strcmp(way, "handler") == 0)
    atexit(finish);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(way, "handler") == 0) {
    const pid_t child = fork();
    if (child == 0)
      _exit(0);
    waitpid(child, NULL, 0);
    return 0;
  }
  if (rank == atoi(argv[2])) {
    if (strcmp(way, "leave") == 0)
      return 0;
    if (strcmp(way, "exit") == 0)
      exit(3);
    if (strcmp(way, "abort") == 0)
      abort();
    *(volatile int *)8 = 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
