// Persistent sends whose messages the runtime carries: every mode, short and long messages, a
// separate message for each start; also after the program freed the communicator and the
// datatype; and a request freed while its message is under way, which arrives all the same. Fails
// when a start looks up the communicator that was freed, or waits until a synchronous send is
// received.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT_WATCH=0 SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_WATCHDOG=30,abort %mpirun 2 %t

#include "../../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

enum { large = 1 << 18, rounds = 3 };

typedef int initialize(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/* Barriers bypass the runtime: no rank meets others there. */
static int out[2 * large], in[2 * large];

/* Every second integer is sent. */
static void exchange(initialize *make, int count, int frees) {
  MPI_Comm communicator;
  MPI_Datatype gaps;
  MPI_Request requests[2];
  const int partner = 1 - my_rank();
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Type_vector(count, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  make(out, 1, gaps, partner, 3, communicator, &requests[0]);
  MPI_Recv_init(in, 1, gaps, partner, 3, communicator, &requests[1]);
  if (frees) {
    MPI_Comm_free(&communicator);
    MPI_Type_free(&gaps);
  }
  for (int round = 0; round < rounds; ++round) {
    out[0] = out[2 * (count - 1)] = 100 * round + my_rank();
    MPI_Start(&requests[0]);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Start(&requests[1]);
    if (round % 2) {
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
      MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
      for (int done = 0; !done;)
        MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    }
    EXPECT(in[0] == 100 * round + partner && in[2 * (count - 1)] == in[0]);
  }
  MPI_Start(&requests[0]);
  MPI_Request_free(&requests[0]);
  PMPI_Barrier(MPI_COMM_WORLD);
  MPI_Start(&requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  PMPI_Barrier(MPI_COMM_WORLD); /* what was sent has arrived: its buffer is free */
  MPI_Request_free(&requests[1]);
  if (frees)
    return;
  MPI_Type_free(&gaps);
  MPI_Comm_free(&communicator);
}

int main(int argc, char **argv) {
  static char attached[4 << 20];
  static initialize *const modes[] = {MPI_Ssend_init, MPI_Send_init, MPI_Bsend_init};
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == 2);
  MPI_Buffer_attach(attached, sizeof attached);
  /* While there is a persistent request of the runtime, MPI does not carry all messages again. */
  MPI_Request kept;
  MPI_Recv_init(in, 1, MPI_INT, 1 - my_rank(), 9, MPI_COMM_WORLD, &kept);
  for (int mode = 0; mode < 3; ++mode)
    for (int count = 1; count <= large; count += large - 1)
      for (int frees = 0; frees < 2; ++frees)
        exchange(modes[mode], count, frees);
  MPI_Request_free(&kept);
  void *buffer;
  int size;
  MPI_Buffer_detach(&buffer, &size);
  MPI_Finalize();
}
