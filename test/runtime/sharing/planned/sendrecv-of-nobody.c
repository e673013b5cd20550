// While messages are shared, MPI_Sendrecv and MPI_Sendrecv_replace from or to MPI_PROC_NULL have the
// status that they have otherwise. Fails under MPICH if the receive becomes a request: MPI_Wait says
// that the message came from rank 0.
//
// RUN: printf 'ranks 3\nsite 1\nexchange direct\nmessages 5\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

enum { unset = 77 };

static void expect_status(const MPI_Status *status, int source, int tag, int expected) {
  int count = unset;
  MPI_Get_count(status, MPI_INT, &count);
  EXPECT(status->MPI_SOURCE == source && status->MPI_TAG == tag && count == expected);
}

static MPI_Status unset_status(void) {
  MPI_Status status;
  status.MPI_SOURCE = status.MPI_TAG = status.MPI_ERROR = unset;
  return status;
}

/* Values go from each rank to the next, but not from the last to the first. */
static void shift(void) {
  const int rank = my_rank(), last = rank_count() - 1;
  const int before = rank == 0 ? MPI_PROC_NULL : rank - 1;
  const int after = rank == last ? MPI_PROC_NULL : rank + 1;
  const int tag = rank == 0 ? MPI_ANY_TAG : 5, received = rank == 0 ? 0 : 1;
  int value = rank, got = unset;
  MPI_Status status = unset_status();

  EXPECT(MPI_Sendrecv(&value, 1, MPI_INT, after, 5, &got, 1, MPI_INT, before, 5, MPI_COMM_WORLD,
                      &status) == MPI_SUCCESS);
  expect_status(&status, before, tag, received);
  EXPECT(got == (rank == 0 ? unset : before));

  status = unset_status();
  EXPECT(MPI_Sendrecv_replace(&value, 1, MPI_INT, after, 5, before, 5, MPI_COMM_WORLD, &status) ==
         MPI_SUCCESS);
  expect_status(&status, before, tag, received);
  EXPECT(value == (rank == 0 ? rank : before));

  MPI_Sendrecv(&value, 1, MPI_INT, after, 5, &got, 1, MPI_INT, before, 5, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

/* Puts messages into the plan's exchange. */
static void execute(void) {
  const int rank = my_rank(), ranks = rank_count();
  int out = rank, in = unset;
  MPI_Request requests[3];
  {
    sendwright_batch(loop);
    for (int distance = 1; distance < ranks; ++distance)
      MPI_Isend(&out, 1, MPI_INT, (rank + distance) % ranks, 5, MPI_COMM_WORLD,
                &requests[distance]);
  }
  for (int distance = 1; distance < ranks; ++distance)
    MPI_Recv(&in, 1, MPI_INT, (rank + ranks - distance) % ranks, 5, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  MPI_Waitall(ranks - 1, requests + 1, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int times = 0; times < 3; ++times) {
    execute();
    shift();
  }
  MPI_Finalize();
  return 0;
}
