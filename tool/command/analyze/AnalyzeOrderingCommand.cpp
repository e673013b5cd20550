// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright analyze ordering PRE POST: the best order of the messages of PRE, given those of POST.

#include "tool/command/analyze/AnalyzeCommands.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/Activity.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/machine/Machine.h"
#include "analysis/ordering/KeyedOrder.h"
#include "analysis/ordering/WorkFile.h"
#include "tool/command/base/JsonOutput.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

namespace sendwright {

namespace {

struct OrderingOptions {
  std::string first, second, work, machine;
  bool json = false;
};

struct OrderingResult {
  SendLists given, second, best;
  double bestCompletion = 0, worstCompletion = 0, givenCompletion = 0;
  double bound = 0, paperBound = 0;
};

SendLists destinations(const CommunicationMatrix &matrix, std::size_t ranks) {
  SendLists lists(ranks);
  for (std::size_t rank = 0; rank < matrix.rows.size(); ++rank)
    for (const MatrixEntry &entry : matrix.rows[rank])
      lists[rank].push_back(entry.destination);
  return lists;
}

OrderingResult analyze(const OrderingOptions &options) {
  if (options.first == "-" && options.second == "-")
    throw CLI::ValidationError("PRE and POST", "only one of them can be standard input");
  const Activity activity("ordering messages", options.first);
  const CommunicationMatrix first = readMatrix(options.first);
  const CommunicationMatrix second = readMatrix(options.second);
  if (first.sizeDeclared && second.sizeDeclared && first.rows.size() != second.rows.size())
    throw FormatError(options.second + ":1: K=" + std::to_string(second.rows.size()) +
                      ", expected K=" + std::to_string(first.rows.size()) + " as in " +
                      options.first);
  const std::size_t ranks = std::max(first.rows.size(), second.rows.size());

  OrderingResult result;
  result.given = destinations(first, ranks);
  result.second = destinations(second, ranks);
  std::vector<double> work;
  if (!options.work.empty()) {
    Machine machine = options.machine.empty() ? defaultMachine() : readMachine(options.machine);
    work = readWork(options.work, ranks, machine.between.o_send);
  }
  const std::vector<double> key = receiverKeys(result.second, work);
  result.best = orderByKey(result.given, key, KeyOrder::Descending);
  result.bestCompletion = completion(result.best, key);
  result.worstCompletion = completion(orderByKey(result.given, key, KeyOrder::Ascending), key);
  result.givenCompletion = completion(result.given, key);
  result.bound = lowerBound(result.given, key);
  result.paperBound = loadBound(result.given, key);
  return result;
}

/// Prints whole numbers without a fraction: with integral work, every figure counts sends.
nlohmann::ordered_json number(double value) {
  if (std::floor(value) == value && std::abs(value) < 9e15)
    return static_cast<std::int64_t>(value);
  return value;
}

void printJson(const OrderingResult &result) {
  nlohmann::ordered_json json;
  json["ranks"] = result.given.size();
  json["best"] = number(result.bestCompletion);
  json["worst"] = number(result.worstCompletion);
  json["given"] = number(result.givenCompletion);
  json["lower_bound"] = number(result.bound);
  json["load_bound"] = number(result.paperBound);
  json["order"] = result.best;
  writeJson(json);
}

void printPattern(const char *name, const SendLists &lists) {
  std::size_t least = lists.empty() ? 0 : lists[0].size(), most = 0, total = 0;
  for (const std::vector<int> &list : lists) {
    least = std::min(least, list.size());
    most = std::max(most, list.size());
    total += list.size();
  }
  std::printf("%-20s %8zu %8zu %10zu\n", name, least, most, total);
}

void printTable(const OrderingResult &result) {
  std::printf("%zu ranks\n\n%-20s %8s %8s %10s\n", result.given.size(), "sends of a rank", "min",
              "max", "total");
  printPattern("pre-communication", result.given);
  printPattern("post-communication", result.second);
  std::printf("\nmax c'_p, in sends\n");
  const std::pair<const char *, double> rows[] = {{"best (descending key)", result.bestCompletion},
                                                  {"as given", result.givenCompletion},
                                                  {"worst (ascending key)", result.worstCompletion},
                                                  {"lower bound", result.bound}};
  for (const auto &[name, value] : rows)
    std::printf("  %-24s %.10g\n", name, value);
  std::printf("\nbest order, RANK: DESTINATION...\n");
  std::string text;
  for (std::size_t rank = 0; rank < result.best.size(); ++rank) {
    text += "  " + std::to_string(rank) + ":";
    for (int destination : result.best[rank])
      text += " " + std::to_string(destination);
    text += "\n";
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}

} // namespace

void addAnalyzeOrderingCommand(CLI::App &analyze) {
  CLI::App *command =
      analyze.add_subcommand("ordering", "The best order of the messages between two phases");
  auto options = std::make_shared<OrderingOptions>();
  command->add_option("PRE", options->first, "Communication matrix of the phase to order")
      ->required();
  command->add_option("POST", options->second, "Communication matrix of the phase that follows")
      ->required();
  command->add_option("--work", options->work,
                      "Work between the phases: a number for all ranks, or a file with one per "
                      "rank; in sends, or in time with s, ms or us");
  command->add_option("--machine", options->machine,
                      "Machine file, for how long one send takes (only with --work in time)");
  command->add_flag("--json", options->json, "One JSON object instead of a table");
  command->callback([options] {
    OrderingResult result = sendwright::analyze(*options);
    options->json ? printJson(result) : printTable(result);
  });
}

} // namespace sendwright
