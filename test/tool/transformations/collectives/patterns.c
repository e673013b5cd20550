/* Collective operations spelled as sends and receives: what is written in front of each part, in all six
   patterns and many spellings. It raises no warning in any standard.

   RUN: %plan_for %t.plan replace %cc -std=c99 %s
   RUN: %sendwright rewrite %s --plan %t.plan --diff --remarks none -- %mock -std=c99 > %t.diff
   RUN: sed -n 's/^+.*(!\(.*\)) {$/\1/p; s/^+.*\(else.*\) }$/\1/p' %t.diff | %FileCheck %s --match-full-lines
   RUN: %FileCheck %s --check-prefix=READABLE < %t.diff
   RUN: W="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdeclaration-after-statement -Werror"; \
   RUN: for standard in c89 c99 c2x; do \
   RUN:   %cc -std=$standard $W %use=%t.plan %argument-remarks=none -c %s -o %t.o && llvm-nm-19 -u %t.o | grep -c 'sendwright_collective' | grep -q 3 || exit 1; done
   RUN: %cc -c %s %use=%t.plan -o %t.o 2>&1 | %FileCheck %s --check-prefix=REMARK

   READABLE: {{^}}+#include <sendwright/collectives.h>
   READABLE: {{^}}+    /{{[*]}} collectives: broadcast by binomial tree, predicted gain 12.3 us (22.6 %) per execution
   READABLE-NEXT: {{^}}+       a tree is faster {{[*]}}/
   READABLE-NEXT: {{^}}+    { if (!sendwright_broadcast(
   READABLE: {{^}}+    /{{[*]}} collectives: what the other ranks do in the broadcast {{[*]}}/
   READABLE-NEXT: {{^}}+    { if (!sendwright_broadcast(
   READABLE: {{^}}+  /{{[*]}} collectives: left out where the all-to-all is done by its schedule {{[*]}}/
   READABLE-NEXT: {{^}}+  { if (!sendwright_planned(
*/

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define MASTER 0
#define LAST(n) ((n) - 1)

static int rank, size;

struct block {
  double values[10];
};

void to_all(double *values, int count);
void to_all(double *values, int count) {
  int i;
  MPI_Status status;
  if (rank == MASTER) {
    /* REMARK: :[[#@LINE+2]]:5: remark: send loop replaced by 'collectives': broadcast by binomial tree, predicted gain 12.3 us (22.6 %) per execution
     */
    for (i = 1; i < size; i++)
      MPI_Send(values, count, MPI_DOUBLE, i, 1, MPI_COMM_WORLD);
  } else
    MPI_Recv(values, count, MPI_DOUBLE, MASTER, 1, MPI_COMM_WORLD, &status);
}

/* Without blocks, the other way round, with the rank left out, and up to and with the last. */
void blocks(struct block *all, struct block *mine, MPI_Comm comm, int root, int tag);
void blocks(struct block *all, struct block *mine, MPI_Comm comm, int root, int tag) {
  int i;
  if (rank != root)
    MPI_Recv(mine->values, 10, MPI_DOUBLE, root, tag, comm, MPI_STATUS_IGNORE);
  else
    for (i = 0; i <= LAST(size); ++i)
      if (i != root)
        MPI_Send(&all[i].values[0], 10, MPI_DOUBLE, i, tag, comm);
}

