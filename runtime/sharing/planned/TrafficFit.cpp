// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/TrafficFit.h"

#include "runtime/sharing/planned/Routes.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>

namespace sendwright::exchange {

namespace {

constexpr std::uint64_t fewestInstances = 4; ///< that a rank has executed before it doubts

/// Alternating patterns share one set of routes, and each has only some of its messages.
constexpr std::uint64_t mostPatterns = 16;

/// A plan whose messages are sent does what it is for, whatever else is sent.
bool isMisfit(const Routes::Fit &fit) {
  return (fit.others > fit.captured && 2 * fit.captured < fit.planned) ||
         mostPatterns * fit.captured < fit.planned;
}

} // namespace

bool TrafficFit::doubts() const {
  return std::ranges::any_of(routes, [&](const Routes &one) {
    return !isGivenUp[one.exchange()] && one.fit().instances >= fewestInstances &&
           isMisfit(one.fit());
  });
}

std::vector<std::size_t> TrafficFit::giveUpMisfits(const std::vector<std::uint64_t> &begun,
                                                   MPI_Comm world) {
  constexpr std::size_t numbers = 3;
  std::vector<std::uint64_t> own(numbers * isGivenUp.size()), all(own.size());
  for (Routes &one : routes) {
    const Routes::Fit &fit = one.fit();
    std::uint64_t *of = &own[numbers * one.exchange()];
    of[0] += fit.planned;
    of[1] += fit.captured;
    of[2] += fit.others;
    one.forgetFit();
  }
  MPI_Request request = MPI_REQUEST_NULL;
  if (PMPI_Iallreduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_SUM,
                      world, &request) != MPI_SUCCESS)
    return {}; // on all ranks
  waitForRequest(&request, MPI_STATUS_IGNORE, "a collective");
  std::vector<std::size_t> given;
  for (std::size_t exchange = 0; exchange < isGivenUp.size(); ++exchange) {
    const std::uint64_t *of = &all[numbers * exchange];
    if (isGivenUp[exchange] || !isMisfit({0, of[0], of[1], of[2]}))
      continue;
    isGivenUp[exchange] = true;
    given.push_back(exchange);
    for (Routes &one : routes)
      if (one.exchange() == exchange)
        one.endAt(begun[exchange]);
  }
  return given;
}

void TrafficFit::trust() {
  for (Routes &one : routes)
    if (one.fit().instances >= fewestInstances)
      one.forgetFit();
}

bool TrafficFit::isOver() const {
  return std::ranges::all_of(isGivenUp, [](char given) { return given != 0; });
}

} // namespace sendwright::exchange
