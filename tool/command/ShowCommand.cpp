// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright show FILE: a profile, a plan or a machine file, as tables or as JSON. What is shown is
// gathered into one JSON object first, so that both forms say the same.

#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "tool/command/Commands.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/Activity.h"
#include "analysis/file/Container.h"
#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/machine/Machine.h"
#include "analysis/plan/Plan.h"
#include "tool/command/base/JsonOutput.h"
#include "tool/command/show/ShownCollectives.h"
#include "tool/command/show/ShownIrregularCollectives.h"
#include "tool/command/show/ShownLongWaits.h"
#include "tool/command/show/ShownMachine.h"
#include "tool/command/show/ShownPlanSites.h"
#include "tool/command/show/ShownProfile.h"
#include "tool/command/show/ShownRedistributions.h"
#include "tool/command/show/ShownSharing.h"
#include "tool/command/show/ShownSynchronization.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <string>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

struct ShowOptions {
  std::string file;
  bool json = false;
};

// Machines.

Json linkJson(const LinkParameters &link) {
  return {{"L", link.L},           {"o_send", link.o_send},
          {"o_recv", link.o_recv}, {"g", link.g},
          {"G", link.G},           {"O", link.O},
          {"O_recv", link.O_recv}, {"eager_limit", link.eager_limit}};
}

/// The machine as the machine file gives it.
Json machineJson(const Machine &machine) {
  Json json = linkJson(machine.between);
  json["name"] = machine.name;
  json["ranks_per_node"] = machine.ranks_per_node;
  if (machine.within)
    json["intra"] = linkJson(*machine.within);
  if (machine.node_port)
    json["node_port"] = {{"g", machine.node_port->g}, {"G", machine.node_port->G}};
  if (!machine.incast.empty()) {
    Json &rows = json["incast"] = Json::array();
    for (const IncastRow &row : machine.incast)
      rows.push_back({{"senders", row.senders}, {"bytes", row.bytes}, {"factor", row.factor}});
  }
  if (!machine.unstable.empty())
    json["calibration"] = {{"unstable", machine.unstable}};
  return json;
}

void printLink(const char *title, const LinkParameters &link) {
  std::printf("%s\n", title);
  std::printf("  %-34s %10.3f us\n", "latency (L)", link.L * 1e6);
  std::printf("  %-34s %10.3f us\n", "to send a message (o_send)", link.o_send * 1e6);
  std::printf("  %-34s %10.3f us\n", "to receive a message (o_recv)", link.o_recv * 1e6);
  std::printf("  %-34s %10.3f us\n", "between messages of a rank (g)", link.g * 1e6);
  std::printf("  %-34s %10.4f ns\n", "per byte (G)", link.G * 1e9);
  std::printf("  %-34s %10.4f ns\n", "processor time per byte (O)", link.O * 1e9);
  if (link.O_recv != link.O)
    std::printf("  %-34s %10.4f ns\n", "of a receiver (O_recv)", link.O_recv * 1e9);
  std::printf("  %-34s %10.0f bytes\n", "sent without waiting (eager limit)", link.eager_limit);
}

void printMachine(const Machine &machine) {
  std::printf("machine: %s\n",
              machine.name.empty() ? "without a name" : printable(machine.name).c_str());
  printLink("between nodes", machine.between);
  if (machine.within)
    printLink("within a node", *machine.within);
  std::printf("ranks per node: %d\n", machine.ranks_per_node);
  if (machine.node_port)
    std::printf("the port of a node: %.3f us between messages (g), %.4f ns per byte (G)\n",
                machine.node_port->g * 1e6, machine.node_port->G * 1e9);
  for (const IncastRow &row : machine.incast)
    std::printf("%d senders of %.0f bytes to one receiver: %.2f times its bandwidth bound\n",
                row.senders, row.bytes, row.factor);
  printUnstableFigures(stdout, machine);
}

// Plans.

Json ordersJson(const RankCountPlan &part) {
  Json ranks = Json::array();
  for (const std::vector<RankSite> &rank : part.of<PlannedOrders>().ranks) {
    Json &sites = ranks.emplace_back(Json::array());
    for (const RankSite &site : rank)
      for (const SendOrder &order : site.orders)
        sites.push_back({{"site", site.site},
                         {"destinations", order.destinations},
                         {"window", order.window},
                         {"instances", order.instances}});
  }
  return ranks;
}

Json planJson(const Plan &plan) {
  Json json = {{"kind", "plan"},
               {"machine", machineJson(plan.machine)},
               {"machine_measured", plan.machineMeasured},
               {"rank_counts", Json::array()},
               {"functions", plan.functions.size()}};
  for (const auto &[rankCount, part] : plan.rankCounts) {
    Json &entry =
        json["rank_counts"].emplace_back(Json{{"ranks", rankCount}, {"profile", part.profile}});
    entry["sites"] = planSitesJson(part);
    entry["orders"] = ordersJson(part);
    entry["exchanges"] = sharedExchangesJson(part);
    entry["collectives"] = plannedCollectivesJson(part);
    entry["irregular_collectives"] = irregularCollectivesJson(part);
    entry["long_waits"] = longWaitsJson(part);
    entry["redistributions"] = redistributionsJson(part.of<PlannedRedistributions>().frequent);
    entry["synchronization"] = synchronizationJson(part.of<SynchronizationPlan>());
  }
  return json;
}

