// The program frees the request of a captured send, inside the loop and after it; the handle may
// come back at once as another request, which the runtime does not know. Fails when the send is not
// started first (nothing arrives), or, with an MPI that reuses handles at once, when the handle
// stays known: the first wait would free the persistent request that has it.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int values[3] = {1, 2, 3}, received = 0;
  MPI_Request request, kept, reused[64];
  if (my_rank() == 0) {
    {
      sendwright_batch(loop);
      MPI_Isend(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
      MPI_Request_free(&request);
      EXPECT(request == MPI_REQUEST_NULL);
      MPI_Isend(&values[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
      MPI_Isend(&values[2], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &kept);
    }
    MPI_Request_free(&request);
    for (int index = 0; index < 64; ++index)
      MPI_Send_init(values, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &reused[index]);
    for (int index = 0; index < 64; ++index) {
      MPI_Start(&reused[index]);
      MPI_Wait(&reused[index], MPI_STATUS_IGNORE);
      EXPECT(reused[index] != MPI_REQUEST_NULL);
      MPI_Request_free(&reused[index]);
    }
    MPI_Wait(&kept, MPI_STATUS_IGNORE);
    EXPECT(kept == MPI_REQUEST_NULL);
  } else {
    for (int message = 0; message < 3; ++message) {
      MPI_Recv(&received, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(received == values[message]);
    }
    for (int message = 0; message < 64; ++message)
      MPI_Recv(&received, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
