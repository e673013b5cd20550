// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright analyze sharing MATRIX: what each way to share messages makes of an exchange, and
// which way is the fastest.

#include "tool/command/analyze/AnalyzeCommands.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/Activity.h"
#include "analysis/file/Escaping.h"
#include "analysis/file/Limits.h"
#include "analysis/machine/Machine.h"
#include "analysis/sharing/routes/SharedPattern.h"
#include "analysis/sharing/search/Sharing.h"
#include "analysis/sharing/search/SharingMethod.h"
#include "tool/command/base/JsonOutput.h"
#include "tool/command/base/MethodOption.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace sendwright {

namespace {

constexpr std::int64_t mostItemBytes = std::int64_t{1} << 40;

struct SharingOptions {
  std::string matrix, machine, method;
  std::int64_t itemBytes = 8;
  bool json = false;
};

struct SharingResult {
  ExchangePattern pattern;
  Machine machine;
  std::int64_t itemBytes = 0;
  SharingAnalysis analysis;
  const SharedRoutes *selected = nullptr; ///< of `analysis`
};

/// Into `result`, whose analysis it points to.
void analyze(const SharingOptions &options, SharingResult &result) {
  if (options.matrix == "-" && options.machine == "-")
    throw CLI::ValidationError("MATRIX and --machine", "only one of them can be standard input");
  const Activity activity("sharing messages", options.matrix);
  result.pattern = patternOf(readMatrix(options.matrix));
  limits::sharedRanks.check(options.matrix, static_cast<std::uint64_t>(result.pattern.ranks));
  limits::sharedMessages.check(options.matrix, result.pattern.messages.size());
  result.machine = options.machine.empty() ? defaultMachine() : readMachine(options.machine);
  result.itemBytes = options.itemBytes;
  result.analysis =
      analyzeSharing(result.pattern, result.machine, static_cast<double>(options.itemBytes));
  const SharingMethod method = sharingMethodOf(options.method).value_or(SharingMethod());
  result.selected = routesOf(result.analysis, method);
  if (!result.selected)
    throw CLI::ValidationError("--method", options.method + " has no routes among " +
                                               std::to_string(result.pattern.ranks) + " ranks");
}

nlohmann::ordered_json jsonOf(const SharedRoutes &routes) {
  return {{"stages", routes.figures.stages},
          {"average_sends", routes.figures.averageSends},
          {"max_sends", routes.figures.maxSends},
          {"max_receives", routes.figures.maxReceives},
          {"max_load", routes.figures.maxLoad},
          {"max_hops", routes.figures.maxHops},
          {"volume_factor", routes.figures.volumeFactor},
          {"predicted_seconds", routes.seconds},
          {"verified", routes.verified}};
}

nlohmann::ordered_json jsonOf(const SharedRoutes &routes, const PhaseCounters &counters) {
  nlohmann::ordered_json json = jsonOf(routes);
  json["counter_max"] = counters.counterMax;
  json["counter_average"] = counters.counterAverage;
  json["union_max"] = counters.unionMax;
  json["union_average"] = counters.unionAverage;
  return json;
}

nlohmann::ordered_json jsonByStages(const std::vector<SharedRoutes> &methods) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const SharedRoutes &routes : methods)
    json[std::to_string(routes.table.stages)] = jsonOf(routes);
  return json;
}

void printJson(const SharingResult &result) {
  const SharingAnalysis &analysis = result.analysis;
  nlohmann::ordered_json json;
  json["ranks"] = result.pattern.ranks;
  json["messages"] = result.pattern.messages.size();
  json["item_bytes"] = result.itemBytes;
  json["machine"] = result.machine.name;
  json["direct"] = jsonOf(analysis.direct);
  json["phase1"] = jsonOf(analysis.phaseOne, analysis.phaseOneCounters);
  json["phase2"] = jsonOf(analysis.phaseTwo, analysis.phaseTwoCounters);
  json["store-and-forward"] = jsonByStages(analysis.storeAndForward);
  json["group-sharing"] = jsonByStages(analysis.groupSharing);
  json["selected"] = jsonOf(*result.selected);
  json["selected"]["method"] = result.selected->method;
  json["lower_bounds"] = {{"two_stages_max_sends", analysis.bounds.twoStagesSends},
                          {"two_stages_max_receives", analysis.bounds.twoStagesReceives},
                          {"two_stages_max_load", analysis.bounds.twoStagesLoad},
                          {"predicted_seconds", analysis.bounds.seconds}};
  writeJson(json);
}

