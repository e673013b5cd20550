// Large messages of a loop with a window leave as the program sends them, with a leading part, or
// paced: each way in some executions to try it, and then the fastest for good, by the clock of the
// test. Receivers get the same elements. Fails if a value is wrong, if a way is not tried, or a
// slower one is kept; or if leading parts leave once the program has freed a request, since nobody
// then knows when they have left.
//
// RUN: printf 'ranks 3\nsite 1\norder 0 window=1 1 2\nsite 2\norder 0 window=1 1 2\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t with-part
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t paced
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t as-usual
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t with-part frees

#define _GNU_SOURCE
#include "../inputs/planned-loop.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(nonblocking, 1, 0)
PLANNED_LOOP(blocking, 2, 0)

enum { count = 12345, executions = 30, tried = 13, frees_at = 4, ranks = 3 };

static double clock_seconds;
static const char *fastest;
static int frees, freed_with_part = -1;
static int with_part, without_part, spaced, sends_of_execution;

/* The clock stands still but for messages and for each look at MPI between paced ones, so that a busy
 * machine measures the same, and few looks are enough. */
double PMPI_Wtime(void) { return clock_seconds; }

int PMPI_Iprobe(int from, int tag, MPI_Comm within, int *any, MPI_Status *status) {
  int (*const next)(int, int, MPI_Comm, int *, MPI_Status *) =
      (int (*)(int, int, MPI_Comm, int *, MPI_Status *))dlsym(RTLD_NEXT, "PMPI_Iprobe");
  if (within == MPI_COMM_SELF)
    clock_seconds += 0.005;
  return next(from, tag, within, any, status);
}

static int note(const void *buffer) {
  const int has_part = buffer == MPI_BOTTOM;
  with_part += has_part;
  without_part += !has_part;
  return has_part;
}

/* On this network a message that leaves too soon after another one is delayed if only paced ones are
 * to be fast. */
static void take_time(int has_part) {
  static double last_left;
  const int is_first = sends_of_execution++ == 0, is_spaced = clock_seconds > last_left + 0.05;
  spaced += !is_first && is_spaced;
  if (strcmp(fastest, "as-usual") == 0)
    clock_seconds += has_part ? 0.1 : 0.08;
  else if (strcmp(fastest, "with-part") == 0)
    clock_seconds += has_part ? 0.08 : 0.1;
  else
    clock_seconds += has_part && is_first ? 0.08 : has_part && is_spaced ? 0.01 : 0.3;
  last_left = clock_seconds;
}

int PMPI_Isend(const void *buffer, int elements, MPI_Datatype type, int to, int tag, MPI_Comm within,
               MPI_Request *request) {
  int (*const next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
      (int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))dlsym(
          RTLD_NEXT, "PMPI_Isend");
  take_time(note(buffer));
  return next(buffer, elements, type, to, tag, within, request);
}

static int has_part_at_start;

int PMPI_Send_init(const void *buffer, int elements, MPI_Datatype type, int to, int tag,
                   MPI_Comm within, MPI_Request *request) {
  int (*const next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
      (int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))dlsym(
          RTLD_NEXT, "PMPI_Send_init");
  has_part_at_start = note(buffer);
  return next(buffer, elements, type, to, tag, within, request);
}

int PMPI_Start(MPI_Request *request) {
  int (*const next)(MPI_Request *) = (int (*)(MPI_Request *))dlsym(RTLD_NEXT, "PMPI_Start");
  take_time(has_part_at_start);
  return next(request);
}

static double out[ranks][count], in[count];

static double value(int execution, int to, int index) {
  return 1000.0 * execution + 100 * to + index;
}

static void receive(int execution) {
  MPI_Status status;
  int received;
  memset(in, 0, sizeof in);
  MPI_Recv(in, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &received);
  EXPECT(received == count);
  for (int index = 0; index < count; ++index)
    EXPECT(in[index] == value(execution, my_rank(), index));
}

static void send_nonblocking(int execution) {
  MPI_Request requests[ranks];
  {
    sendwright_batch(nonblocking);
    for (int to = 1; to < ranks; ++to)
      MPI_Isend(out[to], count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &requests[to - 1]);
  }
  if (!frees || execution != frees_at) {
    MPI_Waitall(ranks - 1, requests, MPI_STATUSES_IGNORE);
    return;
  }
  for (int to = 1; to < ranks; ++to)
    MPI_Request_free(&requests[to - 1]);
  freed_with_part = with_part;
}

static void send_blocking(int execution) {
  (void)execution;
  sendwright_batch(blocking);
  for (int to = 1; to < ranks; ++to)
    MPI_Send(out[to], count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
}

static void run(void (*send)(int)) {
  int with_part_before = 0, spaced_before = 0;
  with_part = without_part = spaced = 0;
  for (int execution = 0; execution < executions; ++execution) {
    if (execution == frees_at + 1)
      MPI_Barrier(MPI_COMM_WORLD); /* what was freed has arrived */
    if (my_rank() > 0) {
      receive(execution);
      continue;
    }
    if (execution == tried) {
      with_part_before = with_part;
      spaced_before = spaced;
    }
    for (int to = 1; to < ranks; ++to)
      for (int index = 0; index < count; ++index)
        out[to][index] = value(execution, to, index);
    sends_of_execution = 0;
    send(execution);
  }
  if (my_rank() > 0)
    return;
  EXPECT(with_part + without_part == executions * (ranks - 1));
  if (frees) {
    EXPECT(freed_with_part >= 0 && with_part == (send == send_nonblocking ? freed_with_part : 0));
    return;
  }
#ifdef OPEN_MPI
  const int is_as_usual = strcmp(fastest, "as-usual") == 0, is_paced = strcmp(fastest, "paced") == 0;
  EXPECT(with_part_before >= 3 * (ranks - 1) && without_part >= 4 * (ranks - 1));
  EXPECT(with_part == with_part_before + (is_as_usual ? 0 : (executions - tried) * (ranks - 1)));
  EXPECT(spaced_before == (is_as_usual ? 0 : 3 * (ranks - 2)));
  EXPECT(spaced == spaced_before + (is_paced ? (executions - tried) * (ranks - 2) : 0));
#else
  (void)with_part_before, (void)spaced_before;
  EXPECT(with_part == 0 && spaced == 0);
#endif
}

int main(int argc, char **argv) {
  fastest = argv[1];
  frees = argc > 2;
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  run(send_nonblocking);
  MPI_Barrier(MPI_COMM_WORLD);
  run(send_blocking);
  MPI_Finalize();
}
