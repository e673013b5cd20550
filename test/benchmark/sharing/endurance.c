/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * endurance COUNT: this many instances of an exchange in which all ranks send to all others,
 * with changing sizes, a missing message now and then, and no barrier between them. Fails if a
 * rank uses more resident memory at the end than after a tenth of the instances. */

#include "../../runtime/inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

enum { mostRanks = 64, mostBytes = 512 };
/* Ranks may drift further apart than before, so that more messages are under way. */
enum { someKilobytes = 64 };

static long resident_kilobytes(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  EXPECT(file && fscanf(file, "%ld %ld", &pages, &resident) == 2);
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static int bytes_of(long instance, int from, int to) {
  return (int)((instance * 31 + from * 7 + to * 13) % mostBytes);
}
static int is_missing(long instance, int from, int to) { return (instance + from + to) % 17 == 0; }

static void run_instance(long instance) {
  static char out[mostRanks][mostBytes], in[mostRanks][mostBytes];
  MPI_Request requests[2 * mostRanks];
  const int rank = my_rank(), ranks = rank_count();
  int count = 0;
  for (int peer = 0; peer < ranks; ++peer)
    if (peer != rank && !is_missing(instance, peer, rank))
      MPI_Irecv(in[peer], bytes_of(instance, peer, rank), MPI_BYTE, peer, 3, MPI_COMM_WORLD,
                &requests[count++]);
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < ranks; ++peer)
      if (peer != rank && !is_missing(instance, rank, peer)) {
        const int bytes = bytes_of(instance, rank, peer);
        memset(out[peer], (int)(instance + rank + peer), (size_t)bytes);
        MPI_Isend(out[peer], bytes, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &requests[count++]);
      }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int peer = 0; peer < ranks; ++peer)
    if (peer != rank && !is_missing(instance, peer, rank))
      for (int byte = 0; byte < bytes_of(instance, peer, rank); ++byte)
        EXPECT(in[peer][byte] == (char)(instance + rank + peer));
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 1000000;
  long memory[2] = {0, 0}, least[2], most[2];
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() <= mostRanks);
  const double begin = MPI_Wtime();
  for (long instance = 0; instance < count; ++instance) {
    if (instance == count / 10)
      memory[0] = resident_kilobytes();
    run_instance(instance);
  }
  memory[1] = resident_kilobytes();
  MPI_Reduce(memory, least, 2, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(memory, most, 2, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (my_rank() == 0)
    printf("%ld instances in %.0f s: a rank has %ld to %ld kB after a tenth, %ld to %ld kB at the "
           "end\n",
           count, MPI_Wtime() - begin, least[0], most[0], least[1], most[1]);
  EXPECT(memory[1] <= memory[0] + someKilobytes);
  MPI_Finalize();
}
