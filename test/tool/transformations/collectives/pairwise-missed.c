// Loops of MPI_Sendrecv that look like an exchange of all ranks with all but are not: each reason once, with
// the source's own names. What is plainly something else gets no remark.
//
// RUN: %plan_for %t.plan leave %cc %s
// RUN: %cc %use=%t.plan %argument-remarks=all -c %s -o %t.o 2>&1 | grep 'it looks like' > %t.remarks
// RUN: %FileCheck %s --input-file=%t.remarks --implicit-check-not=remark:

#include <mpi.h>

extern int rank, size;
static MPI_Status status;

#define EXCHANGE(b, to, c, from)                                                                             \
  MPI_Sendrecv(b, n, MPI_INT, to, 1, c, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)

void not_inverse(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: loop not replaced by 'collectives': it looks like an all-to-all, but in some step a rank does not receive from the rank that sends to it
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank + i + 1) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void both_above(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but in some step a rank does not receive from the rank that sends to it
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + to * n, n, MPI_INT, to, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void below_zero(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but in some step a rank does not receive from the rank that sends to it
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void other_tag(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the tags differ
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, i, in + from * n, n, MPI_INT, from, size - i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void one_step_less(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but there are size ranks, and its steps end before size - 1
  for (int i = 1; i < size - 1; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void begins_late(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but steps are skipped: the loop begins at 2
  for (int i = 2; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void other_modulus(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but in some step a rank does not receive from the rank that sends to it
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + n) % n;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void by_step(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the address of a received block is not computed from its sender's rank alone
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + i * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void into_the_block_of_to(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the address of a received block is not computed from its sender's rank alone
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + to * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void rotated(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the address of a sent block is not computed from its receiver's rank alone
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + i * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void rows(int **out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the blocks are not evenly spaced
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out[to], n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void other_count(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the counts differ
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, 2 * n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void other_type(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the types differ
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void counts(const int *out, int *in, const int *counts, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the counts differ
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, counts[to], MPI_INT, to, 1, in + from * n, counts[from], MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void more_in_each_step(const int *out, int *in) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the count changes from step to step
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to, i, MPI_INT, to, 1, in + from, i, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void in_place(int *data, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but it receives into the memory that it sends
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(data + to * n, n, MPI_INT, to, 1, data + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void status_read(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the status of its receives is used
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, &status);
  }
}

void sums(const int *out, int *in, int n, int *sum) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but the loop does more than exchange
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *sum += in[from * n];
  }
}

void one_place(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but all blocks are received into the same place
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void from_any(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but it receives from any source
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + i * n, n, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void in_macro(const int *out, int *in, int n) {
  // CHECK: c:[[#@LINE+1]]:3: remark: {{.*}} an all-to-all, but a macro hides its calls
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    EXCHANGE(out + to * n, to, in + from * n, from);
  }
}

// Neighbours in each dimension, a ring, a butterfly, and an exchange as it should be.
void none(int *out, int *in, const int *neighbours, int n) {
  for (int i = 0; i < n; i++)
    EXCHANGE(out + i * n, neighbours[i], in + i * n, neighbours[i]);
  for (int i = 0; i < size; i++)
    EXCHANGE(out, (rank + 1) % size, in, (rank - 1 + size) % size);
  for (int i = 1; i < size; i *= 2)
    EXCHANGE(out, rank ^ i, in, rank ^ i);
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(out + to * n, n, MPI_INT, to, 1, in + from * n, n, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}