void printRow(const SharedRoutes &routes) {
  const SharingFigures &figures = routes.figures;
  std::printf("%-34s %6d %9.2f %6lld %9lld %6lld %5d %7.3f %11.2f %9s\n", routes.method.c_str(),
              figures.stages, figures.averageSends, static_cast<long long>(figures.maxSends),
              static_cast<long long>(figures.maxReceives), static_cast<long long>(figures.maxLoad),
              figures.maxHops, figures.volumeFactor, routes.seconds * 1e6,
              routes.verified ? "yes" : "NO");
}

void printCounters(const char *name, const PhaseCounters &counters) {
  std::printf("%-34s %9.2f %6lld %16.2f %6lld\n", name, counters.counterAverage,
              static_cast<long long>(counters.counterMax), counters.unionAverage,
              static_cast<long long>(counters.unionMax));
}

void printTable(const SharingResult &result) {
  const SharingAnalysis &analysis = result.analysis;
  std::printf("%d ranks, %zu messages, items of %lld bytes; machine: %s\n\n", result.pattern.ranks,
              result.pattern.messages.size(), static_cast<long long>(result.itemBytes),
              printable(result.machine.name).c_str());
  std::printf("%-34s %6s %9s %6s %9s %6s %5s %7s %11s %9s\n", "combined messages of a rank",
              "stages", "avg sends", "max", "receives", "both", "hops", "volume", "predicted us",
              "delivers");
  printRow(analysis.direct);
  printRow(analysis.phaseOne);
  printRow(analysis.phaseTwo);
  for (const SharedRoutes &routes : analysis.storeAndForward)
    printRow(routes);
  for (const SharedRoutes &routes : analysis.groupSharing)
    printRow(routes);
  std::printf("\n%-34s %9s %6s %16s %6s\n", "sends as the thesis counts them", "avg", "max",
              "destinations avg", "max");
  printCounters("Phase I", analysis.phaseOneCounters);
  printCounters("Phases I and II", analysis.phaseTwoCounters);
  std::printf(
      "\nlower bounds: in two stages %lld sends, %lld receives, %lld of both at the busiest "
      "rank; in any number of stages %.2f us\n",
      static_cast<long long>(analysis.bounds.twoStagesSends),
      static_cast<long long>(analysis.bounds.twoStagesReceives),
      static_cast<long long>(analysis.bounds.twoStagesLoad), analysis.bounds.seconds * 1e6);
  const SharedRoutes &selected = *result.selected;
  std::printf("selected: %s, %.2f us; direct takes %.2f us\n", selected.method.c_str(),
              selected.seconds * 1e6, analysis.direct.seconds * 1e6);
}

} // namespace

void addAnalyzeSharingCommand(CLI::App &analyze) {
  CLI::App *command =
      analyze.add_subcommand("sharing", "Fewer messages at the busiest rank, through other ranks");
  auto options = std::make_shared<SharingOptions>();
  command
      ->add_option("MATRIX", options->matrix,
                   "Communication matrix: how many items each rank sends to each other rank (- for "
                   "standard input)")
      ->required();
  command->add_option("--item-bytes", options->itemBytes, "Bytes of an item")
      ->check(CLI::Range(std::int64_t{1}, mostItemBytes))
      ->capture_default_str();
  command->add_option("--machine", options->machine,
                      "Machine file for predicted times (default: built in)");
  addMethodOption(*command, options->method, "Select this method instead of the fastest");
  command->add_flag("--json", options->json, "One JSON object instead of a table");
  command->callback([options] {
    SharingResult result;
    sendwright::analyze(*options, result);
    options->json ? printJson(result) : printTable(result);
  });
}

} // namespace sendwright
