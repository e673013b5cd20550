// A communicator from MPI_Comm_idup does not exist before its request is complete: recording does
// not ask MPI for its members. Copies of one communicator have the same number on all ranks,
// whichever is waited for first, in whatever way, and whatever other copies a rank begins before;
// also of an intercommunicator, and where a copy is freed unused. Fails under MPICH when the copy
// is inspected in the call that begins it.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s
// RUN: env SENDWRIGHT_PROFILE=%t.prof SENDWRIGHT_BUFFERS=1000 %mpirun 2 %t
// RUN: env SENDWRIGHT_ADAPT=1 %mpirun 2 %t

// CHECK: rank 0
// CHECK: send 1 bytes=4 tag=1 comm=65536
// CHECK: send 1 bytes=4 tag=2 comm=65537
// CHECK: send 1 bytes=4 tag=3 comm=131072
// CHECK: send 1 bytes=4 tag=4 comm=1
// CHECK: rank 1
// CHECK: recv 0 bytes=4 tag=1 comm=65536
// CHECK: recv 0 bytes=4 tag=2 comm=65537
// CHECK: recv 0 bytes=4 tag=3 comm=131072
// CHECK: recv 0 bytes=4 tag=4 comm=1

#include "../inputs/recorded.h"

#include <mpi.h>

static int rank;

static void exchange(MPI_Comm communicator, int tag) {
  int value = tag;
  if (rank == 0)
    MPI_Send(&value, 1, MPI_INT, 1, tag, communicator);
  else
    MPI_Recv(&value, 1, MPI_INT, 0, tag, communicator, MPI_STATUS_IGNORE);
}

/* Every way in which a request may turn out to be complete. */
static void complete(MPI_Request *request, int way) {
  int done = 0, index;
  while (!done)
    switch (way % 9) {
    case 0:
      done = MPI_Wait(request, MPI_STATUS_IGNORE) == MPI_SUCCESS;
      break;
    case 1:
      done = MPI_Waitall(1, request, MPI_STATUSES_IGNORE) == MPI_SUCCESS;
      break;
    case 2:
      done = MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE) == MPI_SUCCESS;
      break;
    case 3:
      MPI_Waitsome(1, request, &done, &index, MPI_STATUSES_IGNORE);
      break;
    case 4:
      MPI_Test(request, &done, MPI_STATUS_IGNORE);
      break;
    case 5:
      MPI_Testall(1, request, &done, MPI_STATUSES_IGNORE);
      break;
    case 6:
      MPI_Testany(1, request, &index, &done, MPI_STATUS_IGNORE);
      break;
    case 7:
      MPI_Testsome(1, request, &done, &index, MPI_STATUSES_IGNORE);
      break;
    default:
      MPI_Request_get_status(*request, &done, MPI_STATUS_IGNORE);
    }
}

static void begin(MPI_Comm original, MPI_Comm *copy, MPI_Request *request, int with_info) {
#if MPI_VERSION >= 4
  if (with_info) {
    MPI_Comm_idup_with_info(original, MPI_INFO_NULL, copy, request);
    return;
  }
#endif
  MPI_Comm_idup(original, copy, request);
}

int main(int argc, char **argv) {
  MPI_Comm first, second, blocking, of_blocking, local, inter, copy;
  MPI_Request requests[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &blocking);
#ifdef MPICH_VERSION
  if (rank == 1)
    MPI_Comm_idup(blocking, &of_blocking, &requests[2]);
  MPI_Comm_idup(MPI_COMM_WORLD, &first, &requests[0]);
  MPI_Comm_idup(MPI_COMM_WORLD, &second, &requests[1]);
  if (rank == 0)
    MPI_Comm_idup(blocking, &of_blocking, &requests[2]);
  for (int index = 0; index < 3; ++index)
    MPI_Wait(&requests[rank == 0 ? index : 2 - index], MPI_STATUS_IGNORE);
#else // Open MPI 4.1 mistakes messages of one duplication for another's
  MPI_Comm_idup(MPI_COMM_WORLD, &first, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Comm_idup(blocking, &of_blocking, &requests[2]);
  MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
  MPI_Comm_idup(MPI_COMM_WORLD, &second, &requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
#endif
  exchange(first, 1);
  exchange(second, 2);
  exchange(of_blocking, 3);
  exchange(blocking, 4);
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
  MPI_Comm_free(&of_blocking);

  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - rank, 7, &inter);
  for (int way = 0; way < 18; ++way)
    for (int use = 0; use < 2; ++use) {
      int own = rank, other = -1;
      begin(way < 9 ? MPI_COMM_WORLD : inter, &copy, &requests[0], way % 2);
      complete(&requests[0], way);
      if (use)
        MPI_Sendrecv(&own, 1, MPI_INT, way < 9 ? 1 - rank : 0, 5, &other, 1, MPI_INT, way < 9 ? 1 - rank : 0, 5, copy,
                     MPI_STATUS_IGNORE);
      if (use && other != 1 - rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
      MPI_Comm_free(&copy);
      if (requests[0] != MPI_REQUEST_NULL)
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
  MPI_Comm_free(&blocking);
  MPI_Finalize();
  return 0;
}
