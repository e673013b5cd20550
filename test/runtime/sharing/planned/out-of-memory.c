// Without memory for a message to be shared, the send fails as in MPI, nothing of it is sent, and
// the program goes on. Without memory for what arrives, the job ends, and a line says why.
//
// RUN: printf 'ranks 3\nsite 1\nexchange direct\nmessage 0 1 5 6\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t sender | %FileCheck %s
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t receiver >%t.out 2>&1 || true
// RUN: %FileCheck %s --check-prefix=RECEIVER <%t.out
// UNSUPPORTED: sanitize
// CHECK: all that was sent came
// RECEIVER: sendwright: rank 1 has no memory for shared messages that pass through it or wait for
// their receives RECEIVER-NOT: all that was sent came

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

enum { bytes = 1 << 20, most = 100 };

/* Allows `more` bytes besides what this process has; 0: without limit. */
static void limit_memory(long more) {
  struct rlimit limit;
  long pages = 0;
  getrlimit(RLIMIT_AS, &limit);
  FILE *file = fopen("/proc/self/statm", "r");
  EXPECT(file && fscanf(file, "%ld", &pages) == 1);
  fclose(file);
  limit.rlim_cur = more ? (rlim_t)(pages * sysconf(_SC_PAGESIZE) + more) : limit.rlim_max;
  setrlimit(RLIMIT_AS, &limit);
}

static int send_many(const char *who) {
  char *out = calloc(bytes, 1);
  int sent = 0, class = MPI_SUCCESS, error;
  MPI_Request requests[most];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (strcmp(who, "sender") == 0)
    limit_memory(64 << 20);
  {
    sendwright_batch(loop);
    for (; sent < most && class == MPI_SUCCESS; sent += class == MPI_SUCCESS) {
      memset(out, sent, bytes);
      error = MPI_Isend(out, bytes, MPI_BYTE, 1, 5, MPI_COMM_WORLD, &requests[sent]);
      MPI_Error_class(error, &class);
      EXPECT(class == MPI_SUCCESS || class == MPI_ERR_NO_MEM);
    }
    limit_memory(0);
  }
  MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE);
  EXPECT(strcmp(who, "sender") == 0 ? sent > 0 && sent < most : sent == most);
  free(out);
  return sent;
}

int main(int argc, char **argv) {
  int sent = 0;
  MPI_Init(&argc, &argv);
  if (my_rank() == 0) {
    sent = send_many(argv[1]);
    MPI_Send(&sent, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
  } else if (my_rank() == 1) {
    if (strcmp(argv[1], "receiver") == 0)
      limit_memory(64 << 20);
    MPI_Recv(&sent, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    char *in = malloc(bytes);
    for (int index = 0; index < sent; ++index) {
      MPI_Recv(in, bytes, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(in[0] == (char)index && in[bytes - 1] == (char)index);
    }
    free(in);
    printf("all that was sent came\n");
  }
  MPI_Finalize();
}
