// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright analyze redistribution --old LIST --new LIST: the messages between two GEN_BLOCK
// distributions, and in which order to send them; with --machine also how long each schedule takes.

#include "analysis/file/FigureText.h"
#include "tool/command/analyze/AnalyzeCommands.h"
#include "tool/command/base/JsonOutput.h"
#include "tool/command/base/NumberListOption.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/Activity.h"
#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Limits.h"
#include "analysis/file/NumberList.h"
#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/MultiLevelCommunication.h"
#include "analysis/redistribution/OptimalSteps.h"
#include "analysis/redistribution/SimulatedPorts.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

/// The ratio of the paper, for machines that do not say what a copy costs.
constexpr double publishedRatio = 8;
constexpr double leastRatio = 1e-6, mostRatio = 1e6;
constexpr std::int64_t mostElementBytes = std::int64_t{1} << 40;
/// The largest number up to which costs are exact.
constexpr std::int64_t mostElements = std::int64_t{1} << 53;
constexpr NumberListSyntax sizeList = {"LIST|@FILE", "sizes of blocks, whole numbers up to 2^53",
                                       static_cast<std::uint64_t>(mostElements)};

struct RedistributionOptions {
  std::string before, after, machine;
  std::int64_t extent = -1;
  std::int64_t elementBytes = 8;
  std::optional<double> ratio; ///< nothing: as the machine says
  bool json = false;
};

enum class LocalMessages { InFull, Reduced, OwnStep, LeftOut };

struct NamedSchedule {
  const char *name;
  LocalMessages local;
  StepSchedule schedule;
  double optimum; ///< of this form
  std::optional<OptimalSchedule> proof;
};

struct RedistributionResult {
  int ranks = 0;
  std::int64_t extent = 0;
  double ratio = 1;
  std::vector<Message> messages;
  std::vector<NamedSchedule> schedules;
  AsynchronousOrder asynchronous;
  std::optional<Machine> machine;
  std::int64_t elementBytes = 8;
};

std::vector<std::int64_t> readSizes(const std::string &value, const char *option) {
  const auto numbers = parseNumberList(value, option, sizeList.expected, sizeList.largest);
  return {numbers.begin(), numbers.end()};
}

/// The name of a list in messages.
std::string shownName(const std::string &value, const char *option) {
  return value == "@-" ? "<stdin>" : value.starts_with('@') ? value.substr(1) : option;
}

std::int64_t sumOf(const std::vector<std::int64_t> &sizes, const std::string &name) {
  std::int64_t sum = 0;
  for (std::int64_t size : sizes)
    if ((sum += size) > mostElements)
      throw FormatError(name + ": more than 2^53 elements, expected fewer");
  return sum;
}

Distribution genBlock(const std::vector<std::int64_t> &sizes, std::int64_t extent,
                      const std::string &name) {
  try {
    return Distribution({DimensionFormat::genBlock(sizes)}, {extent},
                        {static_cast<int>(sizes.size())});
  } catch (const FormatError &error) {
    throw FormatError(name + ": " + error.what());
  }
}

void findSchedules(RedistributionResult &result) {
  const std::vector<Message> &messages = result.messages;
  const std::vector<double> full = messageCosts(messages, 1);
  const std::vector<double> costs = messageCosts(messages, result.ratio);
  const double local = localStepCost(messages, costs);
  const auto few = StepLimit::LargestDegree, any = StepLimit::None;
  const OptimalSchedule remote = optimalSteps(messages, costs, few, false);
  const auto add = [&](const char *name, LocalMessages form, StepSchedule schedule,
                       double optimum) {
    result.schedules.push_back({name, form, std::move(schedule), optimum, std::nullopt});
  };
  add("tpdr", LocalMessages::InFull, reduceDegrees(messages, full, true),
      optimalSteps(messages, full, few, true).cost);
  add("tpdr-lmr", LocalMessages::Reduced, reduceDegrees(messages, costs, true),
      optimalSteps(messages, costs, few, true).cost);
  add("mlc", LocalMessages::OwnStep, scheduleInLevels(messages, costs), remote.cost + local);
  add("mlc-figure", LocalMessages::OwnStep, scheduleInLevels(messages, costs, PaperReading::Figure),
      remote.cost + local);
  const auto addOptimal = [&](const char *name, LocalMessages form, const OptimalSchedule &best) {
    result.schedules.push_back({name, form, best, best.cost, best});
  };
  addOptimal("optimal", LocalMessages::LeftOut, remote);
  addOptimal("optimal-any-steps", LocalMessages::LeftOut,
             optimalSteps(messages, costs, any, false));
  addOptimal("optimal-mixed", LocalMessages::Reduced, optimalSteps(messages, costs, any, true));
}

