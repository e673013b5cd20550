// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process does for other ranks while a layer of the runtime waits. The waiting layer need
// not know who serves.

#ifndef SENDWRIGHT_RUNTIME_BASE_SERVINGOTHERS_H
#define SENDWRIGHT_RUNTIME_BASE_SERVINGOTHERS_H

namespace sendwright {

/// From here on serveOthers() calls `serve`; null: it does nothing. One layer at a time: message
/// sharing or strict buffers, which exclude one another.
void serveOthersBy(void (*serve)());

/// Whether a layer serves others.
bool servesOthers();

/// Receives, delivers and passes on what has arrived for others. Does not wait.
void serveOthers();

} // namespace sendwright

#endif
