// In a chain, what must not overlap runs as written: a call that sends what an earlier one receives,
// that receives into what an earlier one sends, receives or has its status in, that receives what
// the arguments of later calls are read from, that receives from any source, replaces its buffer, or
// goes to no rank. Messages of one pair keep their order.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: %mpirun 4 %t
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t

#include <mpi.h>
#include "../../../runtime/include/sendwright/runtime.h"
#include <stdio.h>
#include <string.h>

#define EXPECT(CONDITION)                                                                          \
  do {                                                                                             \
    if (!(CONDITION)) {                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #CONDITION);                              \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                \
    }                                                                                              \
  } while (0)

static struct sendwright_site site = {"chain.c", "main", 1, 0, 1, 0, 0};

static int rank, ranks, right, left;

/* What has gone around the ring once more in each call. */
static void send_what_came(void) {
  int values[4] = {rank, -1, -1, -1};
  {
    sendwright_chain(site);
    for (int k = 0; k < 3; k++)
      MPI_Sendrecv(&values[k], 1, MPI_INT, right, 0, &values[k + 1], 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int k = 1; k < 4; k++)
    EXPECT(values[k] == (rank + ranks - k) % ranks);
}

static void receive_into_what_was_sent(void) {
  int a = rank, b = 100 + rank;
  {
    sendwright_chain(site);
    MPI_Sendrecv(&a, 1, MPI_INT, right, 0, &b, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&b, 1, MPI_INT, right, 0, &a, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&a, 1, MPI_INT, right, 0, &b, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  EXPECT(a == (rank + ranks - 2) % ranks && b == (rank + ranks - 3) % ranks);
}

static void receive_twice(void) {
  int out[2] = {rank, 50 + rank}, in = -1;
  {
    sendwright_chain(site);
    MPI_Sendrecv(&out[0], 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&out[1], 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  EXPECT(in == 50 + left);
}

/* The second call's destination is what the first call receives. */
static void receive_an_argument(void) {
  int next = right, destination = left, in = -1;
  {
    sendwright_chain(site);
    sendwright_chain_reads(&destination, sizeof destination);
    MPI_Sendrecv(&next, 1, MPI_INT, left, 0, &destination, 1, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&rank, 1, MPI_INT, destination, 0, &in, 1, MPI_INT, (rank + 2) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  EXPECT(destination == (rank + 2) % ranks && in == (rank + 2) % ranks);
}

static void columns_that_interleave(void) {
  int field[4][4];
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  for (int k = 0; k < 16; k++)
    field[k / 4][k % 4] = 100 * rank + k;
  {
    sendwright_chain(site);
    MPI_Sendrecv(&field[0][1], 1, column, left, 0, &field[0][3], 1, column, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&field[0][2], 1, column, right, 1, &field[0][0], 1, column, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int row = 0; row < 4; row++)
    EXPECT(field[row][0] == 100 * left + 4 * row + 2 && field[row][3] == 100 * right + 4 * row + 1);
  MPI_Type_free(&column);
}

static void any_source_no_rank_and_replaced(void) {
  int out = rank, in[3] = {-1, -1, -1}, again = rank;
  MPI_Status status;
  memset(&status, 0, sizeof status);
  {
    sendwright_chain(site);
    MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&out, 1, MPI_INT, right, 1, &in[1], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    MPI_Sendrecv_replace(&again, 1, MPI_INT, right, 0, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  EXPECT(in[0] == left && in[1] == left && status.MPI_SOURCE == left && again == left);
  {
    sendwright_chain(site);
    MPI_Sendrecv(&out, 1, MPI_INT, rank ? rank - 1 : MPI_PROC_NULL, 2, &in[2], 1, MPI_INT, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, 2, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank + 1 == ranks)
    EXPECT(in[2] == -1 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  else
    EXPECT(in[2] == rank + 1 && status.MPI_SOURCE == rank + 1);
}

static void one_pair(void) {
  int out[20], in[20];
  {
    sendwright_chain(site);
    for (int k = 0; k < 20; k++) {
      out[k] = 100 * rank + k;
      MPI_Sendrecv(&out[k], 1, MPI_INT, rank ^ 1, 0, &in[k], 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  for (int k = 0; k < 20; k++)
    EXPECT(in[k] == 100 * (rank ^ 1) + k);
}

static void errors_that_return(void) {
  int out = rank, in[2] = {-1, -1};
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  {
    sendwright_chain(site);
    EXPECT(MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in[0], 1, MPI_INT, left, 0, own, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    EXPECT(MPI_Sendrecv(&out, 1, MPI_INT, ranks, 0, &in[1], 1, MPI_INT, left, 0, own, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    EXPECT(in[0] == left);
  }
  MPI_Comm_free(&own);
}

int main(int argc, char **argv) {
  {
    sendwright_chain(site); /* before MPI begins */
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  send_what_came();
  receive_into_what_was_sent();
  receive_twice();
  receive_an_argument();
  columns_that_interleave();
  any_source_no_rank_and_replaced();
  one_pair();
  errors_that_return();
  MPI_Finalize();
  return 0;
}
