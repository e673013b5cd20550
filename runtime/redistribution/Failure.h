// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all ranks say when they do not agree: the first rank's problem, or where a rank differs from
// rank 0.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_FAILURE_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_FAILURE_H

#include "runtime/redistribution/Agreement.h"
#include "runtime/redistribution/ArrayState.h"

#include <string>

namespace sendwright::redistribution {

/// The text for all ranks, "rank R: what is wrong, what was expected". Collective, after a vote
/// that did not pass.
std::string explainFailure(const PrivateGroup &group, const Proposal &own, const Vote &result);

/// Calls the communicator's error handler with a code of that text, after "sendwright: redistribute
/// at FILE:LINE: ". Where the program has no handler of its own, the first rank prints it, too.
void reportFailure(MPI_Comm communicator, const sendwright_site *site, const std::string &text);

} // namespace sendwright::redistribution

#endif
