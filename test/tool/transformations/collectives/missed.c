// What looks like a collective operation and cannot be replaced: each reason once, in the source's own
// words. What is plainly none gets nothing, and neither does one that only the profile has to confirm.
//
// RUN: %plan_for %t.plan leave %cc %s
// RUN: %cc %use=%t.plan %argument-remarks=all -c %s -o %t.o 2>&1 | grep 'it looks like' > %t.remarks
// RUN: %FileCheck %s --input-file=%t.remarks --implicit-check-not=remark:
// RUN: %cc %use=%t.plan %argument-remarks=all %argument-reassociate -c %s -o %t.o 2>&1 | grep 'it looks like' > %t.remarks
// RUN: ! grep reassociate %t.remarks

#include <mpi.h>
#include <stdlib.h>

extern int rank, size;
static MPI_Status status;
#define SEND(b, to) MPI_Send(b, 1, MPI_INT, to, 1, MPI_COMM_WORLD)

void changed(int *values) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: loop not replaced by 'collectives': it looks like a broadcast, but values is changed in the loop
    for (int i = 1; i < size; i++) {
      values[0] = i;
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
    }
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

void starts_late(int *values) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but rank 1 is skipped: the loop begins at 2
    for (int i = 2; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

void passed_on(int *values) {
  if (rank == 0) {
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but a receiver sends values on
    for (int i = 1; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  } else {
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
    values[0]++;
    MPI_Send(values, 1, MPI_INT, rank + size, 1, MPI_COMM_WORLD);
  }
}

void from_any(int *all, int *mine) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a gather, but it receives from any source
    for (int i = 1; i < size; i++)
      MPI_Recv(all + i, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
  else
    MPI_Send(mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

void rows(int **rows, int *mine) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a scatter, but the blocks are not evenly spaced
    for (int i = 1; i < size; i++)
      MPI_Send(rows[i], 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

void used_after(int *sum, int *mine, int *last) {
  if (rank == 0) {
    int part[4];
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a reduction, but part is used outside the loop
    for (int i = 1; i < size; i++) {
      MPI_Recv(part, 4, MPI_INT, i, 1, MPI_COMM_WORLD, &status);
      for (int k = 0; k < 4; k++)
        sum[k] += part[k];
    }
    *last = part[3];
  } else
    MPI_Send(mine, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

void doubles(double *sum, double *mine) {
  if (rank == 0) {
    double part;
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a reduction, but the sum of doubles may change with the order (-fplugin-arg-sendwright-reassociate allows it)
    for (int i = 1; i < size; i++) {
      MPI_Recv(&part, 1, MPI_DOUBLE, i, 1, MPI_COMM_WORLD, &status);
      *sum += part;
    }
  } else
    MPI_Send(mine, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}

void elsewhere(int *values) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but the ranks that receive do so elsewhere, not beside the loop
    for (int i = 1; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
}

void tags_differ(int *values, int tag) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but the tags differ
    for (int i = 1; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, tag, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

void set_by_root(int *values) {
  int count = size;
  if (rank == 0) {
    count = 3;
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but count is set where not all ranks come
    for (int i = 1; i < count; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  } else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

void set_on_condition(int *values) {
  int count = 0;
  if (rank == 0)
    count = size;
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but count is set under a condition, and may differ from rank to rank
    for (int i = 1; i < count; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

void to_itself(int *values) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but the root sends to itself, too
    for (int i = 0; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

void counts(int *values, int *counts, int *mine) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a scatter, but the count changes from rank to rank
    for (int i = 1; i < size; i++)
      MPI_Send(values + i, counts[i], MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

int next(void);
void side_effects(int *values) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but 'next()' cannot be evaluated a second time
    for (int i = 1; i < size; i++)
      MPI_Send(values, next(), MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, next(), MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

void new_result(int *values) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but the result of MPI_Recv is kept in a new variable
    for (int i = 1; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else {
    int result = MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
    if (result != MPI_SUCCESS)
      abort();
  }
}

void handled_at_label(int *values) {
  if (rank == 0) {
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but the use of the result of MPI_Send cannot be written a second time
    for (int i = 1; i < size; i++)
      if (MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD)) {
        goto failed;
      failed:
        abort();
      }
  } else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

void checked_sum(int *sum, int *mine) {
  if (rank == 0) {
    int part, result;
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a reduction, but the result of MPI_Recv is kept
    for (int i = 1; i < size; i++) {
      result = MPI_Recv(&part, 1, MPI_INT, i, 1, MPI_COMM_WORLD, &status);
      *sum += part;
    }
    (void)result;
  } else
    MPI_Send(mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

void set_when_others_left(int *values) {
  int count = size;
  if (rank != 0) {
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
    return;
  }
  count--;
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} a broadcast, but count is set where not all ranks come
  for (int i = 1; i < count; i++)
    MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
}

void barrier(int *values) {
  if (rank == 0) {
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but the ranks exchange more than these messages
    for (int i = 1; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void in_macro(int *values) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but a macro hides its calls
    for (int i = 1; i < size; i++)
      SEND(values, i);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

int *counter_used(int *out, int *in, int *left) {
  MPI_Request *requests = malloc(sizeof *requests * size);
  int n = 0;
  for (int i = 0; i < size; i++)
    if (i != rank)
      MPI_Irecv(in + i, 1, MPI_INT, i, 1, MPI_COMM_WORLD, &requests[n++]);
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but n is used elsewhere, too
  for (int i = 0; i < size; i++)
    if (i != rank)
      MPI_Send(out + i, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  *left = n;
  free(requests);
  return in;
}

void foreign_requests(int *out, int *in, MPI_Request *requests) {
  int n = 0;
  for (int i = 0; i < size; i++)
    if (i != rank)
      MPI_Irecv(in + i, 1, MPI_INT, i, 1, MPI_COMM_WORLD, &requests[n++]);
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but requests is not a variable of the function alone
  for (int i = 0; i < size; i++)
    if (i != rank)
      MPI_Send(out + i, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

void between(int *out, int *in) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but something stands between the loops
  for (int i = 0; i < size; i++)
    if (i != rank)
      MPI_Send(out + i, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  out[0] = 1;
  for (int i = 0; i < size; i++)
    if (i != rank)
      MPI_Recv(in + i, 1, MPI_INT, i, 1, MPI_COMM_WORLD, &status);
}

void status_read(int *out, int *in) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an allgather, but the status of its receives is used
  for (int i = 0; i < size; i++)
    if (i != rank)
      MPI_Send(out, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++)
    if (i != rank)
      MPI_Recv(in + i, 1, MPI_INT, i, 1, MPI_COMM_WORLD, &status);
}

void from_own_rank(int *values) {
  int next = rank + 1;
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but next may differ between the ranks that need to know it
    for (int i = next; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

static int workers;
void choose_workers(void) {
  if (rank == 0)
    workers = size;
}

void set_by_another(int *values) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but workers is set under a condition, and may differ from rank to rank
    for (int i = 1; i < workers; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

static int helpers;
void choose_helpers(void) {
  if (rank != 0)
    return;
  helpers = size;
}

void set_by_one_that_stayed(int *values) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but helpers is set under a condition, and may differ from rank to rank
    for (int i = 1; i < helpers; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

static void to_some(int *values, int count) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a broadcast, but count gets different values from different calls, and may differ from rank to rank
    for (int i = 1; i < count; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}
void to_all_or_none(int *values) { to_some(values, rank == 0 ? size : 0); }

void received_counts(int *all, int *mine) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a gather, but all determines how much of itself is received
    for (int i = 1; i < size; i++)
      MPI_Recv(all + i, all[0], MPI_INT, i, 1, MPI_COMM_WORLD, &status);
  else
    MPI_Send(mine, all[0], MPI_INT, 0, 1, MPI_COMM_WORLD);
}

void up_to_own(int *out, int *in) {
  int own;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an allgather, but own may differ between the ranks that need to know it
  for (int i = 0; i <= own; i++)
    MPI_Send(out, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  for (int i = 0; i <= own; i++)
    MPI_Recv(in + i, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void of_one_round(int *all, int size) {
  if (rank == 0)
    // CHECK: c:[[#@LINE+1]]:5: remark: {{.*}} a scatter, but round is another variable for each rank
    for (int i = 1; i < size; i++) {
      int round;
      MPI_Send(all + i, 1, MPI_INT, i, round, MPI_COMM_WORLD);
    }
  else
    MPI_Recv(all, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

// A master that hands out work, a loop to a list of neighbours, a ring, and a broadcast as it should be.
void none(int *values, const int *neighbours, int n) {
  if (rank == 0)
    for (int i = 1; i < size; i++) {
      MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
      MPI_Send(values, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
    }
  for (int i = 0; i < n; i++)
    MPI_Send(values, 1, MPI_INT, neighbours[i], 1, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Send(values, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
  if (rank == 0)
    for (int i = 1; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}
