// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a redistribution moves: the arrays that it names, and the arrays that are aligned with
// these, directly or through others. Each aligned array gets the distribution that follows from the
// one with which it is aligned (analysis/redistribution/Alignment.h), and is otherwise a move like
// any other.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_ALIGNEDARRAYS_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_ALIGNEDARRAYS_H

#include "runtime/redistribution/ArrayState.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sendwright::redistribution {

/// Adds the moves of a redistribution to the proposal. Every move stands behind that of the array
/// with which it is aligned. Returns what is wrong, or "". Throws std::bad_alloc.
std::string addMoves(Proposal &proposal, std::span<sendwright_array *const> arrays,
                     const sendwright_processors *onto, const sendwright_distribution &to);

/// The same for arrays that are moved to where `with` lies.
std::string addRealignments(Proposal &proposal, std::span<sendwright_array *const> arrays,
                            const sendwright_array &with, const sendwright_distribution &as);

/// The distributions after the moves, where the first array, and others that no other move carries
/// along, get these sizes in one dimension. By move. Throws FormatError, std::bad_alloc.
std::vector<std::shared_ptr<const Distribution>>
distributionsWithSizes(const std::vector<ArrayMove> &moves, unsigned dimension,
                       const std::vector<std::int64_t> &sizes);

/// The state of an array that is aligned. Null if `with` is not distributed. Throws std::bad_alloc.
std::unique_ptr<ArrayState> aligned(const sendwright_site *site, const sendwright_array &with,
                                    const sendwright_distribution &as);

/// Lets the array, which has a state, move with `with` from now on. Throws std::bad_alloc before
/// anything changes.
void link(sendwright_array &array, sendwright_array &with,
          std::vector<AlignedDimension> dimensions);
/// Ends what the array is aligned with.
void unlink(sendwright_array &array);
/// Ends what is aligned with the array; it stays where it is.
void release(sendwright_array &array);

/// The dimensions as a directive says them.
std::vector<AlignedDimension> alignedDimensions(const sendwright_distribution &as);

} // namespace sendwright::redistribution

#endif
