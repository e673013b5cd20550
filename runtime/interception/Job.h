// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether all processes of the job run this program: what all ranks must take part in waits forever
// otherwise.

#ifndef SENDWRIGHT_RUNTIME_INTERCEPTION_JOB_H
#define SENDWRIGHT_RUNTIME_INTERCEPTION_JOB_H

#include <mpi.h>

namespace sendwright {

/// Why nothing may be begun that needs all ranks, or null: part of a sentence.
const char *jobObstacle();

/// Whether this rank knows that it runs another program than rank 0 may. Where any does, the job
/// has several.
bool isOtherProgram();

/// Whether the ranks, all of which ask this, run more than one program. Collective.
bool severalPrograms(MPI_Comm communicator);

/// What to say then: part of a sentence.
extern const char *const jobOfSeveralPrograms;

} // namespace sendwright

#endif
