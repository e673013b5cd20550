// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright analyze epochs TRACE: how many message buffers a run needs, and where its ranks must
// synchronise so that a given number suffices.

#include "tool/command/Commands.h"
#include "tool/command/EpochReport.h"

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/file/Activity.h"
#include "analysis/file/Container.h"
#include "analysis/file/Limits.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/file/OutputFile.h"
#include "analysis/trace/RunSize.h"
#include "analysis/trace/TextTrace.h"
#include "tool/command/JsonOutput.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace sendwright {

namespace {

struct EpochOptions {
  std::string trace, buffers, boundaries;
  std::uint64_t calls = limits::followedCalls.most;
  bool json = false;
};

void printJson(const Profile &profile, const EpochAnalysis &result) {
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
  writeJson(json);
}

void analyze(const EpochOptions &options) {
  const std::string bytes = readTextFile(options.trace);
  const std::string name = options.trace == "-" ? "<stdin>" : options.trace;
  const bool binary = guessFileKind(bytes) != FileGuess::Other;
  const Profile profile =
      binary ? decodeProfile(bytes.data(), bytes.size(), name) : parseTextTrace(bytes, name);
  limits::followedCalls.raisedTo(options.calls).check(name, runCost(profile));
  const Activity activity("finding its epochs", name);
  const TraceLocation locate(name, profile, binary ? std::string_view() : bytes);
  std::vector<std::uint32_t> buffers;
  if (!options.buffers.empty())
    buffers = parseBuffers(options.buffers, "--buffers");
  const EpochAnalysis result = analyzeEpochs(profile, locate, std::move(buffers));
  if (!options.boundaries.empty()) {
    OutputFile output(options.boundaries);
    formatBoundaries(result, [&](std::string_view piece) { output.write(piece); });
    output.commit();
  }
  options.json ? printJson(profile, result) : printEpochReport(stdout, profile, result);
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
  command->add_flag("--json", options->json, "One JSON object instead of a table");
  command->callback([options] { sendwright::analyze(*options); });
}

} // namespace sendwright
