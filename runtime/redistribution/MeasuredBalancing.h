// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `redistribute A(balance(measured))`: blocks follow the time that each rank computed since the
// last directive for A. The ranks meet once, in a collective call in which each tells all others
// what it computed and that it can move. From then on all know the same and choose the same
// (analysis/redistribution/MeasuredBalance.h). Where they choose to move, an ordinary
// redistribution to gen_block follows, with its own agreement. Where meetings gain nothing, all
// ranks pass the same number of directives without one.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_MEASUREDBALANCING_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_MEASUREDBALANCING_H

#include "analysis/redistribution/MeasuredBalance.h"
#include "runtime/redistribution/ArrayState.h"
#include "runtime/redistribution/MeasuredCalls.h"
#include "runtime/redistribution/PrivateGroups.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sendwright::redistribution {

/// What is known about the load of an array's rows.
struct MeasuredLoad {
  std::optional<MeasuredBalance> balance; ///< once the ranks have met
  unsigned dimension = 0;                 ///< of the rows
  PeriodBegin period;
  unsigned directives = 0;   ///< since the last meeting
  unsigned pass = 0;         ///< directives to come without a meeting
  double meeting = 0;        ///< seconds that the last meeting took this rank
  double secondsPerByte = 0; ///< of the last move
};

/// Begins to measure the load of the array, if its distribute directive says that it is followed.
/// Throws std::bad_alloc.
void beginMeasuring(const sendwright_site *site, ArrayState &state);

/// One directive on one rank. Its functions correspond to those of Balancing.
class MeasuredBalancing {
public:
  MeasuredBalancing(const PrivateGroup &group, const sendwright_site *site)
      : group(group), site(site) {}

  std::string run(unsigned schedule, std::span<sendwright_array *const> arrays,
                  const sendwright_processors *onto, unsigned dimension,
                  sendwright_distribution &to);
  bool stays() const { return staying; }
  static std::span<const double> costs() { return {}; } ///< the program says none
  int error() const { return mpiError; }
  void finish(std::span<sendwright_array *const> arrays, const sendwright_dimension &said);

private:
  /// What a rank tells all others.
  struct Report {
    std::uint64_t digest = 0;
    std::uint32_t able = 0;      ///< whether it has no problem
    std::uint32_t recording = 0; ///< whether it records a profile
    double seconds = 0;          ///< computed
    double meeting = 0, secondsPerByte = 0;
  };

  std::string prepare(Proposal &proposal, std::span<sendwright_array *const> arrays,
                      const sendwright_processors *onto, unsigned dimension,
                      const sendwright_distribution &to);
  std::string meet(const Proposal &proposal);
  void choose(MeasuredBalance &balance, const Proposal &proposal, unsigned dimension);
  void chooseElsewhere(MeasuredBalance &balance, const Proposal &proposal, unsigned dimension,
                       const MeasuredPeriod &period);

  const PrivateGroup &group;
  const sendwright_site *site;
  double begin = 0; ///< of the move
  MeasuredLoad *load = nullptr;
  std::vector<Report> reports; ///< by rank
  std::vector<char> room;      ///< that choosing needs, set aside while a rank can still say so
  std::vector<long long> sizes;
  bool staying = true, met = true;
  std::int64_t bytes = 0; ///< that the busiest port moves
  int mpiError = MPI_SUCCESS;
};

} // namespace sendwright::redistribution

#endif
