// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/Balancing.h"

#include "analysis/redistribution/BalancedBlocks.h"
#include "runtime/redistribution/BalancedArrays.h"
#include "runtime/redistribution/Failure.h"
#include "runtime/redistribution/Movement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

namespace sendwright::redistribution {

namespace {

constexpr int deciding = 0; ///< the rank that decides

/// What follows the sizes.
enum Verdict : long long { blocksMove, blocksStay, withoutMemory };

template <typename Number> double numberAt(const char *at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return static_cast<double>(number);
}

double costAt(const sendwright_dimension &costs, std::int64_t row) {
  const char *at = static_cast<const char *>(costs.sizes) + row * costs.size_bytes;
  const bool isSigned = costs.sizes_signed != 0;
  if (costs.sizes_signed == SENDWRIGHT_FLOATING)
    return costs.size_bytes == sizeof(float) ? numberAt<float>(at) : numberAt<double>(at);
  switch (costs.size_bytes) {
  case 1:
    return isSigned ? numberAt<std::int8_t>(at) : numberAt<std::uint8_t>(at);
  case 2:
    return isSigned ? numberAt<std::int16_t>(at) : numberAt<std::uint16_t>(at);
  case 4:
    return isSigned ? numberAt<std::int32_t>(at) : numberAt<std::uint32_t>(at);
  default:
    return isSigned ? numberAt<std::int64_t>(at) : numberAt<std::uint64_t>(at);
  }
}

/// What is wrong with this rank's costs, or "".
std::string problemOfCosts(const sendwright_dimension &costs, std::int64_t rows) {
  const std::string expected = ", expected one for each of this rank's " + std::to_string(rows);
  if (costs.size_count >= 0 && costs.size_count < rows)
    return "balance has " + std::to_string(costs.size_count) + " costs of rows" + expected;
  if (!costs.sizes && rows > 0)
    return "balance has a null pointer as costs of rows" + expected;
  for (std::int64_t row = 0; row < rows; ++row)
    if (const double cost = costAt(costs, row); !(cost >= 0) || std::isinf(cost))
      return "balance has a cost of " + std::to_string(cost) + " for row " + std::to_string(row) +
             " of this rank, expected costs of at least 0";
  return "";
}

} // namespace

std::string Balancing::propose(Proposal &proposal, std::span<sendwright_array *const> arrays,
                               const sendwright_processors *onto, unsigned dimension,
                               const sendwright_distribution &to) const {
  std::string problem = proposeBalanced(proposal, group, arrays, onto, dimension, to);
  if (!problem.empty())
    return problem;
  const ArrayMove &first = proposal.moves.front();
  problem = problemOfCosts(to.dimension[dimension],
                           rowsOf(*first.before->distribution, group.rank, dimension));
  return problem.empty() ? "" : nameOf(*first.array) + ": " + problem;
}

std::string Balancing::run(unsigned schedule, std::span<sendwright_array *const> arrays,
                           const sendwright_processors *onto, unsigned dimension,
                           sendwright_distribution &to) {
  begin = PMPI_Wtime();
  Proposal proposal;
  proposal.schedule = schedule;
  try {
    proposal.problem = propose(proposal, arrays, onto, dimension, to);
    if (proposal.problem.empty())
      prepare(proposal.moves.front(), dimension, to.dimension[dimension]);
  } catch (const std::bad_alloc &) {
    proposal.problem = "no memory for the costs of rows";
  }
  static const RankSchedule nothing;
  const Blocks none;
  Movement movement(group, nothing, none, site, 0);
  const Vote own = proposal.problem.empty() ? Vote::agreeing(proposal.digest().low64, 0)
                                            : Vote::problem(group.rank);
  const Vote result = movement.run(own, false);
  if (!result.passed())
    return explainFailure(group, proposal, result);
  collect(proposal.moves.front(), dimension);
  if (group.rank == deciding)
    try {
      decide(proposal, dimension);
    } catch (const std::bad_alloc &) {
      sizes.back() = withoutMemory;
    }
  announce();
  if (sizes.back() == withoutMemory)
    return "no memory for the costs of rows";
  staying = sizes.back() == blocksStay;
  sizes.pop_back();
  becomeBlocks(to.dimension[dimension], sizes);
  return "";
}

/// Does what needs memory on all ranks, and takes the costs of this rank's rows.
void Balancing::prepare(const ArrayMove &first, unsigned dimension,
                        const sendwright_dimension &costs) {
  const Distribution &now = *first.before->distribution;
  sizes.resize(static_cast<std::size_t>(first.after->grid.front()) + 1);
  own.resize(static_cast<std::size_t>(rowsOf(now, group.rank, dimension)));
  for (std::size_t row = 0; row < own.size(); ++row)
    own[row] = costAt(costs, static_cast<std::int64_t>(row));
  if (group.rank != deciding)
    return;
  int place = 0;
  for (int rank = 0; rank < group.ranks; ++rank) {
    counts.push_back(static_cast<int>(rowsOf(now, rank, dimension)));
    places.push_back(place);
    place += counts.back();
  }
  arrived.resize(static_cast<std::size_t>(place));
  all.resize(arrived.size());
}

/// Brings the costs of all rows to the rank that decides.
void Balancing::collect(const ArrayMove &first, unsigned dimension) {
  mpiError = PMPI_Gatherv(own.data(), static_cast<int>(own.size()), MPI_DOUBLE, arrived.data(),
                          counts.data(), places.data(), MPI_DOUBLE, deciding, group.communicator);
  const Distribution &now = *first.before->distribution;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    const double *next = arrived.data() + places[rank];
    double load = 0;
    if (counts[rank] > 0)
      now.dimension(dimension).forEachBlock(now.coordinate(static_cast<int>(rank), dimension),
                                            [&](std::int64_t from, std::int64_t to) {
                                              for (std::int64_t row = from; row < to; ++row)
                                                load += all[static_cast<std::size_t>(row)] =
                                                    *next++;
                                              return true;
                                            });
    loadNow = std::max(loadNow, load);
  }
}

