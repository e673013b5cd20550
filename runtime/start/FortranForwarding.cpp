// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/start/FortranForwarding.h"

#include "runtime/base/Communicators.h"
#include "runtime/collectives/Collectives.h"
#include "runtime/irregular/IrregularCollectives.h"
#include "runtime/recording/RecordedCall.h"
#include "runtime/strict/StrictBuffers.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace sendwright {

constinit thread_local int fortranCalls = 0;

FortranFunction fortranTarget(std::atomic<FortranFunction> &target, const char *name,
                              const char *twin) {
  FortranFunction function = target.load(std::memory_order_acquire);
  if (__builtin_expect(!function, 0)) {
    function = reinterpret_cast<FortranFunction>(dlsym(RTLD_DEFAULT, twin));
    for (const char *const *library = fortranLibraries; !function && *library; ++library)
      // Global, so that MPI_IN_PLACE and similar symbols are those of the executable.
      if (void *handle = dlopen(*library, RTLD_LAZY | RTLD_GLOBAL))
        function = reinterpret_cast<FortranFunction>(dlsym(handle, twin));
    if (!function) {
      std::fprintf(stderr, "sendwright: %s is called, but no MPI Fortran library is linked\n",
                   name);
      std::abort();
    }
    target.store(function, std::memory_order_release);
  }
  return function;
}

void beforeFortranForgets(const MPI_Fint *communicator) {
  beforeFortranCall();
  const MPI_Comm handle = PMPI_Comm_f2c(*communicator);
  forgetCommunicator(handle);
  if (sendwright_interception & interceptRecording)
    sendwright::dropCommunicator(handle); // the recorder's function
  if (sendwright_interception & interceptStrict)
    strict::dropCommunicator(handle);
}

void beforeFortranFrees(const MPI_Fint *communicator) {
  beforeFortranForgets(communicator);
  if (sendwright_interception & interceptCollectives)
    collectives::dropCommunicator(PMPI_Comm_f2c(*communicator));
  if (sendwright_interception & interceptIrregular)
    irregular::dropCommunicator(PMPI_Comm_f2c(*communicator));
}

} // namespace sendwright
