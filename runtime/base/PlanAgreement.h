// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the ranks can follow a plan together: all processes of the job run this program, they
// hold the same plan, and it does not contradict itself. Otherwise, operations that need all ranks
// would wait forever.

#ifndef SENDWRIGHT_RUNTIME_BASE_PLANAGREEMENT_H
#define SENDWRIGHT_RUNTIME_BASE_PLANAGREEMENT_H

#include "runtime/include/sendwright/runtime.h"

#include <mpi.h>

#include <optional>
#include <span>
#include <string>

namespace sendwright {

/// Why nothing that needs all ranks may begin, or null: part of a sentence.
const char *jobObstacle();

/// Whether this rank knows that it may run a program other than rank 0's. If any rank does, the job
/// has several programs.
bool isOtherProgram();

/// What ranks compare to know that they hold the same plan: a number that stands for the header of
/// the unit's plan, whose checksums cover all of it. Constant time.
unsigned long long agreementDigest(const sendwright_unit &unit, unsigned long long seed = 0);

/// Why a rank begins nothing on which SENDWRIGHT_DISABLE is set, and why no rank does if it is set
/// on some. A launcher may set a variable on one node alone, so all ranks take part in agreements.
extern const char *const disabledHere, *const disabledOnSome;

/// Says once "REASON: OTHERWISE", unless SENDWRIGHT_DISABLE is set on all ranks: then nothing is
/// given up that anybody asked for.
void sayGivenUp(const char *reason, const char *otherwise);

/// Why the ranks cannot follow a plan together, or null: the same on all ranks. `digest` is the
/// plan's digest, `own` the reason why this rank cannot, or null. Collective over MPI_COMM_WORLD:
/// makes the private communicator if there is none yet, and takes one message of each rank for each
/// doubling of their number.
const char *disagreement(unsigned long long digest, const char *own);

/// The same for several uses of the plan: `own` has an obstacle or null for each use, and is
/// replaced by the result for all ranks. Each of `sums` is replaced by the sum over all ranks,
/// modulo 2^64. No more messages.
void disagreements(unsigned long long digest, std::span<const char *> own,
                   std::span<unsigned long long> sums = {});

/// Why no rank may follow the plan of `unit`, or null: its bytes may have changed since they were
/// compiled into the program. Only rank 0 reads what `find`, a function of Plan.h, needs; the
/// others, whose plans have the same digest, learn the result when all agree. The reason may be
/// stored in `text`, which the caller keeps.
const char *obstacleOfPlan(const sendwright_unit &unit,
                           std::optional<std::string> (*find)(const void *, std::size_t,
                                                              const std::string &, int),
                           std::string &text);

/// The reason that names several programs: part of a sentence.
extern const char *const jobOfSeveralPrograms;

} // namespace sendwright

#endif
