/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What the five programs share: sizes from the command line, and how a run with a wrong result
 * ends. Every program checks its own result; "checked" at the end says that it is right. */

#ifndef EXAMPLES_EPOCHS_EXAMPLE_H
#define EXAMPLES_EPOCHS_EXAMPLE_H

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

/* Argument `index` as a positive number; `standard` if it is not given. */
static inline int size_argument(int argc, char **argv, int index, int standard) {
  char *end = NULL;
  long value = standard;
  if (index < argc) {
    value = strtol(argv[index], &end, 10);
    if (*end || value < 1 || value > 1000000) {
      fprintf(stderr, "%s: found \"%s\", expected a number from 1 to 1000000\n", argv[0],
              argv[index]);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
  return (int)value;
}

/* Ends the run unless `holds`. */
static inline void require(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "error: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  require(memory != NULL, "no memory");
  return memory;
}

/* `total` items are divided evenly among `workers`: the number of the first item of `worker`. */
static inline int first_of(int worker, int workers, int total) {
  return (int)((long long)total * worker / workers);
}

/* The number of items that it has. */
static inline int count_of(int worker, int workers, int total) {
  return first_of(worker + 1, workers, total) - first_of(worker, workers, total);
}

#endif