/* Two branches, and no waiting for each. */
void collect(int (*all)[5], const int *mine);
void collect(int (*all)[5], const int *mine) {
  int from, n = 0;
  MPI_Request *requests = malloc((size_t)size * sizeof *requests), request;
  if (!rank) {
    memcpy(all[0], mine, 5 * sizeof *mine);
    /* REMARK: :[[#@LINE+2]]:5: remark: receive loop replaced by 'collectives': gather by
     */
    for (from = 1; from < size; from += 1) {
      MPI_Irecv(all[from], 5, MPI_INT, from, 3, MPI_COMM_WORLD, &requests[n]);
      n++;
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  }
  if (rank) {
    MPI_Isend(mine, 5, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  free(requests);
}

/* A sum element by element, and the largest of single numbers. */
void combine(int *sum, const int *mine, int count, int *largest);
void combine(int *sum, const int *mine, int count, int *largest) {
  int from, k;
  if (rank == 0) {
    int *part = malloc((size_t)count * sizeof *part), one;
    for (from = 1; from < size; from++) {
      MPI_Recv(part, count, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (k = 0; k < count; k++)
        sum[k] = part[k] + sum[k];
    }
    for (from = 1; from < size; from++) {
      MPI_Recv(&one, 1, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (*largest < one)
        *largest = one;
    }
    free(part);
  } else {
    MPI_Send(mine, count, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Send(largest, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
  }
}

/* Each with each, and own requests. */
void exchange(const int *out, int *in, int count);
void exchange(const int *out, int *in, int count) {
  int i, n = 0;
  MPI_Request *requests = malloc(2 * (size_t)size * sizeof *requests);
  for (i = 0; i < size; i++) {
    if (i == rank)
      continue;
    MPI_Irecv(in + i * count, count, MPI_INT, i, 4, MPI_COMM_WORLD, &requests[n++]);
  }
  for (i = 0; i < size; i++)
    if (i != rank)
      MPI_Isend(&out[i * count], count, MPI_INT, i, 4, MPI_COMM_WORLD, requests + n++);
  memcpy(in + rank * count, out + rank * count, (size_t)count * sizeof *in);
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  free(requests);
}

/* The same for all. */
void share(int mine, int *all);
void share(int mine, int *all) {
  int i;
  MPI_Status status;
  all[rank] = mine;
  for (i = 0; i < size; i++)
    if (i != rank)
      MPI_Send(&mine, 1, MPI_INT, i, 4, MPI_COMM_WORLD);
  for (i = 0; i < size; i++)
    if (i != rank)
      MPI_Recv(&all[i], 1, MPI_INT, i, 4, MPI_COMM_WORLD, &status);
}

/* Results are checked, and the others have left: what looks at results gets that of the operation. */
int checked(double *values, int count);
int checked(double *values, int count) {
  int to, error;
  if (rank != 0) {
    error = MPI_Recv(values, count, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS)
      MPI_Abort(MPI_COMM_WORLD, error);
    return error;
  }
  for (to = 1; to < size; to++) {
    error = MPI_Send(values, count, MPI_DOUBLE, to, 7, MPI_COMM_WORLD); /* on one line */
    if (error)
      return error;
  }
  return MPI_Barrier(MPI_COMM_WORLD);
}

void checked_blocks(const int *all, int *mine, int count);
void checked_blocks(const int *all, int *mine, int count) {
  int to, error;
  MPI_Request request;
  if (rank == 0) {
    for (to = 1; to < size; to++)
      if (MPI_Send(all + to * count, count, MPI_INT, to, 8, MPI_COMM_WORLD) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return;
  }
  error = MPI_Irecv(mine, count, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
  if (error != MPI_SUCCESS)
    abort();
  error = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (error != MPI_SUCCESS)
    abort();
}

int checked_exchange(const int *out, int *in);
int checked_exchange(const int *out, int *in) {
  int i, error = MPI_SUCCESS;
  for (i = 0; i < size; i++)
    if (i != rank)
      error = MPI_Send(out + i, 1, MPI_INT, i, 9, MPI_COMM_WORLD);
  if (error)
    return error;
  for (i = 0; i < size; i++) {
    if (i == rank)
      continue;
    error = MPI_Recv(in + i, 1, MPI_INT, i, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (0 != error)
      break;
  }
  return error;
}

/* A macro that makes a statement of each call. */
#define CHECKED(call)                                                                              \
  do {                                                                                             \
    int result_ = (call);                                                                          \
    if (result_ != MPI_SUCCESS)                                                                    \
      MPI_Abort(MPI_COMM_WORLD, result_);                                                          \
  } while (0)

void by_macro(double *values, int count);
void by_macro(double *values, int count) {
  int i;
  if (rank == 0)
    for (i = 1; i < size; i++)
      CHECKED(MPI_Send(values, count, MPI_DOUBLE, i,
                       7, MPI_COMM_WORLD));
  else
    CHECKED(MPI_Recv(values, count, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* What is written, without its comments:

   CHECK: sendwright_broadcast([[TO_ALL:sendwright_site_to_all_[0-9a-f]+]], values, count, MPI_DOUBLE, MASTER, 1, MPI_COMM_WORLD, 1, size, SENDWRIGHT_NO_STATUS)
   CHECK-NEXT: else { i = (size); }
   CHECK-NEXT: sendwright_broadcast([[TO_ALL]], values, count, MPI_DOUBLE, MASTER, 1, MPI_COMM_WORLD, 1, size, &status)
   CHECK-NEXT: sendwright_scatter_receive([[BLOCKS:sendwright_site_blocks_[0-9a-f]+]], mine->values, 10, MPI_DOUBLE, root, tag, comm, 0, (LAST(size)) + 1, MPI_STATUS_IGNORE)
   CHECK-NEXT: sendwright_scatter_send([[BLOCKS]], &all[(0)].values[0], &all[(1)].values[0], 10, MPI_DOUBLE, root, tag, comm, 0, (LAST(size)) + 1)
   CHECK-NEXT: else { i = (LAST(size)) + 1; }
   CHECK-NEXT: sendwright_gather_receive([[COLLECT:sendwright_site_collect_[0-9a-f]+]], all[(0)], all[(1)], 5, MPI_INT, 0, 3, MPI_COMM_WORLD, 1, size, SENDWRIGHT_NO_STATUS)
   CHECK-NEXT: else { from = (size); }
   CHECK-NEXT: sendwright_gather_send([[COLLECT]], mine, 5, MPI_INT, 0, 3, MPI_COMM_WORLD, 1, size)
   CHECK-NEXT: sendwright_reduce_receive([[COMBINE:sendwright_site_combine_[0-9a-f]+]], sum, count, MPI_INT, SENDWRIGHT_SUM, 0, 5, MPI_COMM_WORLD, 1, size, MPI_STATUS_IGNORE)
   CHECK-NEXT: else { from = (size); k = (count); }
   CHECK-NEXT: sendwright_reduce_receive([[COMBINE_AGAIN:sendwright_site_combine_[0-9a-f]+]], &(*largest), 1, MPI_INT, SENDWRIGHT_MAXIMUM, 0, 6, MPI_COMM_WORLD, 1, size, MPI_STATUS_IGNORE)
   CHECK-NEXT: else { from = (size); }
   CHECK-NEXT: sendwright_reduce_send([[COMBINE]], mine, count, MPI_INT, SENDWRIGHT_SUM, 0, 5, MPI_COMM_WORLD, 1, size)
   CHECK-NEXT: sendwright_reduce_send([[COMBINE_AGAIN]], largest, 1, MPI_INT, SENDWRIGHT_MAXIMUM, 0, 6, MPI_COMM_WORLD, 1, size)
   CHECK-NEXT: sendwright_planned([[EXCHANGE:sendwright_site_exchange_[0-9a-f]+]], MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: else { i = (size); }
   CHECK-NEXT: sendwright_all_to_all([[EXCHANGE]], &out[(0) * count], &out[(1) * count], count, MPI_INT, in + (0) * count, in + (1) * count, count, MPI_INT, 4, MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: else { i = (size); }
   CHECK-NEXT: sendwright_planned([[EXCHANGE]], MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: sendwright_planned([[SHARE:sendwright_site_share_[0-9a-f]+]], MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: else { i = (size); }
   CHECK-NEXT: sendwright_allgather([[SHARE]], &mine, 1, MPI_INT, &all[(0)], &all[(1)], 1, MPI_INT, 4, MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: else { i = (size); }
   CHECK-NEXT: sendwright_broadcast([[CHECKED:sendwright_site_checked_[0-9a-f]+]], values, count, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, 1, size, MPI_STATUS_IGNORE)
   CHECK-NEXT: else { error = sendwright_collective_error(); }
   CHECK-NEXT: sendwright_broadcast([[CHECKED]], values, count, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, 1, size, SENDWRIGHT_NO_STATUS)
   CHECK-NEXT: else { for (to = 1; to < size; to++) { error = sendwright_collective_error(); if (error) return error; } }
   CHECK-NEXT: sendwright_scatter_send([[CHECKED_BLOCKS:sendwright_site_checked_blocks_[0-9a-f]+]], all + (0) * count, all + (1) * count, count, MPI_INT, 0, 8, MPI_COMM_WORLD, 1, size)
   CHECK-NEXT: else { for (to = 1; to < size; to++) if (sendwright_collective_error() != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1); }
   CHECK-NEXT: sendwright_scatter_receive([[CHECKED_BLOCKS]], mine, count, MPI_INT, 0, 8, MPI_COMM_WORLD, 1, size, SENDWRIGHT_NO_STATUS)
   CHECK-NEXT: else { error = sendwright_collective_error(); if (error != MPI_SUCCESS) abort(); error = sendwright_collective_error(); }
   CHECK-NEXT: sendwright_planned([[CHECKED_EXCHANGE:sendwright_site_checked_exchange_[0-9a-f]+]], MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: else { for (i = 0; i < size; i++) if (i != rank) error = MPI_SUCCESS; }
   CHECK-NEXT: sendwright_all_to_all([[CHECKED_EXCHANGE]], out + (0), out + (1), 1, MPI_INT, in + (0), in + (1), 1, MPI_INT, 9, MPI_COMM_WORLD, 0, size)
   CHECK-NEXT: else { for (i = 0; i < size; i++) { if (i == rank) continue; error = sendwright_collective_error(); if (0 != error) break; } }
   CHECK-NEXT: sendwright_broadcast([[BY_MACRO:sendwright_site_by_macro_[0-9a-f]+]], values, count, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, 1, size, SENDWRIGHT_NO_STATUS)
   CHECK-NEXT: else { for (i = 1; i < size; i++) CHECKED(sendwright_collective_error()); }
   CHECK-NEXT: sendwright_broadcast([[BY_MACRO]], values, count, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, 1, size, MPI_STATUS_IGNORE)
   CHECK-NEXT: else { CHECKED(sendwright_collective_error()); }
*/
