// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SENDWRIGHT_VERIFY: a rewritten program measures what its plan gains on the user's own machine.
//
// Executions of each site take turns as written and as planned. Both give the same results, so the
// run is as good as any other. In MPI_Finalize rank 0 prints a table, and writes the file that
// `sendwright plan --verified` reads (docs/verifying-gains.md).
//
//   - *Who decides.* The kind of an execution is a function of the site and the number of the
//     execution (analysis/verification/ExecutionTurns.h), so all ranks decide alike without a
//     message.
//   - *As written* is what the program does without a plan. At an ordered loop the scope begins,
//     but captures nothing. A loop that is a collective operation is not replaced.
//   - *What is measured* is the time between the beginnings of successive executions, at each
//     rank: two readings of MPI_Wtime() would not see what a user waits for, which is the whole
//     iteration. Turns of different sites are independent, so what one site does is noise at the
//     others, and not a bias.
//   - *What is reported* is the mean over ranks of each turn, compared in pairs
//     (analysis/verification/MeasuredGain.h).
//
// A transformation takes part by RunTransformation::takeTurns. Without SENDWRIGHT_VERIFY, a site
// costs one test of a pointer in each execution.

#ifndef SENDWRIGHT_RUNTIME_VERIFICATION_VERIFICATION_H
#define SENDWRIGHT_RUNTIME_VERIFICATION_VERIFICATION_H

#include "runtime/batch/RunTransformation.h"

namespace sendwright {

/// After all transformations have begun. Collective over MPI_COMM_WORLD if SENDWRIGHT_VERIFY is
/// set, which it must be on all ranks or on no rank. `threadLevel` is the level that MPI provides.
void startVerification(int threadLevel, RunTransformations transformations);

} // namespace sendwright

#endif
