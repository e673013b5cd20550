// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/routes/SharingBounds.h"

#include <algorithm>
#include <cmath>

namespace sendwright {

namespace {

constexpr double roundingError = 1e-9;

bool reaches(std::int64_t messages, std::int64_t degree, int stages) {
  std::int64_t reached = 0, furthest = 1;
  for (int stage = 0; stage < stages && reached < degree; ++stage) {
    furthest = std::min(furthest * messages, degree);
    reached += furthest;
  }
  return reached >= degree;
}

double shortestTime(std::int64_t degree, double latency, double overhead) {
  double shortest = 0;
  for (int stages = 1; degree > 0 && (stages == 1 || (std::int64_t{1} << (stages - 1)) <= degree);
       ++stages) {
    const double sends = std::pow(static_cast<double>(degree + 1), 1.0 / stages) - 1;
    const double time = stages * (latency + overhead * sends);
    shortest = stages == 1 ? time : std::min(shortest, time);
  }
  return shortest;
}

} // namespace

std::int64_t fewestMessages(std::int64_t degree, int stages) {
  std::int64_t low = 0, high = degree;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (reaches(middle, degree, stages))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

SharingBounds sharingBounds(const ExchangePattern &pattern, const Machine &machine) {
  SharingBounds bounds;
  if (pattern.messages.empty())
    return bounds;
  std::vector<std::int64_t> sends(pattern.ranks), receives(pattern.ranks);
  for (const PatternMessage &message : pattern.messages) {
    ++sends[message.source];
    ++receives[message.destination];
  }
  const std::int64_t mostSends = *std::max_element(sends.begin(), sends.end());
  const std::int64_t mostReceives = *std::max_element(receives.begin(), receives.end());
  bounds.twoStagesSends = fewestMessages(mostSends, 2);
  bounds.twoStagesReceives = fewestMessages(mostReceives, 2);
  const double average = static_cast<double>(pattern.messages.size()) / pattern.ranks;
  bounds.twoStagesLoad =
      static_cast<std::int64_t>(std::ceil(2 * (std::sqrt(average + 1) - 1) - roundingError));
  const LinkParameters &between = machine.between;
  const LinkParameters &within = machine.within ? *machine.within : between;
  const double latency = std::min(between.L, within.L);
  bounds.seconds =
      std::max(shortestTime(mostSends, latency, std::min(between.o_send, within.o_send)),
               shortestTime(mostReceives, latency, std::min(between.o_recv, within.o_recv)));
  return bounds;
}

} // namespace sendwright
