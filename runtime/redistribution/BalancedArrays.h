// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What directives with sizes that follow the load have in common, whether the program says what its
// rows cost (Balancing.h) or the runtime measures it (MeasuredBalancing.h).

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_BALANCEDARRAYS_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_BALANCEDARRAYS_H

#include "runtime/redistribution/ArrayState.h"
#include "runtime/redistribution/PrivateGroups.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sendwright::redistribution {

/// The dimension whose sizes follow the load.
std::optional<unsigned> balancedDimension(const sendwright_distribution &to);
/// Whether its loads are measured.
bool isMeasured(const sendwright_dimension &said);

/// Rows that a rank owns; 0 for ranks that are not among the processors.
std::int64_t rowsOf(const Distribution &distribution, int rank, unsigned dimension);
/// The present sizes, if they are blocks.
std::vector<std::int64_t> presentSizes(const Distribution &now, unsigned dimension);
bool haveSameProcessors(const ArrayState &one, const ArrayState &other);

/// Fills in what this rank proposes. Returns what is wrong with it, or "". Throws std::bad_alloc.
std::string proposeBalanced(Proposal &proposal, const PrivateGroup &group,
                            std::span<sendwright_array *const> arrays,
                            const sendwright_processors *onto, unsigned dimension,
                            const sendwright_distribution &to);
/// The bytes of the busiest port in a move of all arrays to blocks of these sizes. Throws
/// std::bad_alloc.
std::int64_t bytesOfMove(const Proposal &proposal, unsigned dimension,
                         const std::vector<std::int64_t> &sizes, int ranks);

/// Turns the format into gen_block of these sizes, which must outlive it.
void becomeBlocks(sendwright_dimension &chosen, const std::vector<long long> &sizes);
/// Writes the size of a block where the program wants it.
void tellSize(const sendwright_dimension &said, std::size_t block, long long size);

} // namespace sendwright::redistribution

#endif
