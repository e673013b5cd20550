/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ranks that wait sleep instead of asking for messages all the time: yield-when-idle.c gives way,
 * but on a busy machine the core comes back only after all others had their turn, and on an idle
 * one waits cost a core. A rank that gave way several times in a row takes short naps, and is woken
 * at once. Loaded before MPICH or Open MPI (with mpi_yield_when_idle) by soak: many programs beside
 * other work. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { turns_before_naps = 8, nap_nanoseconds = 50000, busy_nanoseconds = 20000 };

static __thread unsigned idle;  /* turns in a row */
static __thread long long last; /* the end of the last of them */

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1000000000LL * time.tv_sec + time.tv_nsec;
}

static void give_way(void) {
  idle = now() - last < busy_nanoseconds ? idle + 1 : 0;
  if (idle < turns_before_naps)
    syscall(SYS_sched_yield);
  else
    nanosleep(&(struct timespec){0, nap_nanoseconds}, NULL);
  last = now();
}

int sched_yield(void) {
  give_way();
  return 0;
}

unsigned ucp_worker_progress(void *worker) {
  static unsigned (*next)(void *);
  if (!next)
    next = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = next(worker);
  if (events == 0)
    give_way();
  return events;
}
