// With SENDWRIGHT_VERIFY, chains of MPI_Sendrecv take turns: their calls overlap, or run one after the
// other. A chain whose sends the plan orders has the turns of this: its calls overlap in executions
// in which its sends are ordered. Fails if a chain always overlaps, or has other turns than its sends.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf 'ranks 3\nsite 1\nsite 2\norder * 2 1 0\n' | %write_plan plan
// RUN: %mpicc %s %planned_loop -o program %runtime
// RUN: env TEST_PLAN=plan SENDWRIGHT_VERIFY=1 %mpirun 3 ./program 80 2>table
// RUN: %FileCheck %s --input-file=table
// RUN: env TEST_PLAN=plan %mpirun 3 ./program 20 always 2>off
// RUN: test ! -s off
//
// CHECK: program.c:{{[0-9]+}} (exchange-chains){{ +}}80 {{.*}} % (
// CHECK-NEXT: program.c:{{[0-9]+}} (message-ordering){{ +}}80 {{.*}} % (
// CHECK-NEXT: sendwright: written to sendwright-verified.json

#define _GNU_SOURCE
#include "../inputs/planned-loop.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(chain, 1, 0)
PLANNED_LOOP(ordered_chain, 2, 0)

static int one_by_one;

/* The runtime's calls of PMPI functions come to this executable first. */
int PMPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int in_count,
                  MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
  int (*next)(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm,
              MPI_Status *) = dlsym(RTLD_NEXT, "PMPI_Sendrecv");
  ++one_by_one;
  return next(out, count, type, to, tag, in, in_count, in_type, from, in_tag, comm, status);
}

static int in[2], out[2];

static void check(int execution, int left, int right) {
  EXPECT(in[0] == 100 * execution + left && in[1] == 1000 + 100 * execution + right);
}

/* Two calls, which overlap or not. */
static void shift(int execution) {
  const int rank = my_rank(), left = (rank + 2) % 3, right = (rank + 1) % 3;
  out[0] = 100 * execution + rank, out[1] = 1000 + 100 * execution + rank;
  MPI_Sendrecv(&out[0], 1, MPI_INT, right, 1, &in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&out[1], 1, MPI_INT, left, 2, &in[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int executions = atoi(argv[1]), always = argc > 2, rank = my_rank();
  int overlapped = 0, ordered = 0;
  for (int execution = 0; execution < executions; ++execution) {
    one_by_one = 0;
    {
      sendwright_chain(chain);
      shift(execution);
    }
    check(execution, (rank + 2) % 3, (rank + 1) % 3);
    EXPECT(one_by_one == 0 || one_by_one == 2);
    overlapped += one_by_one == 0;
    one_by_one = 0;
    clear_log();
    {
      sendwright_chain(ordered_chain);
      sendwright_batch(ordered_chain);
      shift(execution);
    }
    check(execution, (rank + 2) % 3, (rank + 1) % 3);
    const int held = strstr(issue_log, "start") != NULL;
    EXPECT(one_by_one == (held ? 0 : 2));
    ordered += held;
  }
  EXPECT(always ? overlapped == executions : 2 * overlapped == executions);
  EXPECT(always ? ordered == executions : 2 * ordered == executions);
  MPI_Finalize();
}
