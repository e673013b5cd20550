// A rank sends synchronously to a rank that has posted the receive, and is inside a blocking
// collective call that members entered without meeting: there the runtime looks for no messages.
// The send ends, as MPI's would, in all its forms; and a send whose receive is not posted waits
// until it is. Members do not meet because of it, but as long as a large message was only announced.
// Fails if the receiver does not tell what it has posted before it enters, or if a send ends without
// its receive.
//
// RUN: printf 'ranks 4\nsite 1\nexchange stages=2\nroute 0 3 5 0:1 1:3\nroute 3 0 5 0:1 1:0\nroute 1 0 5 1:0\nroute 1 3 5 1:3\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t

#include "../../inputs/calls-without-meeting.h"

enum { large = 50000 };

static int out[large], in[4][large];

static void fill(int add) {
  for (int index = 0; index < large; ++index)
    out[index] = index + add;
}

static void expect_filled(const int *values, int count, int add) {
  for (int index = 0; index < count; ++index)
    EXPECT(values[index] == index + add);
}

/* Rank 0 sends to rank 3, which waits for it only after the collective. */
static void blocking(int count) {
  MPI_Request request = MPI_REQUEST_NULL;
  fill(count);
  if (my_rank() == 3)
    MPI_Irecv(in[0], large, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
  enter_late(0);
  if (my_rank() == 0)
    MPI_Ssend(out, count, MPI_INT, 3, 5, MPI_COMM_WORLD);
  sum(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (my_rank() == 3)
    expect_filled(in[0], count, count);
}

static void nonblocking(void) {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  fill(1);
  if (my_rank() == 3)
    for (int which = 0; which < 2; ++which)
      MPI_Irecv(in[which], large, MPI_INT, 0, 6 + which, MPI_COMM_WORLD, &requests[which]);
  enter_late(0);
  if (my_rank() == 0) {
    MPI_Issend(out, 10, MPI_INT, 3, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(out, large, MPI_INT, 3, 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  sum(MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (my_rank() == 3) {
    expect_filled(in[1], 10, 1);
    expect_filled(in[0], large, 1);
  }
}

/* Both sides are persistent, and the receive takes any tag. */
static void persistent(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  fill(2);
  if (my_rank() == 3) {
    MPI_Recv_init(in[0], large, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
  }
  if (my_rank() == 0)
    MPI_Ssend_init(out, 20, MPI_INT, 3, 9, MPI_COMM_WORLD, &request);
  enter_late(0);
  if (my_rank() == 0) {
    MPI_Start(&request);
    MPI_Wait(&request, &status);
  }
  sum(MPI_COMM_WORLD);
  if (my_rank() == 3) {
    MPI_Wait(&request, &status);
    EXPECT(status.MPI_SOURCE == 0 && status.MPI_TAG == 9);
    expect_filled(in[0], 20, 2);
  }
  if (request != MPI_REQUEST_NULL)
    MPI_Request_free(&request);
}

/* A receive of any tag, one of this tag, and messages of two tags. */
static void behind_others(void) {
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[3];
  const int tags[] = {MPI_ANY_TAG, 5, 6};
  fill(3);
  if (my_rank() == 3)
    for (int which = 0; which < 3; ++which)
      MPI_Irecv(in[which], large, MPI_INT, 0, tags[which], MPI_COMM_WORLD, &requests[which]);
  enter_late(0);
  if (my_rank() == 0) {
    MPI_Ssend(out, 1, MPI_INT, 3, 5, MPI_COMM_WORLD);
    MPI_Ssend(out, 3, MPI_INT, 3, 5, MPI_COMM_WORLD);
    MPI_Send(out, 2, MPI_INT, 3, 6, MPI_COMM_WORLD);
  }
  sum(MPI_COMM_WORLD);
  MPI_Waitall(3, requests, statuses);
  for (int which = 0; my_rank() == 3 && which < 3; ++which) {
    const int counts[] = {1, 3, 2};
    int count = 0;
    MPI_Get_count(&statuses[which], MPI_INT, &count);
    EXPECT(count == counts[which]);
  }
}

/* Two messages and one receive: the second send ends only when rank 3 posts another receive, which
 * it does when rank 0 has seen that the send has not ended. */
static void not_posted(void) {
  MPI_Request request = MPI_REQUEST_NULL, second = MPI_REQUEST_NULL;
  int flag = 0;
  fill(4);
  if (my_rank() == 3)
    MPI_Irecv(in[0], large, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
  enter_late(0);
  if (my_rank() == 0) {
    MPI_Ssend(out, 5, MPI_INT, 3, 5, MPI_COMM_WORLD);
    MPI_Issend(out, 6, MPI_INT, 3, 5, MPI_COMM_WORLD, &second);
  }
  sum(MPI_COMM_WORLD);
  for (int turn = 0; my_rank() == 0 && turn < 200; ++turn) {
    MPI_Test(&second, &flag, MPI_STATUS_IGNORE);
    EXPECT(!flag);
  }
  if (my_rank() == 3)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  sum(MPI_COMM_WORLD);
  if (my_rank() == 3)
    MPI_Irecv(in[1], large, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
  enter_late(0);
  MPI_Wait(&second, MPI_STATUS_IGNORE);
  sum(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (my_rank() == 3) {
    expect_filled(in[0], 5, 4);
    expect_filled(in[1], 6, 4);
  }
}

/* The request is freed, or asked to be cancelled, before the message is received. */
static void freed_and_cancelled(void) {
  MPI_Request request = MPI_REQUEST_NULL, kept = MPI_REQUEST_NULL;
  if (my_rank() == 0) {
    fill(5);
    MPI_Issend(out, 7, MPI_INT, 3, 5, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Issend(out, 8, MPI_INT, 3, 6, MPI_COMM_WORLD, &kept);
  }
  sum(MPI_COMM_WORLD);
  if (my_rank() == 3) {
    MPI_Recv(in[0], large, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in[1], large, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_filled(in[0], 7, 5);
    expect_filled(in[1], 8, 5);
  }
  MPI_Wait(&kept, MPI_STATUS_IGNORE);
}

/* A large message that was only announced: members meet until it has met its receive. */
static void announced(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int before = meetings;
  fill(6);
  if (my_rank() == 0)
    MPI_Isend(out, large, MPI_INT, 3, 8, MPI_COMM_WORLD, &request);
  iterate(25);
  EXPECT(meetings == 0 || meetings - before >= 25);
  if (my_rank() == 3)
    MPI_Recv(in[0], large, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (my_rank() == 3)
    expect_filled(in[0], large, 6);
}

int main(int argc, char **argv) {
  const int only = argc > 1 ? argv[1][0] - '0' : -1;
  MPI_Init(&argc, &argv);
  announced();
  for (int which = 0; which < 7; ++which) {
    if (only >= 0 && only != which)
      continue;
    iterate_until_without_meeting();
    if (which < 2)
      blocking(which == 0 ? 4 : large);
    if (which == 2)
      nonblocking();
    if (which == 3)
      persistent();
    if (which == 4)
      behind_others();
    if (which == 5)
      not_posted();
    if (which == 6)
      freed_and_cancelled();
  }
  const int before = meetings;
  iterate(40);
  EXPECT(meetings - before < 25);
  MPI_Finalize();
  return 0;
}
