/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The program of gather-large-profile, as the plugin rewrites it with the plan in the file of the
 * argument, or without an argument as it was written. Prints the bytes of heap that are in use
 * after MPI_Init, and the most memory of the process in kB. */

#include "../../runtime/inputs/own-memory.h"

#include <mpi.h>
#include <sendwright/runtime.h>

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

int main(int argc, char **argv) {
  if (argc > 1)
    announce(argv[1]);
  MPI_Init(&argc, &argv);
  {
    sendwright_batch(loop); /* an execution without messages, because nobody would answer them */
  }
  printf("%zu %ld\n", heap(), own_memory("RssAnon"));
  fflush(stdout);
  _exit(0);
}
