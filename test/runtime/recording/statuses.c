// The program gets the statuses that MPI gives, and may ask for no status, in every way to complete
// requests, including wildcards; handles become null as without the runtime.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 2 %t > %t.expected
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t > %t.recorded
// RUN: test "$(wc -l < %t.expected)" -gt 30
// RUN: test -s %t.prof
// RUN: diff %t.expected %t.recorded

#include "../inputs/recorded.h"

#include <mpi.h>
#include <stdio.h>

enum { count = 20 };
static int data[count];
static MPI_Request requests[count + 1];

static void say(const char *what, int value, const MPI_Status *status) {
  int elements;
  MPI_Get_count(status, MPI_INT, &elements);
  printf("%s %d: %d from %d, tag %d\n", what, value, elements, status->MPI_SOURCE, status->MPI_TAG);
}

// All messages arrive before they are tested for, so that tests find them at once.
static void post(void) {
  for (int i = 0; i < count; ++i)
    MPI_Irecv(&data[i], 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : 1, i % 3 ? i : MPI_ANY_TAG,
              MPI_COMM_WORLD, &requests[i]);
  requests[count] = MPI_REQUEST_NULL;
  MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Recv(NULL, 0, MPI_INT, 1, count, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void expect_null(const char *what) {
  int left = 0, sum = 0;
  for (int i = 0; i <= count; ++i)
    left += requests[i] != MPI_REQUEST_NULL;
  for (int i = 0; i < count; ++i)
    sum += data[i] * (i + 1);
  printf("%s: %d left, sum %d\n", what, left, sum);
}

static void receive_all(MPI_Status *statuses) {
  int flag, index, done, indices[count + 1];
  post();
  MPI_Waitall(count + 1, requests, statuses ? statuses : MPI_STATUSES_IGNORE);
  for (int i = 0; statuses && i < count; ++i)
    say("waitall", i, &statuses[i]);
  expect_null("waitall");
  post();
  for (int i = 0; i < count; ++i) {
    MPI_Waitany(count + 1, requests, &index, statuses ? statuses : MPI_STATUS_IGNORE);
    if (statuses)
      say("waitany", index, statuses);
  }
  MPI_Waitany(count + 1, requests, &index, statuses ? statuses : MPI_STATUS_IGNORE);
  printf("undefined %d\n", index == MPI_UNDEFINED);
  expect_null("waitany");
  post();
  MPI_Waitsome(count + 1, requests, &done, indices, statuses ? statuses : MPI_STATUSES_IGNORE);
  MPI_Waitall(count + 1, requests, MPI_STATUSES_IGNORE);
  expect_null("waitsome");
  post();
  do
    MPI_Testall(count + 1, requests, &flag, statuses ? statuses : MPI_STATUSES_IGNORE);
  while (!flag);
  for (int i = 0; statuses && i < count; ++i)
    say("testall", i, &statuses[i]);
  expect_null("testall");
}

int main(int argc, char **argv) {
  int rank;
  MPI_Status statuses[count + 1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    receive_all(statuses);
    receive_all(NULL);
  } else {
    for (int round = 0; round < 8; ++round) {
      MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < count; ++i) {
        data[0] = round * 100 + i;
        MPI_Send(data, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
      }
      MPI_Send(NULL, 0, MPI_INT, 0, count, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
