// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright simulate PROFILE [--plan PLAN] --machine M: how long the run takes on the machine, as
// it was and under the plan; where ranks wait, and what the critical path is.

#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/file/FigureText.h"
#include "tool/command/Commands.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/Activity.h"
#include "analysis/file/Escaping.h"
#include "analysis/plan/Plan.h"
#include "analysis/plan/PlanForRankCount.h"
#include "analysis/program/ProgramSummary.h"
#include "analysis/redistribution/Redistributions.h"
#include "analysis/replay/RunSimulation.h"
#include "analysis/simulation/Placement.h"
#include "analysis/trace/RunFile.h"
#include "analysis/trace/RunSize.h"

#include "tool/command/base/JsonOutput.h"
#include "tool/command/show/ShownMachine.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t shownWaitingPlaces = 10; // in tables

struct SimulateOptions {
  std::string profile, plan, machine;
  std::uint64_t events = 5'000'000;
  bool json = false;
};

struct SimulateResult {
  Machine machine;
  RunSimulation before;                       // MPI_Alltoallv carries out directives
  std::optional<RunSimulation> redistributed; // their schedules do, where there are directives
  std::optional<RunSimulation> after;         // likewise, under the plan
  bool cut = false;
  bool synchronizes = false; // whether the plan does
};

bool hasRedistributions(const Profile &profile) {
  return std::any_of(profile.ranks.begin(), profile.ranks.end(),
                     [](const RankProfile &rank) { return hasRedistributions(rank); });
}

SimulateResult simulate(const SimulateOptions &options) {
  SimulateResult result;
  result.machine = options.machine.empty() ? defaultMachine() : readMachine(options.machine);
  const Activity activity("simulating", options.profile == "-" ? "<stdin>" : options.profile);
  const Profile profile = readRun(options.profile);
  result.machine = placedAsRecorded(result.machine, profile);
  std::optional<Plan> plan;
  const RankCountPlan *part = nullptr;
  if (!options.plan.empty()) {
    plan = readPlan(options.plan);
    part = &planForRun(*plan, options.plan, profile.ranks.size(), options.profile);
  }
  const Timeline timeline = unroll(profile, simulatedEvents(profile, options.events));
  result.cut = timeline.cut;
  result.before = simulateRun(profile, timeline, result.machine, nullptr, nullptr,
                              RedistributionMethod::Alltoallv);
  if (hasRedistributions(profile))
    result.redistributed = simulateRun(profile, timeline, result.machine);
  if (part) {
    const SendLoops loops = findSendLoops(
        profile, timeline, loopRefusals(profile, decodeUnits(profile, options.profile)));
    result.synchronizes = part->of<SynchronizationPlan>().kind != SynchronizationKind::None;
    result.after = simulateRun(profile, timeline, result.machine, &loops, part);
  }
  return result;
}

/// The time that is not computation: on the last rank, along the critical path.
double communication(const RunSimulation &run) {
  double computation = 0;
  for (const SimulatedPlace &place : run.places)
    computation += place.pathComputation;
  return std::max(run.seconds - computation, 0.0);
}

std::string textOf(const SimulatedPlace &place) {
  const std::string function = place.function.empty() ? "loop" : place.function;
  return printable(place.place.empty() ? function : place.place + "  " + function);
}

/// Indices of the places where `value` is not 0, the largest value first.
template <typename Value>
std::vector<std::size_t> placesBy(const RunSimulation &run, Value &&value) {
  std::vector<std::size_t> order(run.places.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::size_t index) { return value(run.places[index]) <= 0; });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return value(run.places[a]) > value(run.places[b]);
  });
  return order;
}

double onPath(const SimulatedPlace &place) {
  return place.pathComputation + place.pathOverhead + place.pathNetwork;
}

double waitingAt(const SimulatedPlace &place) { return place.waiting; }

Json runJson(const RunSimulation &run) {
  Json json = {{"seconds", run.seconds},         {"communication_seconds", communication(run)},
               {"events", run.events},           {"messages", run.messages},
               {"ranks", Json::array()},         {"waiting", Json::array()},
               {"critical_path", Json::array()}, {"steps", Json::array()}};
  for (const SimulatedRank &rank : run.ranks)
    json["ranks"].push_back({{"seconds", rank.total},
                             {"computation", rank.computation},
                             {"overhead", rank.overhead},
                             {"waiting", rank.waiting}});
  for (std::size_t index : placesBy(run, waitingAt)) {
    const SimulatedPlace &place = run.places[index];
    json["waiting"].push_back({{"place", place.place},
                               {"function", place.function},
                               {"seconds", place.waiting},
                               {"waits", place.waits}});
  }
  for (std::size_t index : placesBy(run, onPath)) {
    const SimulatedPlace &place = run.places[index];
    json["critical_path"].push_back({{"place", place.place},
                                     {"function", place.function},
                                     {"computation", place.pathComputation},
                                     {"overhead", place.pathOverhead},
                                     {"network", place.pathNetwork}});
  }
  for (const PathStep &step : run.path)
    json["steps"].push_back({{"rank", step.rank},
                             {"begin", step.begin},
                             {"end", step.end},
                             {"place", run.places[step.place].place},
                             {"function", run.places[step.place].function}});
  json["whole_run_seconds"] = run.wholeSeconds;
  json["left_out"] = run.leftOut;
  json["unmatched_messages"] = run.unmatched;
  json["ranks_not_at_their_end"] = run.stuck;
  return json;
}

