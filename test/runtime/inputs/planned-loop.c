/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See planned-loop.h. The log works because the runtime's calls of PMPI functions come to this
 * executable first, as any call between shared libraries does. */

#define _GNU_SOURCE
#include "planned-loop.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *plan;
static long plan_size;

static void load_plan(void) {
  const char *name = getenv("TEST_PLAN");
  FILE *file = name ? fopen(name, "rb") : NULL;
  if (plan || !file)
    return;
  fseek(file, 0, SEEK_END);
  plan_size = ftell(file);
  rewind(file);
  plan = malloc(plan_size + 1);
  if (fread(plan, 1, plan_size, file) != (size_t)plan_size)
    abort();
  fclose(file);
}

void register_planned(struct sendwright_site *site) {
  load_plan();
  struct sendwright_site **sites = malloc(sizeof *sites);
  struct sendwright_unit *unit = calloc(1, sizeof *unit);
  *sites = site;
  unit->version = SENDWRIGHT_RUNTIME_VERSION;
#ifdef MARKED_LOOPS
  unit->mode = SENDWRIGHT_UNIT_GENERATE;
#else
  unit->mode = SENDWRIGHT_UNIT_USE;
#endif
  unit->file = site->file;
  unit->sites = sites;
  unit->site_count = 1;
  unit->plan = plan;
  unit->plan_size = plan_size;
  sendwright_register(unit);
}

char issue_log[65536];
const void *issued_buffer;

__attribute__((unused)) static void note(const char *function, int destination,
                                         const void *buffer) {
  size_t length = strlen(issue_log);
  snprintf(issue_log + length, sizeof issue_log - length, "%s %d ", function, destination);
  issued_buffer = buffer;
}

void clear_log(void) { issue_log[0] = 0; }

void expect_log(const char *expected) {
  if (strcmp(issue_log, expected) == 0)
    return;
  fprintf(stderr, "rank %d issued '%s', expected '%s'\n", my_rank(), issue_log, expected);
  PMPI_Abort(MPI_COMM_WORLD, 1);
}

void expect_true(int condition, const char *text, const char *file, int line) {
  if (condition)
    return;
  fprintf(stderr, "%s:%d: rank %d: not true: %s\n", file, line, my_rank(), text);
  PMPI_Abort(MPI_COMM_WORLD, 1);
}

int my_rank(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int rank_count(void) {
  int size;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

#ifndef WITHOUT_LOG /* a benchmark needs the calls unchanged */

#define BLOCKING(NAME, WORD)                                                                       \
  int NAME(const void *b, int c, MPI_Datatype d, int p, int t, MPI_Comm m) {                       \
    int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = dlsym(RTLD_NEXT, #NAME);    \
    note(WORD, p, b);                                                                              \
    return next(b, c, d, p, t, m);                                                                 \
  }
BLOCKING(PMPI_Send, "send")
BLOCKING(PMPI_Bsend, "bsend")
BLOCKING(PMPI_Rsend, "rsend")
BLOCKING(PMPI_Ssend, "ssend")

#define NONBLOCKING(NAME, WORD)                                                                    \
  int NAME(const void *b, int c, MPI_Datatype d, int p, int t, MPI_Comm m, MPI_Request *r) {       \
    int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =              \
        dlsym(RTLD_NEXT, #NAME);                                                                   \
    note(WORD, p, b);                                                                              \
    return next(b, c, d, p, t, m, r);                                                              \
  }
NONBLOCKING(PMPI_Isend, "isend")
NONBLOCKING(PMPI_Ibsend, "ibsend")
NONBLOCKING(PMPI_Irsend, "irsend")
NONBLOCKING(PMPI_Issend, "issend")

/* Destinations of persistent requests, by handle; the latest wins. */
static struct {
  MPI_Request request;
  int destination;
  const void *buffer;
} persistent[4096];
static int persistent_count;

#define INITIALIZE(NAME)                                                                           \
  int NAME(const void *b, int c, MPI_Datatype d, int p, int t, MPI_Comm m, MPI_Request *r) {       \
    int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =              \
        dlsym(RTLD_NEXT, #NAME);                                                                   \
    int error = next(b, c, d, p, t, m, r);                                                         \
    int slot = persistent_count++ % 4096;                                                          \
    persistent[slot].request = error == MPI_SUCCESS ? *r : MPI_REQUEST_NULL;                       \
    persistent[slot].destination = p;                                                              \
    persistent[slot].buffer = b;                                                                   \
    return error;                                                                                  \
  }
INITIALIZE(PMPI_Send_init)
INITIALIZE(PMPI_Bsend_init)
INITIALIZE(PMPI_Rsend_init)

int PMPI_Start(MPI_Request *request) {
  int (*next)(MPI_Request *) = dlsym(RTLD_NEXT, "PMPI_Start");
  for (int back = 1; back <= persistent_count && back <= 4096; ++back) {
    int slot = (persistent_count - back) % 4096;
    if (persistent[slot].request == *request) {
      note("start", persistent[slot].destination, persistent[slot].buffer);
      break;
    }
  }
  return next(request);
}

#endif
