// Receives of routed messages look like MPI's own: statuses through every
// call, half elements, truncation raised on the program's communicator,
// cancelling, freed requests and datatypes, persistent receives, probes, and
// receives from any source that also get messages of others. Fails without
// generalised requests' statuses, and when errors go to another communicator's
// handler.
//
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessage 0 3 5 6\nmessage 1 3 5 6\n' | \
// RUN:   %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t

#include "../../inputs/planned-loop.h"

#include <string.h>

PLANNED_LOOP(loop, 1, 0)

static MPI_Comm world;
static int handled;

static void handler(MPI_Comm *communicator, int *error, ...) {
  int class;
  MPI_Error_class(*error, &class);
  EXPECT(*communicator == world && (class == MPI_ERR_TRUNCATE || class == MPI_ERR_IN_STATUS));
  ++handled;
}

/* Ranks 0 and 1 send rank 3 `count` integers with tag 5, and the first of them with tag 6. */
static void send_all(int count) {
  int values[100];
  sendwright_batch(loop);
  for (int index = 0; index < 100; ++index)
    values[index] = 1000 * my_rank() + index;
  if (my_rank() < 2) {
    MPI_Send(values, count, MPI_INT, 3, 5, world);
    MPI_Send(values, 1, MPI_INT, 3, 6, world);
  }
}

static void expect_status(const MPI_Status *status, int source, int tag, int count) {
  int counted, flag = 1;
  MPI_Get_count(status, MPI_INT, &counted);
  MPI_Test_cancelled(status, &flag);
  EXPECT(status->MPI_SOURCE == source && status->MPI_TAG == tag && counted == count && !flag);
}

static void statuses(void) {
  int values[2][100], first[2], flag = 0, index, elements;
  MPI_Request requests[4];
  MPI_Status status[4];
  if (my_rank() != 3) {
    send_all(50);
    send_all(3);
    return;
  }
  for (int source = 0; source < 2; ++source) {
    MPI_Irecv(values[source], 100, MPI_INT, source, 5, world, &requests[source]);
    MPI_Irecv(&first[source], 1, MPI_INT, source, 6, world, &requests[2 + source]);
  }
  while (!flag)
    MPI_Request_get_status(requests[0], &flag, &status[0]);
  expect_status(&status[0], 0, 5, 50);
  memset(status, 0, sizeof status);
  MPI_Wait(&requests[0], &status[0]);
  expect_status(&status[0], 0, 5, 50);
  MPI_Waitall(1, &requests[2], status);
  expect_status(status, 0, 6, 1);
  MPI_Waitany(4, requests, &index, &status[0]);
  EXPECT(index == 1 || index == 3);
  expect_status(&status[0], 1, index == 1 ? 5 : 6, index == 1 ? 50 : 1);
  MPI_Waitany(4, requests, &index, &status[0]);
  expect_status(&status[0], 1, index == 1 ? 5 : 6, index == 1 ? 50 : 1);
  EXPECT(values[0][49] == 49 && values[1][49] == 1049 && first[1] == 1000);

  /* Two elements of a pair of integers: the second is half. */
  MPI_Datatype pair;
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  memset(values, 0, sizeof values);
  MPI_Irecv(values[0], 10, pair, 0, 5, world, &requests[0]);
  MPI_Type_free(&pair);
  MPI_Wait(&requests[0], &status[0]);
  MPI_Get_elements(&status[0], MPI_INT, &elements);
  EXPECT(elements == 3 && values[0][0] == 0 && values[0][2] == 1 && values[0][1] == 0);
  EXPECT(values[0][3] == 2 && values[0][4] == 0);
  MPI_Recv(&first[0], 1, MPI_INT, 0, 6, world, &status[0]);
  expect_status(&status[0], 0, 6, 1);
  MPI_Recv(values[1], 100, MPI_INT, 1, 5, world, MPI_STATUS_IGNORE);
  MPI_Recv(&first[1], 1, MPI_INT, 1, 6, world, MPI_STATUS_IGNORE);
}

