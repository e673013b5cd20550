// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exit() from within a send loop: the program's exit handlers and the destructors of its static
// objects may free what is still to be sent, and end MPI. So the program's calls of exit come here
// first, where what is held is issued; then the C library's takes its course. (A handler of our own
// would run after those that the program registered later.)

#include "runtime/batch/Batch.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>

extern "C" __attribute__((visibility("default"), noreturn)) void exit(int status) noexcept {
  using namespace sendwright;
  const void *caller = __builtin_extract_return_addr(__builtin_return_address(0));
  if (Batch *batch = currentBatch();
      batch && pthread_equal(pthread_self(), batch->thread) && !isWithinMpi(caller))
    batch->endAll();
  using Exit = void (*)(int);
  if (const Exit next = reinterpret_cast<Exit>(dlsym(RTLD_NEXT, "exit")))
    next(status);
  _exit(status); // there is always a next one
}
