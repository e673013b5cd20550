// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/cost/MeasuredCollectives.h"

#include <algorithm>
#include <map>

namespace sendwright {

std::string_view libraryFunctionOf(Collective operation) {
  switch (operation) {
  case Collective::Broadcast:
    return "MPI_Bcast";
  case Collective::Scatter:
    return "MPI_Scatter";
  case Collective::Gather:
    return "MPI_Gather";
  case Collective::Allgather:
    return "MPI_Allgather";
  case Collective::AllToAll:
    return "MPI_Alltoall";
  case Collective::Reduce:
    return "MPI_Reduce";
  default:
    return "";
  }
}

std::optional<double> measuredSeconds(const Machine &machine, Collective operation,
                                      std::uint32_t ranks, double bytes) {
  std::map<double, double> times; // by bytes
  for (const MeasuredCollective &row : machine.measured_collectives)
    if (row.operation == nameOf(operation) && row.ranks == static_cast<int>(ranks))
      times[row.bytes] = row.seconds;
  if (times.empty())
    return {};
  if (bytes <= times.begin()->first)
    return times.begin()->second;
  if (times.size() < 2)
    return {};
  auto upper = times.lower_bound(bytes);
  const bool beyond = upper == times.end();
  if (beyond)
    --upper;
  const auto lower = std::prev(upper);
  const double slope = (upper->second - lower->second) / (upper->first - lower->first);
  // Larger messages are not taken to be faster than the largest measured ones.
  return beyond ? upper->second + (bytes - upper->first) * std::max(slope, 0.0)
                : lower->second + (bytes - lower->first) * slope;
}

} // namespace sendwright
