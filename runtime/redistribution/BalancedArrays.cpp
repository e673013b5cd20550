// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/BalancedArrays.h"

#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/Messages.h"
#include "runtime/redistribution/AlignedArrays.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace sendwright::redistribution {

namespace {

/// What is wrong with the program's memory for sizes, or "".
std::string problemOfChosen(const sendwright_dimension &said, std::int64_t rows) {
  if (!said.chosen || said.chosen_bytes >= 8 || rows >> (8 * said.chosen_bytes - 1) == 0)
    return "";
  return "balance writes sizes of up to " + std::to_string(rows) + " rows into integers of " +
         std::to_string(said.chosen_bytes) + " bytes, expected larger ones";
}

/// Why the rows of an array have no cost each; "" if they have.
std::string problemOfRows(const ArrayMove &move, unsigned dimension) {
  const Distribution &now = *move.before->distribution;
  for (std::size_t other = 0; other < now.dimensions(); ++other)
    if (other != dimension && now.dimension(other).processors() > 1)
      return "balance needs whole rows on each rank, but dimension " + std::to_string(other + 1) +
             " is divided";
  if (now.dimension(dimension).extent() > INT_MAX)
    return "balance over more than 2^31 rows, expected fewer";
  return "";
}

} // namespace

std::optional<unsigned> balancedDimension(const sendwright_distribution &to) {
  for (unsigned at = 0; at < std::min(to.dimensions, unsigned(SENDWRIGHT_DIMENSIONS)); ++at)
    if (to.dimension[at].kind == SENDWRIGHT_BALANCE)
      return at;
  return std::nullopt;
}

bool isMeasured(const sendwright_dimension &said) { return said.size_bytes == 0; }

std::int64_t rowsOf(const Distribution &distribution, int rank, unsigned dimension) {
  return distribution.placeOf(rank) < 0 ? 0 : distribution.localSize(rank, dimension);
}

std::vector<std::int64_t> presentSizes(const Distribution &now, unsigned dimension) {
  std::vector<std::int64_t> sizes;
  const DimensionDistribution &rows = now.dimension(dimension);
  for (int coordinate = 0; rows.contiguous() && coordinate < rows.processors(); ++coordinate)
    sizes.push_back(rows.localSize(coordinate));
  return sizes;
}

bool haveSameProcessors(const ArrayState &one, const ArrayState &other) {
  return one.grid == other.grid && one.firstRank == other.firstRank &&
         one.lastRank == other.lastRank && one.rankStride == other.rankStride;
}

std::string proposeBalanced(Proposal &proposal, const PrivateGroup &group,
                            std::span<sendwright_array *const> arrays,
                            const sendwright_processors *onto, unsigned dimension,
                            const sendwright_distribution &to) {
  proposal.followsLoad =
      isMeasured(to.dimension[dimension]) ? Proposal::Loads::Measured : Proposal::Loads::Said;
  std::string problem = addMoves(proposal, arrays, onto, to);
  if (problem.empty())
    problem = findProblem(proposal.moves, group.rank, group.ranks);
  if (!problem.empty())
    return problem;
  const ArrayMove &first = proposal.moves.front();
  problem = problemOfRows(first, dimension);
  if (problem.empty())
    problem = problemOfChosen(to.dimension[dimension], first.before->extents[dimension]);
  return problem.empty() ? "" : nameOf(*first.array) + ": " + problem;
}

std::int64_t bytesOfMove(const Proposal &proposal, unsigned dimension,
                         const std::vector<std::int64_t> &sizes, int ranks) {
  std::int64_t bytes = 0;
  const std::vector<std::shared_ptr<const Distribution>> then =
      distributionsWithSizes(proposal.moves, dimension, sizes);
  for (std::size_t at = 0; at < then.size(); ++at) {
    const ArrayMove &move = proposal.moves[at];
    bytes += largestPortLoad(messagesBetween(*move.before->distribution, *then[at]), ranks) *
             static_cast<std::int64_t>(move.array->element_size);
  }
  return bytes;
}

void becomeBlocks(sendwright_dimension &chosen, const std::vector<long long> &sizes) {
  chosen.kind = SENDWRIGHT_GEN_BLOCK;
  chosen.parameter = 0;
  chosen.sizes = sizes.data();
  chosen.size_bytes = sizeof(long long);
  chosen.sizes_signed = 1;
  chosen.size_count = static_cast<long long>(sizes.size());
}

void tellSize(const sendwright_dimension &said, std::size_t block, long long size) {
  char *at = static_cast<char *>(said.chosen) + block * said.chosen_bytes;
  const auto write = [&](auto number) { std::memcpy(at, &number, sizeof number); };
  switch (said.chosen_bytes) {
  case 1:
    return write(static_cast<std::int8_t>(size));
  case 2:
    return write(static_cast<std::int16_t>(size));
  case 4:
    return write(static_cast<std::int32_t>(size));
  default:
    return write(static_cast<std::int64_t>(size));
  }
}

} // namespace sendwright::redistribution