void printJson(const SimulateResult &result) {
  Json json = {{"machine", result.machine.name},
               {"seconds", result.before.seconds},
               {"cut", result.cut},
               {"synchronization_left_out", result.synchronizes},
               {"before", runJson(result.before)}};
  if (result.redistributed) {
    json["redistributed_seconds"] = result.redistributed->seconds;
    json["redistributed"] = runJson(*result.redistributed);
  }
  if (result.after) {
    json["planned_seconds"] = result.after->seconds;
    json["gain_seconds"] = result.before.seconds - result.after->seconds;
    json["after"] = runJson(*result.after);
  }
  writeJson(json);
}

void printRun(const char *title, const RunSimulation &run, bool cut) {
  std::printf("\n%s: %.9f s, of which %.9f s are not computation\n", title, run.seconds,
              communication(run));
  if (cut)
    std::printf("  the whole run is estimated to take %.9f s\n", run.wholeSeconds);
  SimulatedRank sum;
  std::size_t last = 0, first = 0;
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    sum.computation += run.ranks[rank].computation;
    sum.overhead += run.ranks[rank].overhead;
    sum.waiting += run.ranks[rank].waiting;
    if (run.ranks[rank].total > run.ranks[last].total)
      last = rank;
    if (run.ranks[rank].total < run.ranks[first].total)
      first = rank;
  }
  if (run.ranks.empty())
    return;
  const auto count = static_cast<double>(run.ranks.size());
  std::printf("  average per rank: %.9f s computation, %.9f s overhead, %.9f s waiting\n",
              sum.computation / count, sum.overhead / count, sum.waiting / count);
  std::printf("  rank %zu finishes first, at %.9f s, rank %zu last\n", first,
              run.ranks[first].total, last);
  std::printf("  waiting, all ranks together\n");
  const std::vector<std::size_t> waiting = placesBy(run, waitingAt);
  for (std::size_t shown = 0; shown < std::min(shownWaitingPlaces, waiting.size()); ++shown) {
    const SimulatedPlace &place = run.places[waiting[shown]];
    std::printf("    %14.9f s  %10" PRIu64 " times  %s\n", place.waiting, place.waits,
                textOf(place).c_str());
  }
  std::printf("  critical path, %zu segments on ranks\n", run.path.size());
  std::printf("    %14s   %14s   %14s\n", "computation", "overhead", "network");
  const std::vector<std::size_t> path = placesBy(run, onPath);
  for (std::size_t shown = 0; shown < std::min(shownWaitingPlaces, path.size()); ++shown) {
    const SimulatedPlace &place = run.places[path[shown]];
    std::printf("    %14.9f s %14.9f s %14.9f s  %s\n", place.pathComputation, place.pathOverhead,
                place.pathNetwork, textOf(place).c_str());
  }
}

std::string gainText(const RunSimulation &before, const RunSimulation &after) {
  const double whole = before.wholeSeconds, gain = whole - after.wholeSeconds;
  return formatted("%.9f s, %.2f %%", gain, whole > 0 ? 100 * gain / whole : 0.0);
}

void printTable(const SimulateResult &result) {
  std::printf("machine: %s\n", result.machine.name.empty()
                                   ? "without a name"
                                   : printable(result.machine.name).c_str());
  printUnstableFigures(stdout, result.machine);
  const RunSimulation &before = result.before;
  std::printf("%zu ranks, %" PRIu64 " events, %" PRIu64 " messages\n", before.ranks.size(),
              before.events, before.messages);
  if (result.cut)
    std::printf("only the beginning of the run is simulated\n");
  if (before.unmatched > 0)
    std::printf("%" PRIu64 " messages lack their send or their receive\n", before.unmatched);
  for (const auto &[function, count] : before.leftOut)
    std::printf("not modelled, assumed to cost nothing: %s, %" PRIu64 " calls\n",
                printable(function).c_str(), count);
  if (before.stuck > 0)
    std::printf("%" PRIu64 " ranks never reach the end: they wait forever (rank %u "
                "in %s%s%s)\n",
                before.stuck, before.stuckRank,
                printable(before.places[before.stuckPlace].function).c_str(),
                before.places[before.stuckPlace].place.empty() ? "" : " at ",
                printable(before.places[before.stuckPlace].place).c_str());
  printRun(result.redistributed ? "as it was, arrays redistributed by MPI_Alltoallv" : "as it was",
           before, result.cut);
  if (result.redistributed) {
    printRun("arrays redistributed by their schedules", *result.redistributed, result.cut);
    std::printf("\nthe schedules gain %s\n", gainText(before, *result.redistributed).c_str());
  }
  if (!result.after)
    return;
  printRun("under the plan", *result.after, result.cut);
  if (result.synchronizes)
    std::printf("the plan's synchronisation takes time too, but is not simulated\n");
  std::printf("\nthe plan gains %s%s\n", gainText(before, *result.after).c_str(),
              result.redistributed ? ", with the schedules" : "");
}

} // namespace

void addSimulateCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("simulate", "How long a run takes on a machine, before and after a plan");
  auto options = std::make_shared<SimulateOptions>();
  command->add_option("PROFILE", options->profile, "Profile or text trace, - for standard input")
      ->required();
  command->add_option("--plan", options->plan, "Plan to compare with");
  command->add_option("--machine", options->machine,
                      "Machine file (default: a switched Gigabit Ethernet cluster)");
  command
      ->add_option("--events", options->events,
                   "Simulate at most this many events of all ranks together")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31))
      ->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object instead of tables");
  command->callback([options] {
    const SimulateResult result = simulate(*options);
    options->json ? printJson(result) : printTable(result);
  });
}

} // namespace sendwright
