// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/schedules/Collectives.h"

#include "analysis/schedules/CollectiveSteps.h"

namespace sendwright {

const std::vector<CollectiveAlgorithm> &algorithmsOf(Collective operation) {
  // In the order of the enumeration.
  static const std::vector<std::vector<CollectiveAlgorithm>> table = {
      broadcastAlgorithms(), scatterAlgorithms(), gatherAlgorithms(),        allgatherAlgorithms(),
      allToAllAlgorithms(),  reduceAlgorithms(),  reduceScatterAlgorithms(), allreduceAlgorithms(),
      scanAlgorithms(),      barrierAlgorithms(),
  };
  return table[static_cast<std::size_t>(operation)];
}

const CollectiveAlgorithm &bestAlgorithm(Collective operation, const CollectiveTask &task,
                                         const LinkParameters &link) {
  const std::vector<CollectiveAlgorithm> &algorithms = algorithmsOf(operation);
  const CollectiveAlgorithm *best = &algorithms.front();
  double least = best->seconds(task, link);
  for (const CollectiveAlgorithm &algorithm : algorithms) {
    const double seconds = algorithm.seconds(task, link);
    if (seconds < least * (1 - 1e-9)) { // rounding is no advantage
      best = &algorithm;
      least = seconds;
    }
  }
  return *best;
}

} // namespace sendwright
