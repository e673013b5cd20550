// Patterns that never repeat fill the memory for recording. What was left out is said for each place: in what show and
// plan print, and on the page of report. The run's memory and the file stay small.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE_MEMORY=1 SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t > %t.out 2>&1
// RUN: %FileCheck --check-prefix PRINTED %s < %t.out
// RUN: test $(stat -c %%s %t.prof) -lt 2000000
// RUN: %sendwright show %t.prof | %FileCheck --check-prefix SAID %s
// RUN: %sendwright plan %t.prof -o %t.plan | %FileCheck --check-prefix SAID %s
// RUN: %sendwright report %t.prof -o %t.html
// RUN: %FileCheck --check-prefix PAGE %s < %t.html
// RUN: env SENDWRIGHT_RECORDING_MEMORY=no SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t few 2>&1 | %FileCheck --check-prefix NAME %s

// PRINTED: memory grew by less than 2 MB
// PRINTED: {{^}}sendwright: 2 ranks reached the limit on memory for recording; their order of calls is incomplete (SENDWRIGHT_PROFILE_MEMORY=MiB raises it)

// SAID: ranks reached their limit on memory (SENDWRIGHT_PROFILE_MEMORY); left out:
// SAID-DAG: program.c:1 in main: the order of {{[0-9]+}} calls of 2 ranks; {{[0-9]+}} of them, with {{.*}}, are not counted either
// SAID-DAG: program.c:2 in main: the order of {{[0-9]+}} calls of 2 ranks

// PAGE: "not_recorded":[{"place":"program.c:{{[12]}}"

// NAME: sendwright: SENDWRIGHT_RECORDING_MEMORY is "no", expected a number of MiB; 64 is used

#include "../inputs/own-memory.h"
#include "../inputs/recorded.h"

#include <mpi.h>
#include <stdio.h>

enum { mostSends = 8, mostBytes = 4096 };

static unsigned choose(unsigned most) {
  static unsigned state = 1; // the same on all ranks
  state = state * 1664525u + 1013904223u;
  return (state >> 16) % most;
}

static void exchange(int partner, unsigned tags) {
  static char in[mostSends][mostBytes], out[mostBytes];
  MPI_Request requests[2 * mostSends];
  const unsigned sends = 1 + choose(mostSends);
  for (unsigned i = 0; i < sends; ++i) {
    const int tag = (int)choose(tags), bytes = (int)choose(mostBytes);
    MPI_Irecv(in[i], bytes, MPI_CHAR, partner, tag, MPI_COMM_WORLD, &requests[2 * i]);
    MPI_Isend(out, bytes, MPI_CHAR, partner, tag, MPI_COMM_WORLD, &requests[2 * i + 1]);
  }
  MPI_Waitall((int)(2 * sends), requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int executions = argc > 1 ? 10 : 2000;
  long before = 0;
  for (int execution = 0; execution < executions; ++execution) {
    if (execution == 500)
      before = own_memory("RssAnon");
    MARK(first)
    exchange(1 - rank, 32768);
    END_MARK
    MARK(second)
    MPI_Barrier(MPI_COMM_WORLD);
    END_MARK
  }
  if (rank == 0 && before > 0 && own_memory("RssAnon") - before < 2000)
    printf("memory grew by less than 2 MB\n");
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
