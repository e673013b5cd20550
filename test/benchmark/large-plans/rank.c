/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The program of gather-large-profile, as the plugin rewrites it with the plan in the file of the
 * argument, or without an argument as it was written: a rank of a grid of 50 columns sends 512
 * bytes to each of its eight neighbours. Prints the bytes of heap that are in use after MPI_Init
 * and after 100 executions, and the most memory of the process. */

#include <mpi.h>
#include <sendwright/runtime.h>

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { columns = 50, neighbors = 8, bytes = 512 };

static struct sendwright_site loop = {
    "grid.c", "exchange", 12, 0, 12, SENDWRIGHT_SITE_STABLE_BUFFERS, 0};
static struct sendwright_site *sites[] = {&loop};
static struct sendwright_unit unit = {
    SENDWRIGHT_RUNTIME_VERSION, SENDWRIGHT_UNIT_USE, "grid.c", sites, 1, 0, 0, 0, 0, 0, 0, 0, 0};

/* The plan is mapped, as the program's own copy would be: pages that nobody reads take no memory.
 */
static void announce(const char *plan) {
  const int file = open(plan, O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0)
    return;
  void *const data = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (data == MAP_FAILED)
    return;
  unit.plan = data;
  unit.plan_size = (unsigned long)status.st_size;
  sendwright_register(&unit);
}

static size_t heap(void) {
  const struct mallinfo2 use = mallinfo2();
  return use.uordblks + use.hblkhd;
}

/* In kB: what belongs to the process alone, at most. */
static long most(void) {
  char line[128];
  long kilobytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1)
      break;
  if (status)
    fclose(status);
  return kilobytes;
}

int main(int argc, char **argv) {
  static const int distances[neighbors] = {-columns - 1, -columns, -columns + 1, -1, 1,
                                           columns - 1,  columns,  columns + 1};
  static char in[neighbors][bytes], out[neighbors][bytes];
  MPI_Request requests[neighbors];
  int rank, ranks;
  if (argc > 1)
    announce(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const size_t atStart = heap();
  for (int execution = 0; execution < 100; ++execution) {
    for (int i = 0; i < neighbors; ++i)
      MPI_Irecv(in[i], bytes, MPI_CHAR, (rank + ranks + distances[i]) % ranks, 0, MPI_COMM_WORLD,
                &requests[i]);
    {
      sendwright_batch(loop);
      for (int i = 0; i < neighbors; ++i)
        MPI_Send(out[i], bytes, MPI_CHAR, (rank + ranks + distances[i]) % ranks, 0, MPI_COMM_WORLD);
    }
    MPI_Waitall(neighbors, requests, MPI_STATUSES_IGNORE);
  }
  printf("%zu %zu %ld\n", atStart, heap(), most());
  MPI_Finalize();
  return 0;
}
