/* A nonblocking receive from any source takes another rank's message than in the profile. What the rank then
 * waits for is sent only after it has come further itself: it must notice that, however it waits. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void await_file(const char *name) {
  while (access(name, F_OK))
    usleep(1000);
}

/* Rank 1 sends twice, with what must be synchronised between: otherwise needs two buffers. */
static void exchange(int rank, int round) {
  int partner = 3 - rank, in;
  MPI_Send(&round, 1, MPI_INT, partner, 2, MPI_COMM_WORLD);
  MPI_Recv(&in, 1, MPI_INT, partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sender(int rank, int first, const char *mark) {
  if (rank != first)
    await_file(mark);
  MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  exchange(rank, 1);
  exchange(rank, 2);
  if (rank == 1)
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

/* Waits in various ways for a message of rank 1 while a receive from any source is under way. */
static void wait_for_one(const char *how, int *in) {
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status status;
  int index, count, flag = 0, none = 0;
  if (strcmp(how, "receive") && strcmp(how, "probe") && strcmp(how, "exchange"))
    MPI_Irecv(in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[1]);
  if (!strcmp(how, "probe"))
    MPI_Probe(1, 1, MPI_COMM_WORLD, &status);
  if (!strcmp(how, "receive") || !strcmp(how, "probe"))
    MPI_Recv(in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "exchange"))
    MPI_Sendrecv(&none, 1, MPI_INT, MPI_PROC_NULL, 0, in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "wait"))
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  if (!strcmp(how, "all"))
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  if (!strcmp(how, "any"))
    MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
  if (!strcmp(how, "some"))
    MPI_Waitsome(2, request, &count, (int[2]){0, 0}, MPI_STATUSES_IGNORE);
  while (!strcmp(how, "test") && !flag)
    MPI_Test(&request[1], &flag, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, any = 0, one = 0, last = 0, taken = 0;
  const char *how = argv[1], *mark = argv[2];
  int first = argc > 3 ? atoi(argv[3]) : 2;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    if (!strcmp(how, "start")) {
      MPI_Recv_init(&any, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
      MPI_Start(&request);
    } else {
      MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    }
    while (!taken) /* the other sender goes on when the receive has its message */
      MPI_Request_get_status(request, &taken, MPI_STATUS_IGNORE);
    fclose(fopen(mark, "w"));
    wait_for_one(!strcmp(how, "start") ? "receive" : how, &one);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (request != MPI_REQUEST_NULL)
      MPI_Request_free(&request);
    MPI_Recv(&last, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %d %d\n", any, one, last);
  } else {
    sender(rank, first, mark);
  }
  MPI_Finalize();
  return 0;
}

/* RUN: rm -rf %t && mkdir %t
 * RUN: %mpicc -O1 %s -o %t/original
 * RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
 * RUN: for how in receive probe exchange wait all any some test start; do \
 * RUN:   env SENDWRIGHT_PROFILE=%t/run.prof %mpirun 3 %t/profiled $how %t/$how.profiled > %t/out || exit 1; \
 * RUN:   grep -x "2 1 1" %t/out || exit 1; \
 * RUN:   case $how in receive|any) kinds="full component" ;; *) kinds=full ;; esac; \
 * RUN:   for kind in $kinds; do \
 * RUN:     %sendwright plan %t/run.prof -o %t/$kind.plan --synchronize $kind > %t/said || exit 1; \
 * RUN:     %mpicc -O1 -g %use=%t/$kind.plan %s -o %t/$kind %runtime || exit 1; \
 * RUN:     sh -c '%mpirun 3 '"%t/$kind $how %t/$how.$kind.same > %t/out 2> %t/err" || exit 1; \
 * RUN:     echo "2 1 1" | cmp - %t/out || exit 1; \
 * RUN:     sh -c '! grep sendwright %t/err' || exit 1; \
 * RUN:     sh -c '%mpirun 3 '"%t/$kind $how %t/$how.$kind.other 1 > %t/out 2> %t/err" || exit 1; \
 * RUN:     echo "1 1 2" | cmp - %t/out || exit 1; \
 * RUN:     grep "sendwright: this run communicates differently from its profile" %t/err || exit 1; \
 * RUN:   done; \
 * RUN: done
 */
