// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of an execution of a loop with a window, for the trial of how its messages leave
// (analysis/ordering/IssueTrial.h).

#ifndef SENDWRIGHT_RUNTIME_BATCH_TIMEDEXECUTION_H
#define SENDWRIGHT_RUNTIME_BATCH_TIMEDEXECUTION_H

#include "analysis/ordering/IssueTrial.h"

namespace sendwright {

/// How long an execution takes: from its first message until the program has waited for requests,
/// before it does anything else by MPI.
class TimedExecution {
public:
  bool isRunning() const { return trial != nullptr; }
  /// Messages of so many bytes are about to leave, the first or further ones. `of` is told of the
  /// time, and must live until then.
  void begin(IssueTrial &of, double bytesOfMessages);
  /// The program has waited.
  void noteWait();
  /// It does something else.
  void end();

private:
  IssueTrial *trial = nullptr;
  double bytes = 0;
  double began = 0, waited = 0; ///< seconds
};

} // namespace sendwright

#endif
