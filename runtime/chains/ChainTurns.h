// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_RUNTIME_CHAINS_CHAINTURNS_H
#define SENDWRIGHT_RUNTIME_CHAINS_CHAINTURNS_H

#include "runtime/include/sendwright/runtime.h"

namespace sendwright::chains {

/// An execution of the chain begins, on the thread that calls MPI. Returns whether its exchanges
/// may overlap: false if the run verifies its plan, and the execution is to run as written.
bool overlapsInTurn(const sendwright_site &site) noexcept;

} // namespace sendwright::chains

#endif
