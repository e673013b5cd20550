// Loops of MPI_Sendrecv in which each rank exchanges with every other rank, in many forms: rebuilt with the
// plan of their profile, all ranks have the same data as before, also with other sizes and on other numbers of
// ranks. If one rank later receives into what it sends in other steps, the loop runs as written everywhere.
//
// RUN: %mpicc -O2 %s -o %t.original
// RUN: %mpicc -O2 -g %generate %s -o %t.profiled %runtime
// RUN: %mpirun 8 %t.original 5 3 > %t.expected
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 8 %t.profiled 5 3 > %t.profiled.out
// RUN: cmp %t.expected %t.profiled.out
// RUN: %sendwright plan --choose models --machine %S/sharing/inputs/latency-bound.json %t.prof -o %t.plan > %t.table
// RUN: %FileCheck %s --check-prefix=PLAN < %t.table
// RUN: %mpicc -O2 -g -Wall -Wextra -Werror -Wno-error=pass-failed %use=%t.plan %s -o %t %runtime 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %mpirun 8 %t 5 3 > %t.out 2> %t.errors
// RUN: cmp %t.expected %t.out
// RUN: ! grep sendwright: %t.errors
// RUN: for arguments in "1 2" "700 2" "20000 1"; do \
// RUN:   %mpirun 8 %t.original $arguments > %t.expected && %mpirun 8 %t $arguments > %t.out && cmp %t.expected %t.out || exit 1; done
// RUN: %mpirun 4 %t.original 5 3 > %t.expected
// RUN: %mpirun 4 %t 5 3 > %t.out
// RUN: cmp %t.expected %t.out
// RUN: for arguments in "5 3" "20000 1"; do for rank in 0 3; do \
// RUN:   %mpirun 8 %t.original $arguments $rank > %t.expected && %mpirun 8 %t $arguments $rank > %t.out 2> %t.errors && \
// RUN:   cmp %t.expected %t.out && %FileCheck %s --check-prefix=OVERLAP < %t.errors || exit 1; done; done
//
// PLAN-COUNT-6: an all-to-all among 8 ranks, {{.*}} by Bruck
// PLAN: an allgather among 8 ranks
// CHECK-COUNT-6: send loop replaced by 'collectives': all-to-all by Bruck
// CHECK: send loop replaced by 'collectives': allgather by
// OVERLAP: sendwright: the all-to-all at {{.*}}pairwise-exchanges.c:[[#]] runs as written: the blocks that a rank sends overlap the blocks that it receives

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void pairwise(const int *send, int *receive, int n) {
  memmove(receive + rank * n, send + rank * n, (size_t)n * sizeof *send);
  for (int i = 1; i < size; ++i) {
    int to = (rank + i) % size;
    int from = (rank - i + size) % size;
    MPI_Sendrecv(send + to * n, n, MPI_INT, to, 7, receive + from * n, n, MPI_INT, from, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

static void all_steps(const int *send, int *receive, int n, MPI_Comm comm) {
  int to, from, me, ranks;
  MPI_Status status;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  for (int step = 0; step <= ranks - 1; step++) {
    to = (me + ranks - step) % ranks;
    from = (step + me) % ranks;
    MPI_Sendrecv(&send[to * n], n, MPI_INT, to, 10 + step, &receive[from * n], n, MPI_INT, from, 10 + step,
                 comm, &status);
  }
}

static void opposite(const int *send, int *receive, int n) {
  for (int i = 0; i < size; i++) {
    const int partner = rank ^ i;
    MPI_Sendrecv(&send[partner * n], n, MPI_INT, partner, 1, &receive[partner * n], n, MPI_INT, partner, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void opposite_others(const int *send, int *receive, int n) {
  int i;
  memcpy(receive + rank * n, send + rank * n, (size_t)n * sizeof *send);
  for (i = 1; i < size; i++) {
    int partner = i ^ rank;
    MPI_Sendrecv(&send[partner * n], n, MPI_INT, partner, i, &receive[partner * n], n, MPI_INT, partner, i,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void wrapped(const int *send, int *receive, int n) {
  for (int i = 0; i < size; i++) {
    int to = rank + i, from = rank - i, error;
    if (to >= size)
      to -= size;
    if (from < 0)
      from += size;
    error = MPI_Sendrecv(&send[to * n], n, MPI_INT, to, 2, &receive[from * n], n, MPI_INT, from, 2, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS)
      abort();
  }
}

/* Among some of the ranks, in descending order; and with every second element. */
static void with_gaps(const int *send, int *receive, int n, MPI_Comm comm, MPI_Datatype second) {
  int me, ranks;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  for (int i = 1; i < ranks; ++i) {
    int to = (me + i) % ranks, from = (me + ranks - i) % ranks;
    MPI_Sendrecv(send + to * n, n / 2, second, to, 7, receive + from * n, n / 2, second, from, 7, comm,
                 MPI_STATUS_IGNORE);
  }
}

static int share(int *all, int n) {
  int i, to = rank, from = rank;
  for (i = 1; i < size; i++) {
    to = (rank + i) % size;
    from = (rank + size - i) % size;
    MPI_Sendrecv(all + rank * n, n, MPI_INT, to, 3, all + from * n, n, MPI_INT, from, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  return to + 100 * from + 10000 * i;
}

static unsigned long long sum;

static void note(const int *values, int n) {
  for (int k = 0; k < size * n; k++)
    sum = sum * 6364136223846793005ULL + (unsigned)values[k];
}

static void fill(int *send, int *receive, int n, int round) {
  for (int k = 0; k < size * n; k++) {
    send[k] = rank * 100003 + k * 7 + round;
    receive[k] = -1;
  }
}

int main(int argc, char **argv) {
  const int n = atoi(argv[1]), rounds = atoi(argv[2]), overlaps = argc > 3 ? atoi(argv[3]) : -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm others, backwards;
  MPI_Datatype second;
  MPI_Comm_dup(MPI_COMM_WORLD, &others);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &second);
  MPI_Type_commit(&second);
  int *send = malloc(2 * sizeof *send * (size_t)(size * n)), *receive = send + size * n;
  for (int round = 0; round < rounds; round++) {
    fill(send, receive, n, round);
    pairwise(send, rank == overlaps ? send + n : receive, n);
    note(send, n);
    note(receive, n);
    fill(send, receive, n, round);
    all_steps(send, receive, n, others);
    note(receive, n);
    fill(send, receive, n, round);
    opposite(send, receive, n);
    note(receive, n);
    fill(send, receive, n, round);
    opposite_others(send, receive, n);
    note(receive, n);
    fill(send, receive, n, round);
    wrapped(send, receive, n);
    note(receive, n);
    fill(send, receive, n, round);
    with_gaps(send, receive, n, backwards, second);
    note(receive, n);
    fill(send, receive, n, round);
    sum += (unsigned)share(receive, n);
    note(receive, n);
  }
  unsigned long long *all = malloc(sizeof sum * (size_t)size);
  MPI_Gather(&sum, 1, MPI_UNSIGNED_LONG_LONG, all, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  for (int from = 0; rank == 0 && from < size; from++)
    printf("%d: %016llx\n", from, all[from]);
  MPI_Type_free(&second);
  MPI_Comm_free(&others);
  MPI_Comm_free(&backwards);
  free(send);
  free(all);
  MPI_Finalize();
  return 0;
}
