// Sends of a planned loop complete although no receive is posted: rank 1 receives them only
// after what rank 0 sends behind the loop, so that as written both ranks would wait forever. The
// buffer is overwritten at once. Fails if the sends or MPI_Wait wait, if they leave without a copy, or if a
// message overtakes another one of its pair.
//
// RUN: printf 'ranks 2\nsite 1\nearly least=1000 most=4000000\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

enum { large = 100000, rows = 200, columns = 100 };

static int values[large], received[large];
static int matrix[rows][columns];

static void send_all(MPI_Datatype column) {
  sendwright_batch(loop);
  for (int round = 0; round < 3; ++round) {
    for (int index = 0; index < large; ++index)
      values[index] = 7 * round + index;
    MPI_Send(values, large, MPI_INT, 1, 5, MPI_COMM_WORLD);
    MPI_Send(&round, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); // small: as written
    values[round] = -1;
  }
  for (int row = 0; row < rows; ++row)
    matrix[row][0] = 3 * row;
  MPI_Send(matrix, 10, column, 1, 6, MPI_COMM_WORLD);
  matrix[7][0] = -1;
}

static void wait_for(int round, MPI_Request *request) {
  int done = 0;
  MPI_Status status;
  if (round == 0)
    MPI_Wait(request, MPI_STATUS_IGNORE);
  else if (round == 1)
    MPI_Testall(1, request, &done, MPI_STATUSES_IGNORE);
  else if (round == 2)
    MPI_Request_free(request);
  else
    MPI_Cancel(request), MPI_Waitall(1, request, &status);
  EXPECT(round != 1 || done);
  EXPECT(*request == MPI_REQUEST_NULL);
  if (round == 3)
    MPI_Test_cancelled(&status, &done), EXPECT(!done);
}

static void send_all_nonblocking(void) {
  sendwright_batch(loop);
  for (int round = 0; round < 4; ++round) {
    MPI_Request request;
    for (int index = 0; index < large; ++index)
      values[index] = 9 * round + index;
    MPI_Isend(values, large, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    wait_for(round, &request);
  }
}

static void receive_all(void) {
  for (int round = 0; round < 3; ++round) {
    int small = -1;
    MPI_Recv(received, large, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int index = 0; index < large; ++index)
      EXPECT(received[index] == 7 * round + index);
    MPI_Recv(&small, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(small == round);
  }
  for (int round = 0; round < 4; ++round) {
    MPI_Recv(received, large, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int index = 0; index < large; ++index)
      EXPECT(received[index] == 9 * round + index);
  }
  MPI_Recv(received, 10 * rows, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int row = 0; row < rows; ++row)
    EXPECT(received[row] == 3 * row);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype whole, column;
  MPI_Type_vector(rows, 1, columns, MPI_INT, &whole);
  MPI_Type_create_resized(whole, 0, sizeof(int), &column);
  MPI_Type_commit(&column);
  int behind = 0;
  if (my_rank() == 0) {
    send_all(column);
    expect_log("isend 1 send 1 isend 1 send 1 isend 1 send 1 isend 1 ");
    MPI_Type_free(&column);
    send_all_nonblocking();
    behind = 42;
    MPI_Send(&behind, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&behind, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(behind == 42);
    receive_all();
  }
  MPI_Finalize();
}
