// While a run learns, a large message leaves its pair of ranks to MPI for the rest of the run, also if
// receives are posted already, and if their rank waits in a collective call. All receives get the right
// messages: of any tag, of any source, in another order than sent, persistent and cancelled ones,
// probed messages, and small ones from before and after. Fails if the runtime carries large messages
// for ever, if a message overtakes another, if a receive is forgotten, or if the ranks go on to meet
// before each call once all pairs have left.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 4 %t
// RUN: for first in 1 2 3 5 6 7; do \
// RUN:   env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 4 %t $first || exit 1; done
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 4 %t steady
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t

#define _GNU_SOURCE
#include "../../inputs/planned-loop.h"
#include "../../inputs/counted-meetings.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { ranks = 4, large = 60000, kinds = 8 };

static int copies;   /* large messages that MPI gets, not from the program's buffer */
static int out[large], in[large];

int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
               MPI_Comm communicator, MPI_Request *request) {
  int (*const next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
      (int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))dlsym(
          RTLD_NEXT, "PMPI_Isend");
  copies += count > 2 * large && buffer != out;
  return next(buffer, count, type, to, tag, communicator, request);
}

static void fill(int value) {
  for (int index = 0; index < large; ++index)
    out[index] = value + index;
}

static void expect(int value) {
  for (int index = 0; index < large; ++index)
    EXPECT(in[index] == value + index);
}

/* A ring of large messages; each kind receives in another way. Small messages surround them. */
static void ring(int round) {
  const int rank = my_rank(), to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  const int kind = round % kinds, blocks = round % 3 == 0 && kind < 5, waits = !blocks && kind < 4;
  const int before = 3 * round, after = 3 * round + 1;
  int first = -1, last = -1, sum = 0;
  MPI_Request requests[6];
  MPI_Status status;
  MPI_Message message;
  int count = 0;
  fill(1000 * round + rank);
  if (kind == 1) /* the last one first */
    MPI_Irecv(&last, 1, MPI_INT, from, 9, MPI_COMM_WORLD, &requests[count++]);
  if (kind != 2)
    MPI_Irecv(&first, 1, MPI_INT, from, kind == 3 ? MPI_ANY_TAG : 7, MPI_COMM_WORLD,
              &requests[count++]);
  if (kind < 4)
    MPI_Irecv(in, large, MPI_INT, kind == 2 ? MPI_ANY_SOURCE : from, kind == 3 ? MPI_ANY_TAG : 8,
              MPI_COMM_WORLD, &requests[count++]);
  if (kind == 4) {
    MPI_Recv_init(in, large, MPI_INT, from, 8, MPI_COMM_WORLD, &requests[count]);
    MPI_Start(&requests[count++]);
  }
  if (kind == 5) { /* nobody sends this */
    MPI_Request never;
    int cancelled = 0;
    MPI_Irecv(in, large, MPI_INT, from, 99, MPI_COMM_WORLD, &never);
    MPI_Cancel(&never);
    MPI_Wait(&never, &status);
    MPI_Test_cancelled(&status, &cancelled);
    EXPECT(cancelled);
  }
  MPI_Request sent[3];
  MPI_Isend(&before, 1, MPI_INT, to, 7, MPI_COMM_WORLD, &sent[0]);
  if (rank % 2) { /* the others are in the collective, with posted receives */
    if (blocks)
      MPI_Send(out, large, MPI_INT, to, 8, MPI_COMM_WORLD);
    else
      MPI_Isend(out, large, MPI_INT, to, 8, MPI_COMM_WORLD, &sent[1]);
    if (waits)
      MPI_Wait(&sent[1], MPI_STATUS_IGNORE);
  }
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(sum == ranks * (ranks - 1) / 2);
  if (rank % 2 == 0)
    MPI_Isend(out, large, MPI_INT, to, 8, MPI_COMM_WORLD, &sent[1]);
  MPI_Isend(&after, 1, MPI_INT, to, 9, MPI_COMM_WORLD, &sent[2]);
  if (kind == 2)
    MPI_Recv(&first, 1, MPI_INT, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (kind == 5)
    MPI_Recv(in, large, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status);
  if (kind == 6) {
    MPI_Probe(from, 8, MPI_COMM_WORLD, &status);
    MPI_Recv(in, large, MPI_INT, from, 8, MPI_COMM_WORLD, &status);
  }
  if (kind == 7) {
    MPI_Mprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(in, large, MPI_INT, &message, &status);
  }
  if (kind > 4) {
    int got;
    MPI_Get_count(&status, MPI_INT, &got);
    EXPECT(status.MPI_SOURCE == from && status.MPI_TAG == 8 && got == large);
  }
  if (kind != 1)
    MPI_Recv(&last, 1, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Status statuses[6];
  MPI_Waitall(count, requests, statuses);
  if (kind < 5) {
    int got;
    MPI_Get_count(&statuses[count - 1], MPI_INT, &got);
    EXPECT(statuses[count - 1].MPI_SOURCE == from && statuses[count - 1].MPI_TAG == 8);
    EXPECT(got == large);
  }
  if (kind == 4)
    MPI_Request_free(&requests[count - 1]);
  expect(1000 * round + from);
  EXPECT(first == before && last == after);
  MPI_Wait(&sent[0], MPI_STATUS_IGNORE);
  MPI_Wait(&sent[2], MPI_STATUS_IGNORE);
  if (rank % 2 == 0 || (!blocks && !waits))
    MPI_Wait(&sent[1], MPI_STATUS_IGNORE);
}

/* Pairs leave for MPI, one of them late; half of the ranks send while the others are in the call. */
static void steady(void) {
  enum { calls = 100 };
  const int rank = my_rank(), to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  for (int call = 0; call < calls; ++call) {
    const int sends = rank != 3 || call > 20, receives = rank != 0 || call > 20;
    MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
    int sum = 0;
    if (receives)
      MPI_Irecv(in, large, MPI_INT, from, 8, MPI_COMM_WORLD, &received);
    fill(call + rank);
    if (sends && rank % 2) /* synchronously once MPI carries the messages */
      (call > 70 ? MPI_Ssend : MPI_Send)(out, large, MPI_INT, to, 8, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sends && rank % 2 == 0)
      MPI_Isend(out, large, MPI_INT, to, 8, MPI_COMM_WORLD, &sent);
    MPI_Wait(&received, MPI_STATUS_IGNORE);
    if (receives)
      expect(call + from);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
  EXPECT(meetings <= calls / 3);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  if (argc > 1 && strcmp(argv[1], "steady") == 0) {
    steady();
    MPI_Finalize();
    return 0;
  }
  const int shift = argc > 1 ? atoi(argv[1]) : 0;
  for (int round = 0; round < 3 * kinds; ++round)
    ring(round + shift);
  copies = 0;
  for (int round = 0; round < kinds; ++round)
    ring(round + shift);
  EXPECT(copies == 0);
  MPI_Finalize();
}
