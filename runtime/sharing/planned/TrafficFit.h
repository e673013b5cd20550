// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether loops send what the plan has for them. A plan from a run with another input may have
// other messages for a loop than this run sends: then its combined messages travel nearly empty
// beside the messages themselves. All ranks find this out at a meeting before a collective call on
// the world, and give up the routes of such exchanges for good.
//
// A rank that doubts says so when the ranks meet. If any does, all ranks add up what they have
// sent.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_TRAFFICFIT_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_TRAFFICFIT_H

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace sendwright::exchange {

class Routes;

class TrafficFit {
public:
  /// `routes`: this rank's parts of the plan's exchanges, of which there are `exchanges`. They must
  /// outlive it.
  TrafficFit(std::deque<Routes> &routes, std::size_t exchanges)
      : routes(routes), isGivenUp(exchanges) {}

  /// Whether the messages of this rank in some exchange are mostly not the plan's.
  bool doubts() const;
  /// Gives up the exchanges in which most messages of all ranks are not the plan's: no instance of
  /// them begins any more. `begun`: the largest number of instances of each exchange that any rank
  /// has begun. All ranks call it together; `world` is a communicator of the runtime's with all of
  /// them. Returns those that it has given up now.
  std::vector<std::size_t> giveUpMisfits(const std::vector<std::uint64_t> &begun, MPI_Comm world);
  /// No rank doubts: only later executions count from here on, if there were enough to see.
  void trust();
  /// Whether all exchanges are given up; the same on all ranks.
  bool isOver() const;

private:
  std::deque<Routes> &routes;
  std::vector<char> isGivenUp; ///< by exchange
};

} // namespace sendwright::exchange

#endif
