// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/MeasuredBalancing.h"

#include "analysis/redistribution/BalancedBlocks.h"
#include "runtime/base/ServingOthers.h"
#include "runtime/recording/Recorder.h"
#include "runtime/redistribution/BalancedArrays.h"
#include "runtime/redistribution/Failure.h"

#include <algorithm>
#include <new>

namespace sendwright::redistribution {

namespace {

/// Rows by processor, in order of the processors.
std::vector<RowRange> ownersOf(const Distribution &now, unsigned dimension) {
  std::vector<RowRange> owners;
  for (int place = 0; place < now.processors(); ++place)
    now.dimension(dimension).forEachBlock(now.coordinate(now.rankAt(place), dimension),
                                          [&](std::int64_t from, std::int64_t to) {
                                            owners.push_back({from, to, std::size_t(place)});
                                            return true;
                                          });
  return owners;
}

} // namespace

void beginMeasuring(const sendwright_site *site, ArrayState &state) {
  int initialized = 0;
  PMPI_Initialized(&initialized);
  if (!site || !(site->flags & SENDWRIGHT_SITE_MEASURED) || !initialized)
    return;
  measureCalls();
  state.load = std::make_unique<MeasuredLoad>();
  state.load->period.setNow();
}

/// Checks what this rank proposes, and does everything that needs memory. Returns what is wrong.
std::string MeasuredBalancing::prepare(Proposal &proposal,
                                       std::span<sendwright_array *const> arrays,
                                       const sendwright_processors *onto, unsigned dimension,
                                       const sendwright_distribution &to) {
  try {
    reports.resize(static_cast<std::size_t>(group.ranks));
    std::string problem = proposeBalanced(proposal, group, arrays, onto, dimension, to);
    if (!problem.empty())
      return problem;
    const ArrayState &now = *proposal.moves.front().before;
    const auto rows = static_cast<std::size_t>(now.extents[dimension]);
    const auto processors =
        static_cast<std::size_t>(std::max(now.grid.front(), proposal.moves.front().after->grid[0]));
    sizes.resize(processors);
    if (!load->balance || load->dimension != dimension)
      load->balance.emplace(now.extents[dimension], static_cast<int>(now.grid.front()));
    else if (load->balance->processors() != static_cast<std::size_t>(now.grid.front()))
      load->balance->moveOnto(static_cast<int>(now.grid.front()));
    load->dimension = dimension;
    room.resize((rows + 64 * (processors + reports.size()) * arrays.size()) * sizeof(double));
    return "";
  } catch (const std::bad_alloc &) {
    return "no memory for the loads of rows";
  }
}

std::string MeasuredBalancing::run(unsigned schedule, std::span<sendwright_array *const> arrays,
                                   const sendwright_processors *onto, unsigned dimension,
                                   sendwright_distribution &to) {
  auto *first = static_cast<ArrayState *>(arrays.front()->state); // not null
  measureCalls();
  if (!first->load)
    first->load.reset(new (std::nothrow) MeasuredLoad);
  load = first->load.get();
  if (load)
    ++load->directives;
  if (load && load->pass > 0 && !onto && first->distribution) {
    --load->pass;
    met = false;
    return "";
  }
  Proposal proposal;
  proposal.schedule = schedule;
  proposal.problem =
      load ? prepare(proposal, arrays, onto, dimension, to) : "no memory for the loads of rows";
  if (std::string problem = meet(proposal); !problem.empty() || mpiError != MPI_SUCCESS)
    return problem;
  room = {};
  if (load && load->balance) // or there would be a problem
    choose(*load->balance, proposal, dimension);
  if (!staying)
    becomeBlocks(to.dimension[dimension], sizes);
  begin = PMPI_Wtime();
  return "";
}

/// Tells all ranks what this one proposes and computed. Returns what is wrong on any of them.
std::string MeasuredBalancing::meet(const Proposal &proposal) {
  Report own;
  own.able = proposal.problem.empty();
  own.digest = own.able ? proposal.digest().low64 : 0;
  own.recording = recorder() != nullptr;
  if (load) {
    own.seconds = load->period.computed();
    own.meeting = load->meeting;
    own.secondsPerByte = load->secondsPerByte;
  }
  serveBeforeCollective(group.communicator);
  const double start = PMPI_Wtime();
  mpiError = PMPI_Allgather(&own, sizeof own, MPI_BYTE, reports.data(), sizeof own, MPI_BYTE,
                            group.communicator);
  if (load)
    load->meeting = PMPI_Wtime() - start;
  if (mpiError != MPI_SUCCESS)
    return "";
  Vote result = Vote::problem(INT_MAX);
  for (int rank = 0; rank < group.ranks; ++rank) {
    const Report &report = reports[static_cast<std::size_t>(rank)];
    result.combine(report.able ? Vote::agreeing(report.digest, 0) : Vote::problem(rank));
  }
  return result.passed() ? "" : explainFailure(group, proposal, result);
}

/// Chooses what all ranks choose.
void MeasuredBalancing::choose(MeasuredBalance &balance, const Proposal &proposal,
                               unsigned dimension) {
  const ArrayMove &first = proposal.moves.front();
  const Distribution &now = *first.before->distribution;
  const std::vector<RowRange> owners = ownersOf(now, dimension);
  const std::vector<std::int64_t> present = presentSizes(now, dimension);
  std::vector<double> seconds;
  seconds.reserve(static_cast<std::size_t>(now.processors()));
  for (int place = 0; place < now.processors(); ++place)
    seconds.push_back(reports[static_cast<std::size_t>(now.rankAt(place))].seconds);
  MeasuredPeriod period{owners, seconds, present, load->directives, reports.front().meeting, 0, {}};
  bool recording = false;
  for (const Report &report : reports) {
    period.meeting = std::min(period.meeting, report.meeting);
    period.secondsPerByte = std::max(period.secondsPerByte, report.secondsPerByte);
    recording = recording || report.recording != 0;
  }
  period.bytes = [&](std::span<const std::int64_t> proposed) {
    return bytesOfMove(proposal, dimension, {proposed.begin(), proposed.end()}, group.ranks);
  };
  load->directives = 0;
  if (!haveSameProcessors(*first.before, *first.after))
    return chooseElsewhere(balance, proposal, dimension, period);
  const MeasuredChoice choice = balance.after(period);
  load->pass = recording ? 0 : choice.pass; // a profile has every directive's load
  staying = !choice.moves;
  bytes = choice.bytes;
  sizes.assign(choice.sizes.begin(), choice.sizes.end());
}

/// Other processors begin anew, with what is known about the rows.
void MeasuredBalancing::chooseElsewhere(MeasuredBalance &balance, const Proposal &proposal,
                                        unsigned dimension, const MeasuredPeriod &period) {
  balance.learn(period);
  const int processors = static_cast<int>(proposal.moves.front().after->grid.front());
  const BalancedBlocks best = balancedBlocks(balance.costs(), processors);
  balance.moveOnto(processors);
  load->pass = 0;
  staying = false;
  bytes = bytesOfMove(proposal, dimension, best.sizes, group.ranks);
  sizes.assign(best.sizes.begin(), best.sizes.end());
}

void MeasuredBalancing::finish(std::span<sendwright_array *const> arrays,
                               const sendwright_dimension &said) {
  if (met) {
    if (!staying && bytes > 0)
      load->secondsPerByte = (PMPI_Wtime() - begin) / static_cast<double>(bytes);
    load->period.setNow();
  } else if (said.chosen) {
    const auto &state = *static_cast<const ArrayState *>(arrays.front()->state);
    for (int place = 0; place < state.distribution->processors(); ++place)
      tellSize(said, static_cast<std::size_t>(place),
               rowsOf(*state.distribution, state.distribution->rankAt(place), load->dimension));
  }
  for (std::size_t block = 0; said.chosen && block < sizes.size(); ++block)
    tellSize(said, block, sizes[block]);
}

} // namespace sendwright::redistribution
