// The time between calls is as long as it was, whatever clock it is read from: at least what the
// program slept, and at most what it ran.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 -g %generate %s -o %t/app %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/app.prof %mpirun 1 %t/app > %t/seconds
// RUN: %sendwright trace export %t/app.prof -o %t/app.trace
// RUN: awk -v most=$(cat %t/seconds) '/^compute/ { sum += $2 } END { print sum; exit !(sum >= 0.5 && sum <= most) }' %t/app.trace

#include <mpi.h>

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int argc, char **argv) {
  const double begin = now();
  int sent = 1, received = 0;
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 100; ++i) {
    usleep(5000);
    MPI_Sendrecv(&sent, 1, MPI_INT, 0, 0, &received, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  printf("%.6f\n", now() - begin);
  MPI_Finalize();
  return 0;
}
