// A rank has posted receives from any source, which the profile lacks, and others behind them. It
// is inside a blocking collective call that members entered without meeting: there the runtime looks
// for no messages of MPI. Large and synchronous messages that MPI carries are received meanwhile, in
// MPI's order; receives that MPI has not served meet messages by route afterwards, and can be
// cancelled. Fails if the rank does not lend its receives to MPI, or does not take them back.
//
// RUN: printf 'ranks 4\nsite 1\nexchange stages=2\nroute 0 3 5 0:1 1:3\nroute 3 0 5 0:1 1:0\nroute 1 0 5 1:0\nroute 1 3 5 1:3\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: for case in 0 1 2 3 4 5; do env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t $case || exit 1; done
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t

#include "../../inputs/calls-without-meeting.h"

enum { large = 50000, receives = 4 };

static int out[large], in[receives][large];
static MPI_Request requests[receives];
static MPI_Status statuses[receives];

static void fill(void) {
  for (int index = 0; index < large; ++index)
    out[index] = 1000000 * my_rank() + index;
}

static void expect_received(int which, int source, int tag, int count) {
  int counted = 0;
  MPI_Get_count(&statuses[which], MPI_INT, &counted);
  EXPECT(statuses[which].MPI_SOURCE == source && statuses[which].MPI_TAG == tag);
  EXPECT(counted == count);
  for (int index = 0; index < count; ++index)
    EXPECT(in[which][index] == 1000000 * source + index);
}

static void post(int which, int source, int tag) {
  if (my_rank() == 3)
    MPI_Irecv(in[which], large, MPI_INT, source, tag, MPI_COMM_WORLD, &requests[which]);
}

static void finish(int count) {
  if (my_rank() == 3)
    MPI_Waitall(count, requests, statuses);
}

/* MPI carries what rank 2 sends to rank 3. */
static void large_message(void) {
  post(0, MPI_ANY_SOURCE, 9);
  enter_late(2);
  if (my_rank() == 2)
    MPI_Send(out, large, MPI_INT, 3, 9, MPI_COMM_WORLD);
  sum(MPI_COMM_WORLD);
  finish(1);
  if (my_rank() == 3)
    expect_received(0, 2, 9, large);
}

/* In order, also for a receive that waits behind one from any source. */
static void several_messages(void) {
  post(0, MPI_ANY_SOURCE, 9);
  post(1, MPI_ANY_SOURCE, MPI_ANY_TAG);
  post(2, 2, 9);
  post(3, MPI_ANY_SOURCE, 9);
  enter_late(2);
  if (my_rank() == 2) {
    MPI_Ssend(out, 1, MPI_INT, 3, 9, MPI_COMM_WORLD);
    MPI_Send(out, large, MPI_INT, 3, 9, MPI_COMM_WORLD);
    MPI_Ssend(out, 3, MPI_INT, 3, 9, MPI_COMM_WORLD);
  }
  sum(MPI_COMM_WORLD);
  if (my_rank() == 0)
    MPI_Send(out, 4, MPI_INT, 3, 9, MPI_COMM_WORLD);
  finish(4);
  if (my_rank() != 3)
    return;
  expect_received(0, 2, 9, 1);
  expect_received(1, 2, 9, large);
  expect_received(2, 2, 9, 3);
  expect_received(3, 0, 9, 4);
}

/* Messages that the runtime carries, before and after the call. */
static void by_the_runtime(void) {
  for (int which = 0; which < 3; ++which)
    post(which, MPI_ANY_SOURCE, 9);
  enter_late(2);
  if (my_rank() == 0)
    MPI_Send(out, 5, MPI_INT, 3, 9, MPI_COMM_WORLD);
  if (my_rank() == 2)
    MPI_Send(out, large, MPI_INT, 3, 9, MPI_COMM_WORLD);
  sum(MPI_COMM_WORLD);
  if (my_rank() == 1)
    MPI_Send(out, 6, MPI_INT, 3, 9, MPI_COMM_WORLD);
  finish(3);
  for (int which = 0; my_rank() == 3 && which < 3; ++which) {
    const int counts[] = {5, 6, large}, source = statuses[which].MPI_SOURCE;
    expect_received(which, source, 9, counts[source]);
  }
}

/* Not served, and cancelled. */
static void cancelled(void) {
  int flag = 0;
  post(0, MPI_ANY_SOURCE, 9);
  post(1, MPI_ANY_SOURCE, 8);
  enter_late(2);
  if (my_rank() == 2)
    MPI_Send(out, large, MPI_INT, 3, 8, MPI_COMM_WORLD);
  sum(MPI_COMM_WORLD);
  sum(MPI_COMM_WORLD);
  if (my_rank() == 3)
    MPI_Cancel(&requests[0]);
  finish(2);
  if (my_rank() != 3)
    return;
  MPI_Test_cancelled(&statuses[0], &flag);
  EXPECT(flag);
  expect_received(1, 2, 8, large);
}

static void persistent(void) {
  if (my_rank() == 3)
    MPI_Recv_init(in[0], large, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  for (int times = 0; times < 2; ++times) {
    if (my_rank() == 3)
      MPI_Start(&requests[0]);
    enter_late(2);
    if (my_rank() == 2)
      MPI_Send(out, large - times, MPI_INT, 3, 7, MPI_COMM_WORLD);
    sum(MPI_COMM_WORLD);
    finish(1);
    if (my_rank() == 3)
      expect_received(0, 2, 7, large - times);
  }
  if (my_rank() == 3)
    MPI_Request_free(&requests[0]);
}

/* The message is too long: its error is that of the wait. */
static void truncated(void) {
  int error = MPI_SUCCESS;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (my_rank() == 3)
    MPI_Irecv(in[0], 10, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &requests[0]);
  enter_late(2);
  if (my_rank() == 2)
    MPI_Send(out, large, MPI_INT, 3, 9, MPI_COMM_WORLD);
  sum(MPI_COMM_WORLD);
  if (my_rank() == 3) {
    error = MPI_Wait(&requests[0], &statuses[0]);
    MPI_Error_class(error, &error);
    EXPECT(error == MPI_ERR_TRUNCATE);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Members meet for good once there was such a receive, so the cases run one by one. */
int main(int argc, char **argv) {
  void (*const cases[])(void) = {large_message, several_messages, by_the_runtime,
                                 cancelled,     persistent,       truncated};
  const int only = argc > 1 ? argv[1][0] - '0' : -1;
  MPI_Init(&argc, &argv);
  fill();
  for (int which = 0; which < 6; ++which) {
    if (only >= 0 && only != which)
      continue;
    iterate_until_without_meeting();
    cases[which]();
    iterate(5);
  }
  MPI_Finalize();
  return 0;
}
