// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exit() from within a send loop: the program's exit handlers and the destructors of its static
// objects may free what is still to be sent, and end MPI. So the program's calls of exit come here
// first, and what is held is issued before the C library's exit runs. (An exit handler of the
// runtime would run after handlers that the program registered later.)

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
  _exit(status); // unreachable: there is always a next exit
}
