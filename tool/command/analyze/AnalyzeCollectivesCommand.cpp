// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright analyze collectives --ranks P --bytes N: what each algorithm for each collective
// operation costs on a machine, and which is best for which sizes.

#include "analysis/file/FigureText.h"
#include "tool/command/analyze/AnalyzeCommands.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/Escaping.h"
#include "analysis/schedules/Collectives.h"
#include "analysis/schedules/Crossovers.h"
#include "tool/command/base/JsonOutput.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

namespace {

/// Schedules for more ranks are not simulated: some have a message for each pair of ranks.
constexpr std::uint32_t mostSimulated = 1024;

struct CollectivesOptions {
  std::uint32_t ranks = 0;
  std::uint64_t bytes = 0;
  std::string machine;
  bool json = false;
};

struct AlgorithmResult {
  const CollectiveAlgorithm *algorithm;
  double seconds;
  std::optional<double> simulated;
  FormulaKind kind;
};

struct OperationResult {
  Collective operation;
  std::vector<AlgorithmResult> algorithms;
  const CollectiveAlgorithm *best;
  std::vector<SizeRange> ranges;
};

struct CollectivesResult {
  Machine machine;
  std::vector<OperationResult> operations;
};

/// Whether the formula is exact on this machine. Formulas assume a port for every message, and gaps
/// no longer than a message takes: where either assumption fails, an exact formula or a bound is
/// only approximate.
FormulaKind kindOn(const Machine &machine, std::uint32_t ranks, const AlgorithmResult &figures) {
  const FormulaKind kind = figures.algorithm->kind(ranks);
  if (machine.shared_ports && ranks > 1)
    return FormulaKind::Estimate;
  if (!figures.simulated || kind == FormulaKind::Estimate)
    return kind;
  constexpr double rounding = 1e-9;
  const double simulated = *figures.simulated;
  if (simulated > figures.seconds * (1 + rounding))
    return FormulaKind::Estimate;
  return kind == FormulaKind::Exact && simulated < figures.seconds * (1 - rounding)
             ? FormulaKind::Bound
             : kind;
}

CollectivesResult analyze(const CollectivesOptions &options) {
  CollectivesResult result;
  result.machine = options.machine.empty() ? defaultMachine() : readMachine(options.machine);
  const LinkParameters &link = linkOfGroup(result.machine, options.ranks);
  const CollectiveTask task{options.ranks, options.bytes, 0};
  for (Collective operation : allCollectives()) {
    OperationResult &one = result.operations.emplace_back();
    one.operation = operation;
    for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation)) {
      AlgorithmResult figures{&algorithm, algorithm.seconds(task, link), {}, {}};
      if (options.ranks <= mostSimulated) {
        const std::vector<double> done =
            simulateSchedule(algorithm.schedule(task, link, SlotsKept::No), result.machine);
        figures.simulated = *std::max_element(done.begin(), done.end());
      }
      figures.kind = kindOn(result.machine, options.ranks, figures);
      one.algorithms.push_back(figures);
    }
    one.best = &bestAlgorithm(operation, task, link);
    one.ranges = sizeRanges(operation, options.ranks, link);
  }
  return result;
}

const char *kindName(FormulaKind kind) {
  switch (kind) {
  case FormulaKind::Exact:
    return "exact";
  case FormulaKind::Bound:
    return "bound";
  case FormulaKind::Estimate:
    break;
  }
  return "estimate";
}

