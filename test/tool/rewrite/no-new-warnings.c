/* What is written into a unit raises no warning that the user asked for, in any standard, and
   survives the user's own macros.

   RUN: %plan_for %t.plan rewrite %cc %s
   RUN: for standard in c89 c99 c11 c2x gnu89 gnu17; do for mode in "%generate" "%use=%t.plan"; do \
   RUN:   %cc -std=$standard -pedantic -Weverything -Wno-unsafe-buffer-usage -Wno-padded -Wno-declaration-after-statement -Wno-unknown-warning-option -Wno-pre-c2x-compat -Werror $mode %argument-remarks=none -Dcleanup=1/0 -Dstate=1/0 -c %s -o %t.o || exit 1; \
   RUN: done; done
   RUN: llvm-nm-19 -u %t.o | grep sendwright_batch_begin
*/

#include <mpi.h>

void exchange(const int *values, const int *peers, int n);

void exchange(const int *values, const int *peers, int n) {
  int i;
  for (i = 0; i < n; i++)
    MPI_Send(&values[i], 1, MPI_INT, peers[i], 0, MPI_COMM_WORLD);
}
