// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright analyze epochs TRACE: how many message buffers a run needs, and where its ranks must
// synchronise so that a given number suffices.

#include "tool/command/analyze/AnalyzeCommands.h"
#include "tool/command/analyze/EpochChart.h"
#include "tool/command/analyze/EpochListReport.h"
#include "tool/command/show/EpochReport.h"

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/epochs/EpochList.h"
#include "analysis/file/Activity.h"
#include "analysis/file/Container.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Limits.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/file/OutputFile.h"
#include "analysis/trace/RunSize.h"
#include "analysis/trace/TextTrace.h"
#include "tool/command/base/JsonOutput.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

namespace {

struct EpochOptions {
  std::string trace, buffers, boundaries, graph;
  std::optional<std::uint64_t> epoch; // the one to draw
  bool listed = false;
  std::uint64_t calls = limits::followedCalls.most;
  bool json = false;
};

void printJson(const Profile &profile, const EpochAnalysis &result,
               const std::optional<EpochList> &list) {
  nlohmann::ordered_json json;
  json["ranks"] = result.graph.ranks();
  json["events"] = result.events();
  json["messages"] = result.graph.messages;
  json["epochs"] = result.figures.epochs;
  json["complex_epochs"] = result.figures.complexEpochs;
  json["super_epochs"] = result.superEpochs.count;
  json["buffers"] = result.figures.buffers;
  json["whole_program_buffers"] = result.figures.wholeProgramBuffers;
  json["synchronizations"] = {{"full", result.superEpochs.full},
                              {"partial", result.superEpochs.partial},
                              {"component", result.superEpochs.component}};
  json["allocation"] = result.buffers;
  json["safe_without_buffers"] = result.safeWithoutBuffers();
  json["wildcard_receives"] = result.graph.wildcardReceives;
  nlohmann::ordered_json &places = json["places"] = nlohmann::ordered_json::array();
  for (const PlaceCount &place : placesInNeed(profile, result))
    places.push_back({{"place", place.name}, {"messages", place.count}});
  if (list)
    addEpochLists(json, profile, result, *list);
  writeJson(json);
}

void writeGraph(const EpochOptions &options, const std::string &name, const Profile &profile,
                const EpochAnalysis &result, const EpochList &list) {
  const std::uint64_t epoch = options.epoch.value_or(largestEpoch(list).value_or(0));
  if (epoch >= list.epochs.size())
    throw FormatError(name + ": " +
                      (list.epochs.empty()
                           ? "no epoch sends a message, expected one to draw"
                           : "no epoch " + std::to_string(epoch) + ", expected 0 to " +
                                 std::to_string(list.epochs.size() - 1)));
  limits::drawnVertices.check(name + ": epoch " + std::to_string(epoch),
                              verticesOf(list.epochs[epoch]));
  writeWholeFile(options.graph, epochSvg(profile, result, list, epoch));
}

void analyze(const EpochOptions &options) {
  const std::string name = options.trace == "-" ? "<stdin>" : options.trace;
  std::optional<Activity> activity(std::in_place, "reading", name);
  const std::string bytes = readTextFile(options.trace);
  const bool binary = guessFileKind(bytes) != FileGuess::Other;
  const Profile profile =
      binary ? decodeProfile(bytes.data(), bytes.size(), name) : parseTextTrace(bytes, name);
  limits::followedCalls.raisedTo(options.calls).check(name, runCost(profile));
  activity.emplace("finding its epochs", name);
  const TraceLocation locate(name, profile, binary ? std::string_view() : bytes);
  std::vector<std::uint32_t> buffers;
  if (!options.buffers.empty())
    buffers = parseBuffers(options.buffers, "--buffers");
  const bool totals = options.boundaries.empty() && options.graph.empty() && !options.listed;
  const EpochAnalysis result = analyzeEpochs(
      profile, locate, std::move(buffers), totals ? EpochDetail::Totals : EpochDetail::Everything);
  if (!options.boundaries.empty()) {
    OutputFile output(options.boundaries);
    formatBoundaries(result, [&](std::string_view piece) { output.write(piece); });
    output.commit();
  }
  std::optional<EpochList> list;
  if (options.listed || !options.graph.empty())
    list = listEpochs(result, name);
  if (!options.graph.empty())
    writeGraph(options, name, profile, result, *list);
  if (!options.listed)
    list.reset();
  if (options.json) {
    printJson(profile, result, list);
    return;
  }
  printEpochReport(stdout, profile, result);
  if (list)
    printEpochLists(stdout, profile, result, *list);
}

} // namespace

void addAnalyzeEpochsCommand(CLI::App &analyze) {
  CLI::App *command = analyze.add_subcommand(
      "epochs", "The message buffers that a run needs, and where to synchronise to need fewer");
  auto options = std::make_shared<EpochOptions>();
  command->add_option("TRACE", options->trace, "Text trace or profile, - for standard input")
      ->required();
  addBuffersOption(*command, options->buffers,
                   "Buffers of each rank: a number, one per rank as 0,1,2, or @FILE (default: the "
                   "fewest that suffice)");
  command->add_option("--boundaries", options->boundaries,
                      "Write where each rank's super epochs end to this file");
  command
      ->add_option("--calls", options->calls,
                   "Follow at most this many calls of all ranks together")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31))
      ->capture_default_str();
  command->add_flag("--epochs", options->listed, "List every epoch and every super epoch");
  CLI::Option *graph = command->add_option(
      "--graph", options->graph, "Draw the communication graph of one epoch to this file (SVG)");
  command
      ->add_option("--epoch", options->epoch,
                   "The epoch to draw, by its number in --epochs (default: the complex epoch with "
                   "the most messages)")
      ->needs(graph);
  command->add_flag("--json", options->json, "One JSON object instead of a table");
  command->callback([options] { sendwright::analyze(*options); });
}

} // namespace sendwright
