// An object file of another version of the runtime is left out, with a line; the program runs.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: rm -f %t.prof
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t 2>&1 | %FileCheck %s
// RUN: test ! -e %t.prof

// CHECK: {{^}}sendwright: an object file of this program was compiled for version 99
// CHECK-NOT: sendwright:

#include "../../../runtime/include/sendwright/runtime.h"

#include <mpi.h>

static struct sendwright_unit unit = {99, SENDWRIGHT_UNIT_GENERATE, "program.c", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
__attribute__((constructor)) static void announce(void) { sendwright_register(&unit); }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
