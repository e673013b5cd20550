/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For tests of irregular collectives: counts the calls that MPI itself does. The runtime's calls of
 * PMPI functions come to this executable first. */

#ifndef TEST_RUNTIME_IRREGULAR_H
#define TEST_RUNTIME_IRREGULAR_H

#define _GNU_SOURCE
#include "planned-loop.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(any_loop, 1, 0) /* carries the plan */

static int left_to_mpi;

int PMPI_Alltoallv(const void *out, const int *counts, const int *places, MPI_Datatype type, void *in,
                   const int *in_counts, const int *in_places, MPI_Datatype in_type, MPI_Comm comm) {
  int (*next)(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,
              MPI_Datatype, MPI_Comm) = dlsym(RTLD_NEXT, "PMPI_Alltoallv");
  ++left_to_mpi;
  return next(out, counts, places, type, in, in_counts, in_places, in_type, comm);
}

/* Elements that `from` has for `to` in a call: mostly none; a rank may have some for itself. */
__attribute__((unused)) static int elements(int call, int from, int to) {
  unsigned hash = (unsigned)(call * 31 + from * 17 + to * 101 + from * to * 7) * 2654435761u;
  hash ^= hash >> 15;
  return hash % 3 ? 0 : (int)(hash / 3 % 9);
}

__attribute__((unused)) static double value(int call, int from, int to, int element) {
  return call * 1e6 + from * 1e4 + to * 1e2 + element;
}

#endif