void printFigures(const OrderingFigures &figures) {
  std::printf("      %s: %llu messages, %llu bytes per execution\n",
              printable(figures.phase).c_str(), static_cast<unsigned long long>(figures.messages),
              static_cast<unsigned long long>(figures.bytes));
  std::printf("        max c'_p  given %.6g s, planned %.6g s, worst %.6g s, lower bound %.6g s\n",
              figures.given, figures.planned, figures.worst, figures.lowerBound);
  if (figures.unit > 0)
    std::printf("        in sends  given %.6g, planned %.6g, worst %.6g, lower bound %.6g\n",
                figures.given / figures.unit, figures.planned / figures.unit,
                figures.worst / figures.unit, figures.lowerBound / figures.unit);
  std::printf("        order by %s: %s\n", printable(figures.key).c_str(),
              printable(figures.reason).c_str());
  if (figures.keyed > 0 || figures.staggered > 0)
    std::printf("        predicted  keyed %.6g s, staggered %.6g s\n", figures.keyed,
                figures.staggered);
  if (figures.window > 0)
    std::printf("        at most %u messages in flight\n", figures.window);
  if (figures.overlapLost > 0)
    std::printf("        %.6g s of computation no longer overlaps\n", figures.overlapLost);
}

void printSite(const SitePlan &plan, std::size_t ranks) {
  const bool rewritten = plan.decision == Decision::Rewrite;
  std::printf("\n  %s:%u%s%s\n", printable(plan.site.file).c_str(), plan.site.line,
              plan.site.function.empty() ? "" : "  in ", plan.site.displayFunction().c_str());
  std::printf("    %s%s%s: %s\n", rewritten ? "rewrite" : "leave", rewritten ? ", " : "",
              printable(plan.transformation).c_str(), printable(plan.reason).c_str());
  std::printf("    %llu executions, %llu sends, %llu bytes",
              static_cast<unsigned long long>(plan.executions),
              static_cast<unsigned long long>(plan.sends),
              static_cast<unsigned long long>(plan.bytes));
  if (rewritten)
    std::printf("; gain %.6g s an execution (%.1f %%)", plan.gain, plan.gainPercent);
  if (ranks > 0)
    std::printf("; orders for %zu ranks", ranks);
  std::printf("\n");
  for (const OrderingFigures &figures : plan.of<SiteOrdering>().figures)
    printFigures(figures);
  printSharing(stdout, plan);
  printCollective(stdout, plan);
}

void printPlan(const Plan &plan) {
  std::printf("plan for");
  for (const auto &[rankCount, part] : plan.rankCounts)
    std::printf("%s %d", rankCount == plan.rankCounts.begin()->first ? "" : ",", rankCount);
  std::printf(" ranks, facts about %zu functions\n", plan.functions.size());
  std::printf("predictions use %s values\n", plan.machineMeasured ? "measured" : "assumed");
  printMachine(plan.machine);
  for (const auto &[rankCount, part] : plan.rankCounts) {
    std::printf("\n%d ranks, from %s: %zu sites\n", rankCount, printable(part.profile).c_str(),
                part.sites.size());
    const std::vector<std::size_t> ranks = ranksWithOrders(part);
    for (std::size_t site = 0; site < part.sites.size(); ++site)
      printSite(part.sites[site], ranks[site]);
    printSharedExchanges(part);
    printPlannedCollectives(part);
    printIrregularCollectives(stdout, part);
    printLongWaits(stdout, part);
    printRedistributions(stdout, redistributionsJson(part.of<PlannedRedistributions>().frequent));
    printSynchronization(part.of<SynchronizationPlan>());
  }
}

void show(const ShowOptions &options) {
  const std::string bytes = readTextFile(options.file);
  const std::string name = options.file == "-" ? "<stdin>" : options.file;
  const Activity activity("showing", name);
  switch (guessFileKind(bytes)) {
  case FileGuess::Profile: {
    const Json shown =
        profileJson(decodeProfile(bytes.data(), bytes.size(), name), name, bytes.size());
    options.json ? writeJson(shown) : printProfile(shown);
    break;
  }
  case FileGuess::Plan: {
    const Plan plan = decodePlan(bytes.data(), bytes.size(), name);
    options.json ? writeJson(planJson(plan)) : printPlan(plan);
    break;
  }
  case FileGuess::Other: {
    if (bytes.find_first_not_of(" \t\r\n") == std::string::npos ||
        bytes[bytes.find_first_not_of(" \t\r\n")] != '{')
      throw FormatError(name + ":1: not a file that can be shown, expected a profile, a plan or a "
                               "machine file (a text trace is imported first)");
    const Machine machine = parseMachine(bytes, name);
    options.json ? writeJson(machineJson(machine)) : printMachine(machine);
    break;
  }
  }
}

} // namespace

void addShowCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand("show", "Print a profile, a plan or a machine file");
  auto options = std::make_shared<ShowOptions>();
  command->add_option("FILE", options->file, "File to print, - for standard input")->required();
  command->add_flag("--json", options->json, "One JSON object instead of tables");
  command->callback([options] { show(*options); });
}

} // namespace sendwright
