// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls through pointers, and of virtual functions, in a loop whose sends are held back. Only at
// run time is it known whether they lead to a function that a unit describes as ending without a
// wait outside MPI. Before any other function is called, all that is held leaves, and the rest of
// the scope runs as written.

#include "runtime/base/Interception.h"
#include "runtime/batch/Batch.h"
#include "runtime/batch/Reliances.h"

#include <new>

namespace sendwright {

namespace {

void onCall(sendwright_function function, const void *frame) noexcept {
  Batch *batch = currentBatch();
  if (!batch || !pthread_equal(pthread_self(), batch->thread) || batch->issuing())
    return;
  try {
    batch->endAbandoned(frame);
    if (!batch->capturing())
      return;
    checkReliancesOfLateUnits();
    if (function == batch->harmlessCall)
      return;
    const std::string problem = problemOfCall(function);
    if (problem.empty()) {
      batch->harmlessCall = function;
      return;
    }
    const sendwright_site &site = batch->stopCapturing();
    sayOnce("the loop %s:%u runs as written from a call on: %s", site.file, site.line,
            problem.c_str());
  } catch (...) { // no memory, or an error handler's exception: treat it as unknown
    if (batch->capturing())
      batch->stopCapturing();
  }
}

} // namespace

} // namespace sendwright

extern "C" __attribute__((visibility("default"))) void *sendwright_called(void *address) {
  if (sendwright_interception & sendwright::interceptBatch)
    sendwright::onCall(reinterpret_cast<sendwright_function>(address), __builtin_frame_address(0));
  return address;
}