/// How much longer an element takes to another rank than within one, where a processor copies it.
double ratioOf(const RedistributionOptions &options, const std::optional<Machine> &machine) {
  if (options.ratio)
    return *options.ratio;
  if (!machine || !(machine->between.O > 0))
    return publishedRatio;
  return std::clamp(machine->between.G / machine->between.O, leastRatio, mostRatio);
}

RedistributionResult analyze(const RedistributionOptions &options) {
  if ((options.before == "@-") + (options.after == "@-") + (options.machine == "-") > 1)
    throw CLI::ValidationError("--old, --new and --machine",
                               "only one of them can be standard input");
  const std::string beforeName = shownName(options.before, "--old");
  const std::string afterName = shownName(options.after, "--new");
  const Activity activity("scheduling messages", afterName);
  const auto before = readSizes(options.before, "--old");
  const auto after = readSizes(options.after, "--new");
  limits::redistributedRanks.check(beforeName, before.size());
  if (before.size() != after.size())
    throw FormatError(afterName + ": " + std::to_string(after.size()) + " sizes, expected " +
                      std::to_string(before.size()) + " as in " + beforeName);
  const std::int64_t sumBefore = sumOf(before, beforeName), sumAfter = sumOf(after, afterName);
  if (options.extent < 0 && sumBefore != sumAfter)
    throw FormatError(afterName + ": the sizes sum to " + std::to_string(sumAfter) + ", expected " +
                      std::to_string(sumBefore) + " as in " + beforeName +
                      ", or the array's --extent");
  RedistributionResult result;
  result.ranks = static_cast<int>(before.size());
  result.extent = options.extent < 0 ? sumBefore : options.extent;
  if (!options.machine.empty())
    result.machine = readMachine(options.machine);
  result.elementBytes = options.elementBytes;
  result.ratio = ratioOf(options, result.machine);
  result.messages = messagesBetween(genBlock(before, result.extent, beforeName),
                                    genBlock(after, result.extent, afterName));
  findSchedules(result);
  result.asynchronous = asynchronousOrder(result.messages, result.ranks);
  return result;
}

/// What each schedule takes on the machine, and MPI_Alltoallv. Elements that stay take no time.
std::vector<std::pair<std::string, double>> secondsOf(const RedistributionResult &result) {
  const MovedElements moved{result.messages, result.ranks,
                            static_cast<std::uint64_t>(result.elementBytes)};
  std::vector<std::pair<std::string, double>> seconds;
  for (const NamedSchedule &named : result.schedules)
    seconds.emplace_back(named.name, simulatePorts(moved, named.schedule, *result.machine).seconds);
  const auto simulate = [&](RedistributionMethod method) {
    return simulatePorts(moved, result.asynchronous.orders, *result.machine, method).seconds;
  };
  seconds.emplace_back("asynchronous", simulate(RedistributionMethod::Schedule));
  seconds.emplace_back("MPI_Alltoallv", simulate(RedistributionMethod::Alltoallv));
  return seconds;
}

void printJson(const RedistributionResult &result) {
  nlohmann::ordered_json json;
  json["ranks"] = result.ranks;
  json["extent"] = result.extent;
  json["rlr"] = result.ratio;
  nlohmann::ordered_json &messages = json["messages"] = nlohmann::ordered_json::array();
  for (const Message &message : result.messages)
    messages.push_back({message.source, message.destination, message.elements});
  json["max_degree"] = largestDegree(result.messages, false);
  for (const NamedSchedule &named : result.schedules) {
    nlohmann::ordered_json &schedule = json["schedules"][named.name];
    schedule["steps"] = named.schedule.steps;
    schedule["cost"] = named.schedule.cost;
    if (named.proof) {
      schedule["proven"] = named.proof->proven;
      schedule["lower_bound"] = named.proof->lowerBound;
    } else {
      schedule["optimum_of_this_form"] = named.optimum;
    }
  }
  if (result.machine) {
    json["machine"] = result.machine->name;
    for (const auto &[name, seconds] : secondsOf(result))
      json["seconds"][name] = seconds;
  }
  json["asynchronous"] = {{"send_order", result.asynchronous.orders.send},
                          {"receive_order", result.asynchronous.orders.receive},
                          {"makespan", result.asynchronous.makespan},
                          {"lower_bound", result.asynchronous.lowerBound}};
  writeJson(json);
}

std::string shownLocal(LocalMessages form, double ratio) {
  return form == LocalMessages::InFull    ? "in the steps, in full"
         : form == LocalMessages::Reduced ? formatted("in the steps, cost / %.4g", ratio)
         : form == LocalMessages::OwnStep ? "in a step of their own"
                                          : "left out";
}