/// Chooses the sizes, and whether the arrays move. Throws std::bad_alloc.
void Balancing::decide(const Proposal &proposal, unsigned dimension) {
  const ArrayMove &first = proposal.moves.front();
  const bool sameProcessors = haveSameProcessors(*first.before, *first.after);
  const std::vector<std::int64_t> present = presentSizes(*first.before->distribution, dimension);
  const BalancedBlocks balanced =
      balancedBlocks(all, static_cast<int>(first.after->grid.front()),
                     sameProcessors ? present : std::vector<std::int64_t>());
  std::copy(balanced.sizes.begin(), balanced.sizes.end(), sizes.begin());
  bytes = bytesOfMove(proposal, dimension, balanced.sizes, group.ranks);
  BalanceStakes stakes;
  stakes.loadNow = present.empty() ? loadNow : largestLoad(all, present);
  stakes.loadThen = balanced.largestLoad;
  stakes.period = first.before->balancedAt < 0 ? HUGE_VAL : begin - first.before->balancedAt;
  stakes.bytes = bytes;
  stakes.secondsPerByte = secondsPerByte = first.before->secondsPerByte;
  const bool areBlocks = !present.empty() && sameProcessors;
  sizes.back() = areBlocks && !movePays(stakes) ? blocksStay : blocksMove;
  if (sizes.back() == blocksStay)
    std::copy(present.begin(), present.end(), sizes.begin());
}

/// Tells all ranks.
void Balancing::announce() {
  const int error = PMPI_Bcast(sizes.data(), static_cast<int>(sizes.size()), MPI_LONG_LONG,
                               deciding, group.communicator);
  if (mpiError == MPI_SUCCESS)
    mpiError = error;
  begin = PMPI_Wtime();
}

void Balancing::finish(std::span<sendwright_array *const> arrays,
                       const sendwright_dimension &said) const {
  for (std::size_t block = 0; said.chosen && block < sizes.size(); ++block)
    tellSize(said, block, sizes[block]);
  const double now = PMPI_Wtime();
  const double measured =
      !staying && bytes > 0 ? (now - begin) / static_cast<double>(bytes) : secondsPerByte;
  for (sendwright_array *array : arrays)
    if (auto *state = static_cast<ArrayState *>(array->state)) {
      state->balancedAt = now;
      state->secondsPerByte = measured;
    }
}

} // namespace sendwright::redistribution
