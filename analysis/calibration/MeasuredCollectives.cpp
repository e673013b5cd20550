// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/calibration/MeasuredCollectives.h"

#include "analysis/mpi/MpiFunctions.h"

#include <algorithm>
#include <map>

namespace sendwright {

std::string_view libraryFunctionOf(Collective operation) {
  return operation <= Collective::Reduce ? mpiFunction(operation).name : "";
}

namespace {

using Times = std::map<double, double>; // seconds by bytes

/// On the line through two rows; messages larger than both are not taken to be faster.
double onLine(Times::const_iterator lower, Times::const_iterator upper, double bytes) {
  const double slope = (upper->second - lower->second) / (upper->first - lower->first);
  return bytes > upper->first ? upper->second + (bytes - upper->first) * std::max(slope, 0.0)
                              : lower->second + (bytes - lower->first) * slope;
}

} // namespace

std::optional<double> measuredSeconds(const Machine &machine, Collective operation,
                                      std::uint32_t ranks, double bytes) {
  Times times;
  for (const MeasuredCollective &row : machine.measured_collectives)
    if (row.operation == nameOf(operation) && row.ranks == static_cast<int>(ranks))
      times[row.bytes] = row.seconds;
  if (times.empty())
    return {};
  if (bytes <= times.begin()->first)
    return times.begin()->second;
  if (times.size() < 2)
    return {};
  const auto upper = times.lower_bound(bytes);
  if (upper == times.end())
    return onLine(std::prev(upper, 2), std::prev(upper), bytes);
  const auto lower = std::prev(upper);
  if (upper->first == bytes || upper->second >= lower->second)
    return onLine(lower, upper, bytes);
  // Another algorithm begins somewhere between the two.
  return lower == times.begin() ? lower->second : onLine(std::prev(lower), lower, bytes);
}

} // namespace sendwright
