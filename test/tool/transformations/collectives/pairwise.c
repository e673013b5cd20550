/* Loops of MPI_Sendrecv that exchange with every other rank, step by step: what is written in front of each,
   in many spellings. It raises no warning in any standard.

   RUN: %plan_for %t.plan replace %cc -std=c99 %s
   RUN: %sendwright rewrite %s --plan %t.plan --diff --remarks none -- %mock -std=c99 > %t.diff
   RUN: sed -n 's/^+.*(!\(.*\)) {$/\1/p; s/^+.*\(else.*\) }$/\1/p' %t.diff | %FileCheck %s --match-full-lines
   RUN: W="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"; \
   RUN: for standard in c99 c2x; do \
   RUN:   %cc -std=$standard $W %use=%t.plan %argument-remarks=none -c %s -o %t.o && llvm-nm-19 -u %t.o | grep -q 'sendwright_collective' || exit 1; done
   RUN: %cc -c %s %use=%t.plan -o %t.o 2>&1 | %FileCheck %s --check-prefix=REMARK
*/

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

void pairwise(const double *send, double *receive, int n);
void pairwise(const double *send, double *receive, int n) {
  int i;
  memcpy(receive + rank * n, send + rank * n, (size_t)n * sizeof *send);
  /* REMARK: :[[#@LINE+2]]:3: remark: send loop replaced by 'collectives': all-to-all by
   */
  for (i = 1; i < size; ++i) {
    int to = (rank + i) % size;
    int from = (rank - i + size) % size;
    MPI_Sendrecv(send + to * n, n, MPI_DOUBLE, to, 7, receive + from * n, n, MPI_DOUBLE, from, 7,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* The other way round, itself too, with a tag for each step, a status that nobody reads, and variables that
   are the function's. */
void all_steps(int (*send)[5], int (*receive)[5], MPI_Comm comm);
void all_steps(int (*send)[5], int (*receive)[5], MPI_Comm comm) {
  int to, from, me, ranks;
  MPI_Status status;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  for (int step = 0; step <= ranks - 1; step++) {
    to = (me + ranks - step) % ranks;
    from = (step + me) % ranks;
    MPI_Sendrecv(send[to], 5, MPI_INT, to, 10 + step, receive[from], 5, MPI_INT, from, 10 + step, comm,
                 &status);
  }
}

/* Opposite ranks. */
void opposite(const int *send, int *receive, int n);
void opposite(const int *send, int *receive, int n) {
  for (int i = 0; i < size; i++) {
    const int partner = rank ^ i;
    MPI_Sendrecv(&send[partner * n], n, MPI_INT, partner, 1, &receive[partner * n], n, MPI_INT, partner, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* Without a division; results are checked. */
void wrapped(const int *send, int *receive, int n);
void wrapped(const int *send, int *receive, int n) {
  for (int i = 1; i < size; i++) {
    int to = rank + i, from = rank - i, error;
    if (to >= size)
      to -= size;
    if (from < 0) {
      from += size;
    }
    error = MPI_Sendrecv(&send[to * n], n, MPI_INT, to, 1, &receive[from * n], n, MPI_INT, from, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS)
      abort();
  }
}

/* The same for all, in one buffer; others see the partners. */
int share(int *all, int n);
int share(int *all, int n) {
  int i, to = rank, from = rank;
  for (i = 1; i < size; i++) {
    to = (rank + i) % size;
    from = (rank + size - i) % size;
    MPI_Sendrecv(all + rank * n, n, MPI_INT, to, 3, all + from * n, n, MPI_INT, from, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  return to + from;
}

/* What is written:

   CHECK: sendwright_pairwise_all_to_all(sendwright_site_pairwise_[[#%x,]], send + (0) * n, send + (1) * n, n, MPI_DOUBLE, receive + (0) * n, receive + (1) * n, n, MPI_DOUBLE, 7, MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: else { i = (size); }
   CHECK-NEXT: sendwright_pairwise_all_to_all_with_own(sendwright_site_all_steps_[[#%x,]], send[(0)], send[(1)], 5, MPI_INT, receive[(0)], receive[(1)], 5, MPI_INT, 0, comm, 0, (ranks - 1) + 1)
   CHECK-NEXT: sendwright_pairwise_all_to_all_with_own(sendwright_site_opposite_[[#%x,]], &send[(0) * n], &send[(1) * n], n, MPI_INT, &receive[(0) * n], &receive[(1) * n], n, MPI_INT, 1, MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: sendwright_pairwise_all_to_all(sendwright_site_wrapped_[[#%x,]], &send[(0) * n], &send[(1) * n], n, MPI_INT, &receive[(0) * n], &receive[(1) * n], n, MPI_INT, 1, MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: else { for (int i = 1; i < size; i++) { int to = rank + i, from = rank - i, error; if (to >= size) to -= size; if (from < 0) { from += size; } error = ((void)to, (void)from, (void)error, sendwright_collective_error()); if (error != MPI_SUCCESS) abort(); } }
   CHECK-NEXT: sendwright_pairwise_allgather(sendwright_site_share_[[#%x,]], all + rank * n, n, MPI_INT, all + (0) * n, all + (1) * n, n, MPI_INT, 3, MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: else { for (i = 1; i < size; i++) { to = (rank + i) % size; from = (rank + size - i) % size; sendwright_collective_error(); } }
   CHECK-NOT: sendwright_
*/
