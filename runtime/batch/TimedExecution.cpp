// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/TimedExecution.h"

#include <mpi.h>

namespace sendwright {

void TimedExecution::begin(IssueTrial &of, double bytesOfMessages) {
  if (trial) {
    bytes += trial == &of ? bytesOfMessages : 0;
    return;
  }
  trial = &of;
  bytes = bytesOfMessages;
  began = waited = PMPI_Wtime();
}

void TimedExecution::noteWait() {
  if (trial)
    waited = PMPI_Wtime();
}

void TimedExecution::end() {
  if (!trial)
    return;
  if (bytes > 0)
    trial->add((waited - began) / bytes);
  trial = nullptr;
}

} // namespace sendwright
