// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/schedules/Collectives.h"

#include "analysis/schedules/CollectiveSteps.h"

namespace sendwright {

namespace {

enum class Offer : std::uint8_t { Always, ToMpi };

struct ListedAlgorithm {
  Collective operation;
  Offer offer;
  const CollectiveAlgorithm *algorithm;
};

constexpr ListedAlgorithm listedAlgorithms[] = {
#define COLLECTIVE_ALGORITHM(operation, name) {Collective::operation, Offer::Always, &(name)},
#define FURTHER_ALGORITHM(operation, name) {Collective::operation, Offer::ToMpi, &(name)},
#ifdef SENDWRIGHT_WITH_TEST_ALGORITHMS
#define TEST_ALGORITHM(operation, name) {Collective::operation, Offer::Always, &(name)},
#else
#define TEST_ALGORITHM(operation, name)
#endif
#include "analysis/schedules/CollectiveAlgorithms.def"
};

using AlgorithmTable = std::vector<std::vector<CollectiveAlgorithm>>; // by operation

AlgorithmTable tableOf(Offer offer) {
  AlgorithmTable table(allCollectives().size());
  for (const ListedAlgorithm &listed : listedAlgorithms)
    if (listed.offer == offer)
      table[static_cast<std::size_t>(listed.operation)].push_back(*listed.algorithm);
  return table;
}

} // namespace

const std::vector<CollectiveAlgorithm> &algorithmsOf(Collective operation) {
  static const AlgorithmTable table = tableOf(Offer::Always);
  return table[static_cast<std::size_t>(operation)];
}

const std::vector<CollectiveAlgorithm> &furtherAlgorithmsOf(Collective operation) {
  static const AlgorithmTable table = tableOf(Offer::ToMpi);
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
