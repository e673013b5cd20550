// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all ranks report when they do not agree: the first rank's problem, or where a rank differs
// from rank 0.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_FAILURE_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_FAILURE_H

#include "runtime/redistribution/Agreement.h"
#include "runtime/redistribution/ArrayState.h"

#include <string>

namespace sendwright::redistribution {

/// The text for all ranks: "rank R: what is wrong, what was expected". Collective, after a vote
/// that failed.
std::string explainFailure(const PrivateGroup &group, const Proposal &own, const Vote &result);

/// Calls the communicator's error handler with a code whose text is `text` after "sendwright:
/// redistribute at FILE:LINE: ". If the program has no handler of its own, the first rank also
/// prints the text; every rank prints what it `foundAlone`.
void reportFailure(MPI_Comm communicator, const sendwright_site *site, const std::string &text,
                   bool foundAlone = false);

} // namespace sendwright::redistribution

#endif