void printSchedules(const RedistributionResult &result) {
  std::printf("\n%-18s %-26s %6s %14s %14s %8s\n", "schedule", "local messages", "steps", "cost",
              "optimum", "gap");
  for (const NamedSchedule &named : result.schedules) {
    std::printf("%-18s %-26s %6zu %14.10g %14.10g ", named.name,
                shownLocal(named.local, result.ratio).c_str(), named.schedule.steps.size(),
                named.schedule.cost, named.proof ? named.proof->lowerBound : named.optimum);
    if (named.proof)
      std::printf("%8s\n", named.proof->proven ? "proven" : "bound");
    else
      std::printf("%6.2f %%\n",
                  named.optimum > 0 ? 100 * (named.schedule.cost / named.optimum - 1) : 0);
  }
  std::printf("%-18s %-26s %6s %14lld %14lld %8s\n", "asynchronous", "left out", "none",
              static_cast<long long>(result.asynchronous.makespan),
              static_cast<long long>(result.asynchronous.lowerBound), "limit");
}

void printSeconds(const RedistributionResult &result) {
  std::printf("\nelements of %lld bytes on %s\n", static_cast<long long>(result.elementBytes),
              printable(result.machine->name).c_str());
  for (const auto &[name, seconds] : secondsOf(result))
    std::printf("%-18s %14s\n", name.c_str(), timeText(seconds).c_str());
}

void printOrders(const RedistributionResult &result) {
  std::string text = "\nsteps of 'optimal', SOURCE>DESTINATION:ELEMENTS\n";
  const auto count = [](std::size_t number) { return std::to_string(number); };
  for (const NamedSchedule &named : result.schedules)
    if (named.name == std::string("optimal"))
      for (std::size_t step = 0; step < named.schedule.steps.size(); ++step) {
        text += "  " + count(step + 1) + ":";
        for (std::uint32_t index : named.schedule.steps[step]) {
          const Message &message = result.messages[index];
          text += " " + std::to_string(message.source) + ">" + std::to_string(message.destination) +
                  ":" + std::to_string(message.elements);
        }
        text += "\n";
      }
  text += "\nasynchronous order, RANK: sends to DESTINATION...; receives from SOURCE...\n";
  const PortOrders &orders = result.asynchronous.orders;
  for (std::size_t rank = 0; rank < orders.send.size(); ++rank) {
    if (orders.send[rank].empty() && orders.receive[rank].empty())
      continue;
    text += "  " + count(rank) + ": sends to";
    for (std::uint32_t message : orders.send[rank])
      text += " " + std::to_string(result.messages[message].destination);
    text += std::string(orders.send[rank].empty() ? " none" : "") + "; receives from";
    for (std::uint32_t message : orders.receive[rank])
      text += " " + std::to_string(result.messages[message].source);
    text += orders.receive[rank].empty() ? " none\n" : "\n";
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void printTable(const RedistributionResult &result) {
  std::size_t local = 0;
  for (const Message &message : result.messages)
    local += message.local();
  std::printf("%d ranks, %lld elements, %zu messages, %zu of them local; at most %u remote ones at "
              "a port\n",
              result.ranks, static_cast<long long>(result.extent), result.messages.size(), local,
              largestDegree(result.messages, false));
  printSchedules(result);
  if (result.machine)
    printSeconds(result);
  printOrders(result);
}

std::string ratioProblem(const std::string &text) {
  double ratio = 0;
  if (!CLI::detail::lexical_cast(text, ratio) || !(ratio >= leastRatio && ratio <= mostRatio))
    return "found '" + text + "', expected a number from 0.000001 to 1000000";
  return "";
}

} // namespace

void addAnalyzeRedistributionCommand(CLI::App &analyze) {
  CLI::App *command = analyze.add_subcommand(
      "redistribution", "Schedules for an array that changes from one GEN_BLOCK to another");
  auto options = std::make_shared<RedistributionOptions>();
  addNumberListOption(*command, "--old", options->before,
                      "Sizes of the blocks before, one per rank as 9,8,9,16, or @FILE", sizeList)
      ->required();
  addNumberListOption(*command, "--new", options->after, "Sizes of the blocks after", sizeList)
      ->required();
  command
      ->add_option(
          "--extent", options->extent,
          "Elements of the array if the sizes sum to more; blocks are cut off at this number")
      ->check(CLI::Range(std::int64_t{0}, mostElements));
  command
      ->add_option(
          "--rlr", options->ratio,
          "Time to move an element to another rank, divided by the time to move it within a rank "
          "(default: G divided by O of the machine, 8 without them)")
      ->check(CLI::Validator(ratioProblem, "NUMBER"));
  command->add_option("--machine", options->machine,
                      "Machine file: what each schedule takes there, in seconds");
  command->add_option("--element-bytes", options->elementBytes, "Bytes of an element")
      ->check(CLI::Range(std::int64_t{1}, mostElementBytes))
      ->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object instead of a table");
  command->callback([options] {
    const RedistributionResult result = sendwright::analyze(*options);
    options->json ? printJson(result) : printTable(result);
  });
}

} // namespace sendwright
