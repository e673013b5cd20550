// A rank that waits in a collective serves the others: each of these is called by rank 0 while rank
// 1 still needs one of its buffers for a message that rank 0 receives afterwards. The same holds
// for windows and files, and for calls that create communicators.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=1 TEST_FILE=%t.file %mpirun 3 %t

#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, size, errors, value[3], all[9], sum;
static const int counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
static MPI_Comm cart, made, whole;
static MPI_Win window;
static MPI_File file;
static MPI_Request request;

static int collective(int number) {
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Datatype integer = MPI_INT;
  switch (number) {
  case 0: return MPI_Barrier(world);
  case 1: return MPI_Bcast(value, 1, integer, 2, world);
  case 2: return MPI_Gather(value, 1, integer, all, 1, integer, 0, world);
  case 3: return MPI_Gatherv(value, 1, integer, all, counts, places, integer, 0, world);
  case 4: return MPI_Scatter(all, 1, integer, value, 1, integer, 2, world);
  case 5: return MPI_Allgather(value, 1, integer, all, 1, integer, world);
  case 6: return MPI_Alltoall(all, 1, integer, all + 3, 1, integer, world);
  case 7: return MPI_Alltoallv(all, counts, places, integer, all + 3, counts, places, integer, world);
  case 8: return MPI_Reduce(&rank, &sum, 1, integer, MPI_SUM, 0, world);
  case 9: return MPI_Allreduce(&rank, &sum, 1, integer, MPI_SUM, world);
  case 10: return MPI_Scan(&rank, &sum, 1, integer, MPI_SUM, world);
  case 11: return MPI_Exscan(&rank, &sum, 1, integer, MPI_SUM, world);
  case 12: return MPI_Reduce_scatter(all, value, counts, integer, MPI_SUM, world);
  case 13: return MPI_Reduce_scatter_block(all, value, 1, integer, MPI_SUM, world);
  case 14: return MPI_Neighbor_allgather(value, 1, integer, all, 1, integer, cart);
  case 15: return MPI_Comm_dup(world, &made) || MPI_Comm_free(&made);
  case 16: return MPI_Comm_split(world, 0, 0, &made) || MPI_Comm_free(&made);
  case 17: return MPI_Win_create(value, sizeof value, 1, MPI_INFO_NULL, world, &window);
  case 18: return MPI_Win_fence(0, window);
  case 19: return MPI_Win_free(&window);
  case 20: return MPI_File_open(world, getenv("TEST_FILE"), MPI_MODE_CREATE | MPI_MODE_RDWR,
                                MPI_INFO_NULL, &file);
  case 21: return MPI_File_write_at_all(file, 4 * rank, value, 1, integer, MPI_STATUS_IGNORE);
  case 22: return MPI_File_close(&file);
  case 23: return MPI_Ibarrier(world, &request) || MPI_Wait(&request, MPI_STATUS_IGNORE);
  case 24: return MPI_Iallreduce(&rank, &sum, 1, integer, MPI_SUM, world, &request) ||
                  MPI_Wait(&request, MPI_STATUS_IGNORE);
  default: return MPI_SUCCESS;
  }
}

int main(int argc, char **argv) {
  int period = 1, received;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &cart);
  for (int number = 0; number < 25; ++number) {
    if (rank == 1)
      usleep(20000); // so that the others are in the collective
    if (rank == 1)
      MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    sum = 0;
    errors += collective(number) != MPI_SUCCESS;
    if (number == 9 || number == 24)
      errors += sum != 3;
    if (rank == 0) {
      MPI_Recv(&received, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      errors += received != number;
    }
  }
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return errors;
}
