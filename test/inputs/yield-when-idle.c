/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MPICH over UCX has no way to let a waiting rank give way to others on its core: 24 ranks on
 * two cores take ten times as long as they need. Loaded before MPICH, this library gives way
 * whenever a check for messages finds none. For tests and examples, which start more ranks than
 * there are cores. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker) {
  static unsigned (*next)(void *);
  if (!next)
    next = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = next(worker);
  if (events == 0)
    sched_yield();
  return events;
}
