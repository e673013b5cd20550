// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright analyze epochs TRACE: how many message buffers a run needs, and where its ranks must
// synchronise so that a given number suffices.

#include "tool/sendwright/Commands.h"

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/file/Container.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/file/OutputFile.h"
#include "analysis/trace/TextTrace.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace sendwright {

namespace {

struct Options {
  std::string trace, buffers, boundaries;
  bool json = false;
};

constexpr std::size_t shownPlaces = 10;

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
  std::printf("%s\n", json.dump().c_str());
}

/// Consecutive ranks with the same needs are one line.
void printBuffers(const EpochAnalysis &result) {
  std::printf("\n%-16s %22s %22s\n", "buffers of rank", "without synchronising", "with");
  const std::vector<std::uint32_t> &before = result.figures.wholeProgramBuffers,
                                   &after = result.buffers;
  std::uint64_t totalBefore = 0, totalAfter = 0;
  for (std::size_t first = 0; first < before.size();) {
    std::size_t end = first;
    for (; end < before.size() && before[end] == before[first] && after[end] == after[first];
         ++end) {
      totalBefore += before[end];
      totalAfter += after[end];
    }
    const std::string ranks =
        std::to_string(first) + (end - first > 1 ? " to " + std::to_string(end - 1) : "");
    std::printf("  %-14s %22u %22u\n", ranks.c_str(), before[first], after[first]);
    first = end;
  }
  std::printf("  %-14s %22llu %22llu\n", "all", static_cast<unsigned long long>(totalBefore),
              static_cast<unsigned long long>(totalAfter));
}

void printSynchronizations(const SuperEpochs &superEpochs) {
  std::printf("\n%u super epochs. Synchronisations, counted at every rank that takes part:\n",
              superEpochs.count);
  const std::pair<const char *, std::uint64_t> rows[] = {
      {"full (all ranks)", superEpochs.full},
      {"partial (ranks that go on)", superEpochs.partial},
      {"component (ranks that exchange messages)", superEpochs.component}};
  for (const auto &[name, count] : rows)
    std::printf("  %-42s %12llu\n", name, static_cast<unsigned long long>(count));
}

void printPlaces(const Profile &profile, const EpochAnalysis &result) {
  const std::vector<PlaceCount> places = placesInNeed(profile, result);
  if (places.empty())
    return;
  std::printf("\nmessages that need a buffer are sent at\n");
  for (std::size_t i = 0; i < std::min(places.size(), shownPlaces); ++i)
    std::printf("  %-42s %12llu\n", places[i].name.empty() ? "(unknown)" : places[i].name.c_str(),
                static_cast<unsigned long long>(places[i].count));
  if (places.size() > shownPlaces)
    std::printf("  and %zu more places\n", places.size() - shownPlaces);
}

void printTable(const Profile &profile, const EpochAnalysis &result) {
  std::printf("%u ranks, %llu messages, %llu epochs, %llu of them complex\n\n",
              result.graph.ranks(), static_cast<unsigned long long>(result.graph.messages),
              static_cast<unsigned long long>(result.figures.epochs),
              static_cast<unsigned long long>(result.figures.complexEpochs));
  std::printf(
      result.safeWithoutBuffers()
          ? "Safe without buffers: no send of this run ever needs one.\n"
          : "Not safe without buffers: where MPI buffers no messages, this run deadlocks.\n");
  if (result.graph.wildcardReceives > 0)
    std::printf("This rests on what %llu receives from any source took in the recorded run.\n",
                static_cast<unsigned long long>(result.graph.wildcardReceives));
  printBuffers(result);
  printSynchronizations(result.superEpochs);
  printPlaces(profile, result);
}

void analyze(const Options &options) {
  const std::string bytes = readTextFile(options.trace);
  const std::string name = options.trace == "-" ? "<stdin>" : options.trace;
  const bool binary = guessFileKind(bytes) != FileGuess::Other;
  const Profile profile =
      binary ? decodeProfile(bytes.data(), bytes.size(), name) : parseTextTrace(bytes, name);
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
  options.json ? printJson(profile, result) : printTable(profile, result);
}

} // namespace

void addAnalyzeEpochsCommand(CLI::App &analyze) {
  CLI::App *command = analyze.add_subcommand(
      "epochs", "The message buffers that a run needs, and where to synchronise to need fewer");
  auto options = std::make_shared<Options>();
  command->add_option("TRACE", options->trace, "Text trace or profile, - for standard input")
      ->required();
  command->add_option("--buffers", options->buffers,
                      "Buffers that each rank has: a number, one per rank as 0,1,2, or @FILE; by "
                      "default the least that suffices");
  command->add_option("--boundaries", options->boundaries,
                      "Write where each rank's super epochs end to this file");
  command->add_flag("--json", options->json, "One JSON object instead of a table");
  command->callback([options] { sendwright::analyze(*options); });
}

} // namespace sendwright
