// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the ranks can follow a plan together: all processes of the job run this program, they
// hold the same plan, and it does not contradict itself. What all ranks must take part in would
// wait forever otherwise.

#ifndef SENDWRIGHT_RUNTIME_BASE_PLANAGREEMENT_H
#define SENDWRIGHT_RUNTIME_BASE_PLANAGREEMENT_H

#include "runtime/include/sendwright/runtime.h"

#include <mpi.h>

#include <optional>
#include <span>
#include <string>

namespace sendwright {

/// Why nothing may be begun that needs all ranks, or null: part of a sentence.
const char *jobObstacle();

/// Whether this rank knows that it runs another program than rank 0 may. Where any does, the job
/// has several.
bool isOtherProgram();

/// Whether the ranks, all of which ask this, run more than one program. Collective.
bool severalPrograms(MPI_Comm communicator);

/// Why the ranks cannot follow a plan together, or null: all of them get the same. `digest` is that
/// of the plan, `own` why this rank cannot, or null. Collective over MPI_COMM_WORLD: one reduction.
const char *disagreement(unsigned long long digest, const char *own);

/// The same for several uses of the plan: `own` has an obstacle or null for each, and gets what all
/// ranks get. Still one reduction.
void disagreements(unsigned long long digest, std::span<const char *> own);

/// Why nobody may follow the plan of `unit`, or null: its bytes may have been changed since they
/// were compiled into the program. Rank 0 looks at the parts of all ranks for that; the others,
/// whose plans have its digest, hear of it in the reduction. `find` is a function of Plan.h; the
/// reason may be in `text`, which the caller keeps.
const char *obstacleOfPlan(const sendwright_unit &unit,
                           std::optional<std::string> (*find)(const void *, std::size_t,
                                                              const std::string &, int),
                           std::string &text);

/// What to say of several programs: part of a sentence.
extern const char *const jobOfSeveralPrograms;

} // namespace sendwright

#endif
