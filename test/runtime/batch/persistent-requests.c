// Starts of the program's own persistent sends are held and issued in the plan's order, by
// MPI_Start and by MPI_Startall, where receives start at once. Starts of unknown requests, or of
// requests whose communicator is gone, run as written, after what is held. The requests stay the
// program's. Fails when starts are not captured: they leave in the order of the program.
//
// RUN: printf 'ranks 4\nsite 1\norder 0 3 1 2\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static int values[3], answers[3];
static MPI_Request sends[3], receives[3], both[6];

static void start_one_by_one(void) {
  sendwright_batch(loop);
  for (int k = 0; k < 3; ++k) {
    MPI_Start(&receives[k]);
    MPI_Start(&sends[k]);
  }
  expect_log("");
}

static void start_all_at_once(void) {
  sendwright_batch(loop);
  for (int k = 0; k < 3; ++k) {
    both[2 * k] = sends[k];
    both[2 * k + 1] = receives[k];
  }
  MPI_Startall(6, both);
  expect_log("");
  // Sends that were not started would seem to be complete.
  MPI_Waitall(6, both, MPI_STATUSES_IGNORE);
  expect_log("start 3 start 1 start 2 ");
}

static void make_and_start(void) {
  sendwright_batch(loop);
  for (int k = 0; k < 3; ++k) {
    MPI_Datatype pair;
    MPI_Type_contiguous(1, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Request request;
    MPI_Send_init(&values[k], 1, pair, k + 1, 0, MPI_COMM_WORLD, &request);
    MPI_Type_free(&pair);
    MPI_Start(&request);
    both[k] = request;
  }
}

/* Receives a number of messages from rank 0 and returns each. */
static void answer(int messages) {
  int value;
  for (; messages > 0; --messages) {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
}

static void wait_for_all(MPI_Request *requests, int count) {
  for (int k = 0; k < count; ++k) {
    MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    EXPECT(requests[k] != MPI_REQUEST_NULL);
  }
  clear_log();
}

static void check_answers(int first) {
  for (int k = 0; k < 3; ++k)
    EXPECT(answers[k] == first + k);
}

static void set_values(int first) {
  for (int k = 0; k < 3; ++k)
    values[k] = first + k;
}

static void rank_0(void) {
  for (int k = 0; k < 3; ++k) {
    MPI_Send_init(&values[k], 1, MPI_INT, k + 1, 0, MPI_COMM_WORLD, &sends[k]);
    MPI_Recv_init(&answers[k], 1, MPI_INT, k + 1, 0, MPI_COMM_WORLD, &receives[k]);
  }
  set_values(10);
  start_one_by_one();
  expect_log("start 3 start 1 start 2 ");
  wait_for_all(sends, 3);
  wait_for_all(receives, 3);
  check_answers(10);

  set_values(20);
  start_all_at_once();
  wait_for_all(both, 6);
  check_answers(20);

  set_values(30);
  make_and_start(); /* freeing a type issues what is held */
  expect_log("start 1 start 2 start 3 ");
  for (int k = 0; k < 3; ++k)
    MPI_Start(&receives[k]);
  wait_for_all(receives, 3);
  wait_for_all(both, 3);
  check_answers(30);
  for (int k = 0; k < 3; ++k) {
    MPI_Request_free(&sends[k]);
    MPI_Request_free(&both[k]);
  }
}

/* Messages to the other ranks on a communicator that is freed before they start. */
static void on_a_freed_communicator(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (my_rank() == 0) {
    for (int k = 0; k < 3; ++k)
      MPI_Send_init(&values[k], 1, MPI_INT, k + 1, 0, copy, &sends[k]);
    MPI_Comm_free(&copy);
    MPI_Comm again; /* may have the same handle */
    MPI_Comm_dup(MPI_COMM_SELF, &again);
    clear_log();
    {
      sendwright_batch(loop);
      for (int k = 0; k < 3; ++k)
        MPI_Start(&sends[k]);
      expect_log("start 1 start 2 start 3 ");
    }
    MPI_Comm_free(&again);
    MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
    for (int k = 0; k < 3; ++k)
      MPI_Request_free(&sends[k]);
  } else {
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE);
    EXPECT(value == 30 + my_rank() - 1);
    MPI_Comm_free(&copy);
  }
}

/* Synchronous sends, which are never held, may get the handles of freed requests. */
static void synchronous_ones(void) {
  if (my_rank() == 0) {
    for (int k = 0; k < 3; ++k) {
      MPI_Ssend_init(&values[k], 1, MPI_INT, k + 1, 0, MPI_COMM_WORLD, &sends[k]);
      MPI_Send_init(&values[k], 1, MPI_INT, 3 - k, 0, MPI_COMM_WORLD, &both[k]);
    }
    clear_log();
    sendwright_batch(loop);
    MPI_Start(&both[0]);
    MPI_Start(&both[1]);
    expect_log("");
    MPI_Startall(3, sends);
    expect_log("start 3 start 2 ");
    MPI_Start(&both[2]);
  } else {
    for (int message = 0; message < 2; ++message) {
      int value;
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (my_rank() == 0)
    rank_0();
  else
    answer(3);
  on_a_freed_communicator();
  synchronous_ones();
  if (my_rank() == 0) {
    MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
    MPI_Waitall(3, both, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
}
