// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/schedules/MpiAlgorithms.h"

namespace sendwright {

namespace {

constexpr const char *variedAllToAll = "alltoallv";
constexpr const char *byTheFormulas = "fastest";
constexpr const char *pairwiseName = "pairwise";

const CollectiveAlgorithm *algorithmNamed(Collective operation, const std::string &name) {
  for (const auto *list : {&algorithmsOf(operation), &furtherAlgorithmsOf(operation)})
    for (const CollectiveAlgorithm &algorithm : *list)
      if (algorithm.name == name)
        return &algorithm;
  return nullptr;
}

} // namespace

std::vector<std::string> mpiOperationNames() {
  std::vector<std::string> names;
  for (const Collective operation : allCollectives())
    names.emplace_back(nameOf(operation));
  names.emplace_back(variedAllToAll);
  return names;
}

std::vector<std::string> mpiAlgorithmNames(const std::string &operation) {
  if (operation == variedAllToAll)
    return {"linear", pairwiseName};
  std::vector<std::string> names;
  for (const Collective candidate : allCollectives())
    if (nameOf(candidate) == operation) {
      names.emplace_back(byTheFormulas);
      for (const auto *list : {&algorithmsOf(candidate), &furtherAlgorithmsOf(candidate)})
        for (const CollectiveAlgorithm &algorithm : *list)
          names.emplace_back(algorithm.name);
    }
  return names;
}

const AlgorithmRow *mpiRow(const Machine &machine, const std::string &operation,
                           std::uint32_t ranks, std::uint64_t bytes) {
  const auto found = machine.collectives.find(operation);
  if (found == machine.collectives.end())
    return nullptr;
  const AlgorithmRow *best = nullptr;
  for (const AlgorithmRow &row : found->second) {
    if (static_cast<std::uint32_t>(row.ranks) > ranks || row.bytes > static_cast<double>(bytes))
      continue;
    if (!best || row.ranks > best->ranks || (row.ranks == best->ranks && row.bytes > best->bytes))
      best = &row;
  }
  return best;
}

const CollectiveAlgorithm &mpiAlgorithm(const Machine &machine, Collective operation,
                                        const CollectiveTask &task, const LinkParameters &link) {
  const AlgorithmRow *row = mpiRow(machine, std::string(nameOf(operation)), task.ranks, task.bytes);
  const CollectiveAlgorithm *named = row ? algorithmNamed(operation, row->algorithm) : nullptr;
  return named ? *named : bestAlgorithm(operation, task, link);
}

bool sendsInTurn(Collective operation) {
  return operation == Collective::Broadcast || operation == Collective::Scatter ||
         operation == Collective::Reduce || operation == Collective::Allreduce;
}

bool exchangesPairwise(const Machine &machine, std::uint32_t ranks) {
  const AlgorithmRow *row = mpiRow(machine, variedAllToAll, ranks, 0);
  return row && row->algorithm == pairwiseName;
}

const CollectiveAlgorithm &mpiPairwiseAllToAll() {
  return *algorithmNamed(Collective::AllToAll, pairwiseName);
}

} // namespace sendwright
