// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/schedules/Collectives.h"

#include "analysis/schedules/CollectiveSteps.h"

namespace sendwright {

namespace {

struct KnownCollective {
  std::string_view name;
  std::vector<CollectiveAlgorithm> algorithms;
};

const std::vector<KnownCollective> &knownCollectives() {
  // In the order of the enumeration.
  static const std::vector<KnownCollective> table = {
      {"broadcast", broadcastAlgorithms()},
      {"scatter", scatterAlgorithms()},
      {"gather", gatherAlgorithms()},
      {"allgather", allgatherAlgorithms()},
      {"all-to-all", allToAllAlgorithms()},
      {"reduce", reduceAlgorithms()},
      {"reduce-scatter", reduceScatterAlgorithms()},
      {"allreduce", allreduceAlgorithms()},
      {"scan", scanAlgorithms()},
      {"barrier", barrierAlgorithms()},
  };
  return table;
}

} // namespace

const std::vector<CollectiveAlgorithm> &algorithmsOf(Collective operation) {
  return knownCollectives()[static_cast<std::size_t>(operation)].algorithms;
}

std::string_view nameOf(Collective operation) {
  return knownCollectives()[static_cast<std::size_t>(operation)].name;
}

std::string withArticle(Collective operation) {
  if (operation == Collective::Reduce)
    return "a reduction";
  const std::string name(nameOf(operation));
  return (name.front() == 'a' ? "an " : "a ") + name;
}

const std::vector<Collective> &allCollectives() {
  static const std::vector<Collective> all = [] {
    std::vector<Collective> list;
    list.reserve(knownCollectives().size());
    for (std::size_t index = 0; index < knownCollectives().size(); ++index)
      list.push_back(static_cast<Collective>(index));
    return list;
  }();
  return all;
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
