// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_RUNTIME_BATCH_FLUSH_H
#define SENDWRIGHT_RUNTIME_BATCH_FLUSH_H

namespace sendwright {

/// Issues everything that open batches hold, in plan order; batches stay open. Does nothing if
/// nothing is held. Called from within itself (by an error handler), it starts what is not started
/// yet and returns. Errors go to the communicator's handler.
void flushBatches();

} // namespace sendwright

#endif
