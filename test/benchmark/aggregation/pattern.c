/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _GNU_SOURCE

#include "pattern.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct pattern *pattern, int from, int to) {
  if (from != to)
    pattern->sends[from * pattern->ranks + to] = 1;
}

static void add_halo(struct pattern *pattern) {
  int extents[3] = {0, 0, 0};
  MPI_Dims_create(pattern->ranks, 3, extents);
  for (int from = 0; from < pattern->ranks; from++)
    for (int place = 0; place < 27; place++) {
      const int step[3] = {place / 9 - 1, place / 3 % 3 - 1, place % 3 - 1};
      int rest = from, to = 0, unit = 1, inside = 1;
      for (int axis = 2; axis >= 0; axis--) {
        const int at = rest % extents[axis] + step[axis];
        inside = inside && at >= 0 && at < extents[axis];
        to += at * unit;
        rest /= extents[axis];
        unit *= extents[axis];
      }
      if (inside)
        add(pattern, from, to);
    }
}

static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static int degree(int rank, int ranks) {
  const int place = rank * 181 % ranks, most = ranks * 400 / 512, least = ranks * 12 / 128;
  double root = 1;
  for (int turn = 0; turn < 40; turn++)
    root = (root + (place / 4.0 + 1) / root) / 2;
  return most / root < least ? least : (int)(most / root);
}

static void add_power_law(struct pattern *pattern) {
  for (int from = 0; from < pattern->ranks; from++) {
    unsigned state = (unsigned)from * 7919u + 17;
    int wanted = degree(from, pattern->ranks), left = pattern->ranks;
    for (int to = 0; to < pattern->ranks; to++, left--)
      if (wanted > 0 && (int)(next(&state) % (unsigned)left) < wanted) {
        add(pattern, from, to);
        wanted--;
      }
  }
}

/* Lines "SOURCE: DESTINATION ITEMS ..." (docs/file-formats.md); items do not matter. */
static void add_matrix(struct pattern *pattern, const char *name) {
  FILE *file = fopen(name, "r");
  if (!file) {
    perror(name);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return;
  }
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, file) > 0) {
    char *at = line, *end = line;
    const int from = (int)strtol(line, &at, 10);
    if (at == line || *at != ':' || from >= pattern->ranks)
      continue;
    for (at++;; (void)strtol(end + 1, &at, 10)) {
      const int to = (int)strtol(at, &end, 10);
      if (end == at)
        break;
      if (to < pattern->ranks)
        add(pattern, from, to);
    }
  }
  free(line);
  fclose(file);
}

struct pattern pattern_of(const char *name, int ranks) {
  struct pattern pattern = {ranks, calloc((size_t)ranks * (size_t)ranks, 1)};
  if (strcmp(name, "halo") == 0)
    add_halo(&pattern);
  else if (strcmp(name, "power-law") == 0)
    add_power_law(&pattern);
  else
    add_matrix(&pattern, name);
  return pattern;
}