static void truncation(void) {
  int values[4], first;
  MPI_Request request;
  send_all(50);
  if (my_rank() != 3)
    return;
  MPI_Irecv(values, 4, MPI_INT, 0, 5, world, &request);
  EXPECT(MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS && handled == 1);
  EXPECT(MPI_Recv(values, 4, MPI_INT, 1, 5, world, MPI_STATUS_IGNORE) != MPI_SUCCESS &&
         handled == 2);
  for (int source = 0; source < 2; ++source)
    EXPECT(MPI_Recv(&first, 1, MPI_INT, source, 6, world, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

static void cancelled_and_freed(void) {
  int values[100] = {0}, unused = 7, first, flag;
  MPI_Request request, freed;
  MPI_Status status;
  if (my_rank() == 3) {
    MPI_Irecv(&unused, 1, MPI_INT, 0, 6, world, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    EXPECT(flag && request == MPI_REQUEST_NULL && unused == 7);
    MPI_Irecv(values, 100, MPI_INT, 0, 5, world, &freed);
    MPI_Request_free(&freed);
  }
  MPI_Barrier(world);
  send_all(9);
  if (my_rank() == 3) {
    MPI_Recv(&first, 1, MPI_INT, 0, 6, world, &status);
    expect_status(&status, 0, 6, 1);
    MPI_Recv(&first, 1, MPI_INT, 1, 6, world, &status);
    MPI_Recv(values + 50, 50, MPI_INT, 1, 5, world, &status);
    expect_status(&status, 1, 5, 9);
    EXPECT(values[8] == 8 && values[58] == 1008);
  }
}

static void persistent(void) {
  int values[100], first, flag;
  MPI_Request request;
  MPI_Status status;
  if (my_rank() == 3)
    MPI_Recv_init(values, 100, MPI_INT, 1, 5, world, &request);
  for (int round = 0; round < 3; ++round) {
    send_all(10 + round);
    if (my_rank() != 3)
      continue;
    MPI_Start(&request);
    if (round == 1)
      for (flag = 0; !flag;)
        MPI_Test(&request, &flag, &status);
    else
      MPI_Wait(&request, &status);
    expect_status(&status, 1, 5, 10 + round);
    EXPECT(request != MPI_REQUEST_NULL && values[9 + round] == 1009 + round);
    MPI_Wait(&request, &status); /* inactive */
    MPI_Recv(values, 100, MPI_INT, 0, 5, world, MPI_STATUS_IGNORE);
    MPI_Recv(&first, 1, MPI_INT, 0, 6, world, MPI_STATUS_IGNORE);
    MPI_Recv(&first, 1, MPI_INT, 1, 6, world, MPI_STATUS_IGNORE);
  }
  if (my_rank() == 3) {
    MPI_Request_free(&request);
    EXPECT(request == MPI_REQUEST_NULL);
  }
}

/* Tags 5 and 6 of one sender in this order, and the messages of rank 2, which MPI carries. */
static void from_any(void) {
  int value, last[3] = {0, 0, 0}, seen[3] = {0, 0, 0};
  MPI_Status status;
  MPI_Message message;
  if (my_rank() == 2)
    for (int tag = 5; tag < 7; ++tag)
      MPI_Send(&tag, 1, MPI_INT, 3, tag, world);
  send_all(1);
  if (my_rank() != 3)
    return;
  for (int received = 0; received < 6; ++received) {
    if (received % 3 == 0) {
      MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &message, &status);
      MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    } else if (received % 3 == 1) {
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
      MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, world, &status);
    } else {
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
    }
    expect_status(&status, status.MPI_SOURCE, status.MPI_TAG, 1);
    EXPECT(status.MPI_TAG > last[status.MPI_SOURCE]);
    last[status.MPI_SOURCE] = status.MPI_TAG;
    ++seen[status.MPI_SOURCE];
  }
  EXPECT(seen[0] == 2 && seen[1] == 2 && seen[2] == 2);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  world = MPI_COMM_WORLD;
  statuses();
  persistent();
  cancelled_and_freed();
  MPI_Barrier(world);
  from_any();
  MPI_Barrier(world); /* a later message would do, too */
  MPI_Errhandler errors;
  MPI_Comm_create_errhandler(handler, &errors);
  MPI_Comm_set_errhandler(world, errors);
  truncation();
  MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&errors);
  MPI_Finalize();
}
