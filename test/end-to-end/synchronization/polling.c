/* A rank reaches the end of a super epoch in a call that is not part of the plan: it probes, or polls, for a
 * message that is sent only after it has announced that it has come so far. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* Needs more than one buffer unless ranks synchronise between two exchanges. */
static void exchange(int rank, int round) {
  int partner = 3 - rank, in;
  MPI_Send(&round, 1, MPI_INT, partner, 2, MPI_COMM_WORLD);
  MPI_Recv(&in, 1, MPI_INT, partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive(const char *how, int *in) {
  int flag = 0, index;
  MPI_Message message;
  MPI_Request request = MPI_REQUEST_NULL;
  if (!strcmp(how, "probe"))
    MPI_Probe(1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  while (!strcmp(how, "iprobe") && !flag)
    MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  if (!strcmp(how, "mprobe"))
    MPI_Mprobe(1, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  while (!strcmp(how, "improbe") && !flag)
    MPI_Improbe(1, 1, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
  if (strstr(how, "mprobe"))
    MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  else if (strstr(how, "probe"))
    MPI_Recv(in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Irecv(in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
  while (!strcmp(how, "status") && !flag)
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  for (flag = 0; !strcmp(how, "test") && !flag;)
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  for (flag = 0; !strcmp(how, "testany") && !flag;)
    MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, in = 0, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 4; round++)
    if (rank == 0) {
      receive(argv[1], &in);
      sum += in;
    } else {
      exchange(rank, round);
      exchange(rank, round);
      if (rank == 1)
        MPI_Send(&round, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
  if (rank == 0)
    printf("%d\n", sum);
  MPI_Finalize();
  return 0;
}

/* RUN: rm -rf %t && mkdir %t
 * RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
 * RUN: for how in probe iprobe mprobe improbe status test testany; do \
 * RUN:   env SENDWRIGHT_PROFILE=%t/run.prof %mpirun 3 %t/profiled $how > %t/out || exit 1; \
 * RUN:   case $how in probe|test) kinds="full component" ;; *) kinds=full ;; esac; \
 * RUN:   for kind in $kinds; do \
 * RUN:     %sendwright plan %t/run.prof -o %t/$kind.plan --synchronize $kind > %t/said || exit 1; \
 * RUN:     %mpicc -O1 -g %use=%t/$kind.plan %s -o %t/$kind %runtime || exit 1; \
 * RUN:     echo "$how $kind"; \
 * RUN:     sh -c '%mpirun 3 '"%t/$kind $how > %t/out 2> %t/err" || exit 1; \
 * RUN:     echo 6 | cmp - %t/out || exit 1; \
 * RUN:     sh -c '! grep sendwright %t/err' || exit 1; \
 * RUN:   done; \
 * RUN: done
 */