void printJson(const CollectivesOptions &options, const CollectivesResult &result) {
  nlohmann::ordered_json json;
  json["ranks"] = options.ranks;
  json["bytes"] = options.bytes;
  json["machine"] = result.machine.name;
  json["collectives"] = nlohmann::ordered_json::array();
  for (const OperationResult &one : result.operations) {
    nlohmann::ordered_json &entry = json["collectives"].emplace_back();
    entry["name"] = nameOf(one.operation);
    entry["best"] = one.best->name;
    for (const AlgorithmResult &figures : one.algorithms) {
      nlohmann::ordered_json row = {{"name", figures.algorithm->name},
                                    {"formula", figures.algorithm->formula},
                                    {"kind", kindName(figures.kind)},
                                    {"seconds", figures.seconds}};
      row["simulated_seconds"] =
          figures.simulated ? nlohmann::ordered_json(*figures.simulated) : nullptr;
      entry["algorithms"].push_back(row);
    }
    for (const SizeRange &range : one.ranges)
      entry["ranges"].push_back({{"from", range.first}, {"algorithm", range.best->name}});
  }
  writeJson(json);
}

void printOperation(const OperationResult &one) {
  std::printf("\n%s\n", std::string(nameOf(one.operation)).c_str());
  for (const AlgorithmResult &figures : one.algorithms) {
    const char *sign = figures.kind == FormulaKind::Exact   ? "= "
                       : figures.kind == FormulaKind::Bound ? "<="
                                                            : "~ ";
    const std::string simulated =
        figures.simulated ? formatted("%.3f", *figures.simulated * 1e6) : "-";
    std::printf("  %-31s %s %13.3f %13s %s %s\n", figures.algorithm->name.data(), sign,
                figures.seconds * 1e6, simulated.c_str(), figures.algorithm == one.best ? "*" : " ",
                figures.algorithm->formula.data());
  }
  if (one.ranges.size() == 1) {
    std::printf("  best for every size: %s\n", one.ranges[0].best->name.data());
    return;
  }
  std::printf("  best:");
  for (std::size_t index = 0; index < one.ranges.size(); ++index)
    std::printf("%s from %" PRIu64 " bytes %s", index == 0 ? "" : ",", one.ranges[index].first,
                one.ranges[index].best->name.data());
  std::printf("\n");
}

void printTable(const CollectivesOptions &options, const CollectivesResult &result) {
  std::printf(
      "%" PRIu32 " ranks, n = %" PRIu64 " bytes, machine: %s\n", options.ranks, options.bytes,
      result.machine.name.empty() ? "without a name" : printable(result.machine.name).c_str());
  std::printf("n: the whole message of broadcast, reduce, reduce-scatter, allreduce and scan, else "
              "the block of one rank\n");
  std::printf("T(n) = o_send + (n-1)G + L + o_recv, h(n) = max(o_send, g+(n-1)G), r(n) = "
              "max(o_recv, g+(n-1)G), d = ceil(log2 P)\n");
  std::printf("simulated times are equal to the formula (=), at most the formula (<=), or close to "
              "it (~)\n");
  if (result.machine.shared_ports)
    std::printf("messages share ports on this machine (shared_ports), which only the simulation "
                "models: the formulas are estimates\n");
  std::printf("\n");
  std::printf("  %-31s    %13s %13s\n", "", "formula, us", "simulated, us");
  for (const OperationResult &one : result.operations)
    printOperation(one);
}

} // namespace

void addAnalyzeCollectivesCommand(CLI::App &analyze) {
  CLI::App *command = analyze.add_subcommand(
      "collectives", "What each algorithm for a collective operation costs, and which is best");
  auto options = std::make_shared<CollectivesOptions>();
  command->add_option("--ranks", options->ranks, "Number of ranks")
      ->required()
      ->check(CLI::Range(1, 1 << 14));
  command
      ->add_option("--bytes", options->bytes,
                   "Bytes of the message, or of the block of one rank where every rank has its own")
      ->required()
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 40));
  command->add_option("--machine", options->machine,
                      "Machine file (default: a switched Gigabit Ethernet cluster)");
  command->add_flag("--json", options->json, "One JSON object instead of a table");
  command->callback([options] {
    const CollectivesResult result = sendwright::analyze(*options);
    options->json ? printJson(*options, result) : printTable(*options, result);
  });
}

} // namespace sendwright
