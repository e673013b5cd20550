// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright plan PROFILE... -o PLAN: decides what to do at each send loop, and says why.

#include "analysis/calibration/MachineFile.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/sharing/SharedExchanges.h"
#include "tool/command/Commands.h"
#include "tool/command/MeasuredLosses.h"
#include "tool/command/base/MethodOption.h"
#include "tool/command/base/Terminal.h"
#include "tool/command/show/CoverageTable.h"
#include "tool/command/show/EpochReport.h"
#include "tool/command/show/ShownCollectives.h"
#include "tool/command/show/ShownIrregularCollectives.h"
#include "tool/command/show/ShownLeftOut.h"
#include "tool/command/show/ShownLoads.h"
#include "tool/command/show/ShownLongWaits.h"
#include "tool/command/show/ShownMachine.h"
#include "tool/command/show/ShownRedistributions.h"
#include "tool/command/show/ShownRunChoice.h"
#include "tool/command/show/ShownSharing.h"
#include "tool/command/show/ShownSynchronization.h"

#include "analysis/file/Activity.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Limits.h"
#include "analysis/plan/PlanContradictions.h"
#include "analysis/planner/NeededFunctions.h"
#include "analysis/planner/Planner.h"
#include "analysis/planner/SynchronizationPlanner.h"
#include "analysis/program/ProgramSummary.h"
#include "analysis/trace/RunSize.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

struct PlanOptions {
  std::vector<std::string> profiles;
  std::string output, machine, buffers, verified, method;
  double threshold = 1;
  std::uint64_t events = 0;
  bool direct = false;
  std::optional<RunReplay> choose;
  std::optional<SynchronizationKind> synchronize;

  /// Either option asks for synchronisation.
  SynchronizationKind kind() const {
    return synchronize.value_or(buffers.empty() ? SynchronizationKind::None
                                                : SynchronizationKind::Component);
  }

  /// The user says how messages are shared, whatever it gains.
  bool isMethodNamed() const { return !method.empty() && method != "fastest"; }

  /// Predicts the whole run for a named machine; without one, the loops are judged by themselves.
  /// In a program that is synchronised, loops stay as they are.
  RunReplay replay() const {
    if (kind() != SynchronizationKind::None)
      return RunReplay::None;
    if (isMethodNamed())
      return RunReplay::Report;
    return choose.value_or(machine.empty() ? RunReplay::Report : RunReplay::Choose);
  }
};

/// Everything that a person reads: on standard output, or on standard error when the plan goes to
/// standard output.
class Report {
public:
  explicit Report(std::FILE *out) : out(out) {}

  void machine(const Machine &machine, bool given) {
    const LinkParameters &link = machine.between;
    std::fprintf(out, "machine: %s%s\n", given ? "" : "none given (--machine); assumed: ",
                 machine.name.empty() ? "without a name" : printable(machine.name).c_str());
    std::fprintf(out, "  L %s, o_send %s, o_recv %s, g %s, G %s a byte (%s/s)\n",
                 scaled(link.L, "s").c_str(), scaled(link.o_send, "s").c_str(),
                 scaled(link.o_recv, "s").c_str(), scaled(link.g, "s").c_str(),
                 scaled(link.G, "s").c_str(),
                 link.G > 0 ? scaled(1 / link.G, "B").c_str() : "unlimited B");
    printUnstableFigures(out, machine);
    std::fprintf(out, "\n");
  }

  void profile(const ProfilePlan &planned, const Profile &profile, const PlannerOptions &options) {
    std::fprintf(out, "%s: %zu ranks%s%s\n", printable(planned.plan.profile).c_str(),
                 profile.ranks.size(), profile.program.empty() ? "" : " of ",
                 printable(profile.program).c_str());
    if (planned.cut)
      std::fprintf(out, "  only the first part of the run was examined: decisions use that part, "
                        "counts cover the whole run\n");
    if (planned.stuckRanks > 0)
      std::fprintf(
          out, "  %zu of %zu ranks wait forever (%s): their orders use what they do before that\n",
          planned.stuckRanks, profile.ranks.size(), planned.stuckAt.c_str());
    const std::vector<SitePlan> &sites = planned.plan.sites;
    const bool isWithoutSource = std::any_of(sites.begin(), sites.end(), [](const SitePlan &site) {
      return site.site.function.empty();
    });
    if (isWithoutSource || profile.units.empty())
      std::fprintf(out,
                   "  the run knows neither loops nor buffers of the source (imported, or made "
                   "without the plugin): its plan changes no program\n");
    for (std::size_t site = 0; site < planned.plan.sites.size(); ++site)
      loop(planned.plan.sites[site]);
    unmarked(unmarkedSendLoops(planned.program));
    printLeftOut(out, leftOutJson(profile));
    printIrregularCollectives(out, planned.plan);
    printLongWaits(out, planned.plan);
    printRunChoice(out, planned, options);
    printRedistributions(out,
                         redistributionsJson(planned.plan.of<PlannedRedistributions>().frequent));
    printLoads(out, loadsJson(profile, &options.machine));
    std::fprintf(out, "\n");
  }

  void buffers(const Profile &profile, const EpochAnalysis &analysis,
               const SynchronizationPlan &plan) {
    std::fprintf(out, "message buffers: ");
    printEpochReport(out, profile, analysis);
    if (plan.kind == SynchronizationKind::None)
      std::fprintf(out, "\nThe plan synchronises nothing (--synchronize, --buffers).\n\n");
    else
      std::fprintf(out, "\nThe plan synchronises %" PRIu64 " times (%s).\n", plan.synchronizations,
                   nameOf(plan.kind));
    printSynchronizedCalls(out, plan);
    if (plan.kind != SynchronizationKind::None)
      std::fprintf(out, "\n");
  }
  void noBuffers(const char *reason) {
    std::fprintf(out, "message buffers: unknown (%s)\n\n", reason);
  }

  void summary(const std::vector<ProfilePlan> &plans) {
    Coverage coverage;
    for (const ProfilePlan &one : plans) {
      std::uint64_t bytesInLoops = 0;
      for (std::size_t index = 0; index < one.plan.sites.size(); ++index) {
        const SitePlan &site = one.plan.sites[index];
        const ProfilePlan::Reorderable &reordered = one.reorderable[index];
        if (const std::optional<RefusalText> &refusal = site.of<SiteSharing>().refusal)
          coverage.notShared[refusal->sentence()].add(site.sends, site.bytes);
        if (one.reasons[index] == LeaveReason::None) {
          coverage.rewritten[site.transformation].add(reordered.sends, reordered.bytes);
          coverage.asWritten.sends += site.sends - reordered.sends;
          coverage.asWritten.bytes += site.bytes - reordered.bytes;
        } else {
          coverage.left[describe(one.reasons[index])].add(site.sends, site.bytes);
        }
        bytesInLoops += site.bytes;
      }
      coverage.outside.sends += one.sendsOutside;
      coverage.outside.bytes += one.bytes - std::min(bytesInLoops, one.bytes);
    }
    printCoverage(out, coverage);
  }

private:
  void unmarked(const std::vector<SiteIdentity> &loops) {
    constexpr std::size_t shown = 8;
    for (std::size_t index = 0; index < std::min(loops.size(), shown); ++index)
      std::fprintf(out,
                   "\n  %s:%u in %s sends, but was not marked: its file does not include mpi.h; "
                   "include it there and profile again\n",
                   printable(loops[index].file).c_str(), loops[index].line,
                   loops[index].displayFunction().c_str());
    if (loops.size() > shown)
      std::fprintf(out, "  and %zu more\n", loops.size() - shown);
  }

  void loop(const SitePlan &plan) {
    std::fprintf(out, "\n  %s:%u%s%s: %s\n", printable(plan.site.file).c_str(), plan.site.line,
                 plan.site.function.empty() ? "" : " in ", plan.site.displayFunction().c_str(),
                 plan.decision == Decision::Rewrite ? "rewrite" : "leave");
    std::fprintf(out, "    %s\n", printable(plan.reason).c_str());
    std::fprintf(out, "    %" PRIu64 " executions, %" PRIu64 " sends, %s", plan.executions,
                 plan.sends, bytesText(plan.bytes).c_str());
    if (!plan.of<SiteOrdering>().figures.empty() || plan.decision == Decision::Rewrite)
      std::fprintf(out, "; predicted gain %s (%.3g %%) each time", scaled(plan.gain, "s").c_str(),
                   plan.gainPercent);
    std::fprintf(out, "\n");
    const std::vector<OrderingFigures> &patterns = plan.of<SiteOrdering>().figures;
    constexpr std::size_t shown = 4;
    for (std::size_t number = 0; number < std::min(patterns.size(), shown); ++number)
      pattern(patterns[number]);
    if (patterns.size() > shown)
      std::fprintf(out, "    and %zu more patterns (sendwright show)\n", patterns.size() - shown);
    printSharing(out, plan);
    printCollective(out, plan);
  }

  void pattern(const OrderingFigures &figures) {
    std::fprintf(out, "    %s, %s\n", printable(figures.phase).c_str(),
                 bytesText(figures.bytes).c_str());
    std::fprintf(out, "      key: %s; window: %s\n", printable(figures.key).c_str(),
                 figures.window ? std::to_string(figures.window).c_str() : "none");
    std::fprintf(out, "      %s\n", printable(figures.reason).c_str());
    const bool ports = figures.window != 0; // large messages: predicted by the port model
    std::fprintf(out, "      %-16s %12s %12s %12s %12s\n", ports ? "completion" : "max c'_p",
                 "given", "planned", "worst", "lower bound");
    const double values[] = {figures.given, figures.planned, figures.worst, figures.lowerBound};
    if (!ports)
      line("in sends", values,
           [&](double value) { return formatted("%.6g", value / figures.unit); });
    line("in time", values, [](double value) { return scaled(value, "s"); });
    if (ports)
      std::fprintf(out, "      %-16s by key %s, staggered %s\n", "predicted",
                   scaled(figures.keyed, "s").c_str(), scaled(figures.staggered, "s").c_str());
    if (figures.overlapLost > 0)
      std::fprintf(out, "      computes %s between its sends\n",
                   scaled(figures.overlapLost, "s").c_str());
  }

  template <typename Text> void line(const char *name, const double (&values)[4], Text text) {
    std::fprintf(out, "      %-16s", name);
    for (double value : values)
      std::fprintf(out, " %12s", text(value).c_str());
    std::fprintf(out, "\n");
  }

  std::FILE *out;
};

/// How many buffers the program needs, and where it must synchronise. A profile that does not tell
/// is an error only where synchronisation was asked for.
void planBuffers(const PlanOptions &options, const Profile &profile, const std::string &name,
                 ProfilePlan &plan, Report &report) {
  try {
    std::vector<std::uint32_t> buffers;
    if (!options.buffers.empty())
      buffers = parseBuffers(options.buffers, "--buffers");
    limits::plannedBuffersCalls.check(name, runCost(profile));
    const EpochAnalysis analysis =
        analyzeEpochs(profile, TraceLocation(name, profile), std::move(buffers));
    planSynchronization(plan, profile, analysis, options.kind());
    report.buffers(profile, analysis, plan.plan.of<SynchronizationPlan>());
  } catch (const FormatError &error) {
    if (options.kind() != SynchronizationKind::None || !options.buffers.empty())
      throw;
    report.noBuffers(error.what());
  }
}

std::vector<Profile> readProfiles(const std::vector<std::string> &names) {
  std::vector<Profile> profiles;
  profiles.reserve(names.size());
  for (const std::string &name : names) {
    const Activity activity("reading", name);
    profiles.push_back(readProfile(name));
  }
  return profiles;
}

/// By number of ranks: the last of the profiles with this number, which is the one that is used.
std::map<int, std::size_t> lastOfRankCounts(const std::vector<Profile> &profiles) {
  std::map<int, std::size_t> last;
  for (std::size_t number = 0; number < profiles.size(); ++number)
    last[static_cast<int>(profiles[number].ranks.size())] = number;
  return last;
}

/// Exchanges are shared by the method that the user named, or not at all. Nothing else may take
/// their loops.
void nameMethod(const PlanOptions &options, PlannerOptions &planner) {
  if (!options.isMethodNamed())
    return;
  if (options.method == "direct") {
    planner.leftOut.push_back("message-sharing");
    return;
  }
  planner.sharingMethod = options.method;
  planner.leftOut.push_back("collectives");
  planner.leftOut.push_back("early-completion");
}

PlannerOptions plannerOptionsOf(const PlanOptions &options) {
  PlannerOptions planner;
  planner.machine = options.machine.empty() ? defaultMachine() : readMachine(options.machine);
  planner.assumed = options.machine.empty();
  planner.thresholdPercent = options.threshold;
  planner.events = options.events;
  if (options.direct)
    planner.leftOut.push_back("message-sharing");
  if (options.direct || options.kind() != SynchronizationKind::None)
    planner.leftOut.push_back("collectives");
  if (options.kind() != SynchronizationKind::None)
    planner.leftOut.push_back("irregular-collectives");
  nameMethod(options, planner);
  planner.replay = options.replay();
  return planner;
}

/// Profiles of several programs make one plan, which the user may not have meant.
void noteOtherProgram(const std::string &name, const std::string &program,
                      const std::string &previous) {
  if (!previous.empty() && !program.empty() && program != previous)
    printMessage(MessageKind::Note, "sendwright: " + printable(name) + " is of program " +
                                        printable(program) + ", the previous profile of " +
                                        printable(previous) + "; both are treated as one program");
}

void noteUnused(const std::string &name, const std::string &used, int ranks) {
  printMessage(MessageKind::Note, "sendwright: " + printable(name) +
                                      " is not used: " + printable(used) + " also has " +
                                      std::to_string(ranks) + " ranks, and comes later");
}

void makePlan(const PlanOptions &options) {
  PlannerOptions planner = plannerOptionsOf(options);
  Plan plan;
  plan.machine = planner.machine;
  plan.machineMeasured = !options.machine.empty();

  std::optional<VerifiedGains> verified;
  if (!options.verified.empty())
    verified = readVerifiedGains(options.verified);
  Report report(options.output == "-" ? stderr : stdout);
  std::map<int, ProfilePlan> planned;
  NeededFunctions needed;
  const std::vector<Profile> profiles = readProfiles(options.profiles);
  const std::map<int, std::size_t> last = lastOfRankCounts(profiles);
  std::string program;
  for (std::size_t number = 0; number < profiles.size(); ++number) {
    const std::string &name = options.profiles[number];
    const Activity activity("planning", name);
    const Profile &profile = profiles[number];
    const int ranks = static_cast<int>(profile.ranks.size());
    noteOtherProgram(name, profile.program, program);
    program = profile.program;
    if (const std::size_t used = last.at(ranks); used != number) {
      noteUnused(name, options.profiles[used], ranks);
      ProgramSummary unused = decodeUnits(profile, name);
      needed.add(unused);
      addFacts(plan, std::move(unused));
      continue;
    }
    if (verified)
      planner.lost = measuredLosses(*verified, printable(options.verified), profile, name);
    ProfilePlan one = planProfile(profile, name, planner);
    planBuffers(options, profile, name, one, report);
    if (planned.empty())
      report.machine(plan.machine, plan.machineMeasured);
    report.profile(one, profile, planner);
    needed.add(one.program);
    addToPlan(plan, ranks, one.plan, std::move(one.program));
    planned[ranks] = std::move(one);
  }
  needed.keepIn(plan);
  std::vector<ProfilePlan> kept;
  kept.reserve(planned.size());
  for (auto &[ranks, one] : planned)
    kept.push_back(std::move(one));
  report.summary(kept);
  refuseContradictions(plan, options.output);
  writePlan(plan, options.output);
}

CLI::Validator percentage() {
  return CLI::Validator(
      [](const std::string &text) {
        char *end = nullptr;
        const double percent = std::strtod(text.c_str(), &end);
        const bool fits = end != text.c_str() && !*end && percent >= 0 && percent <= 100;
        return fits ? std::string() : text + ", expected a percentage from 0 to 100";
      },
      "PERCENT");
}

/// From what loops are decided, and how.
void addDecisionOptions(CLI::App &command, PlanOptions &options) {
  command.add_option("--machine", options.machine,
                     "Machine file for the predictions (default: values that are printed)");
  command.add_option("--verified", options.verified,
                     "What a run with SENDWRIGHT_VERIFY measured: loops that were slower as "
                     "planned are left as written");
  command
      .add_option("--threshold", options.threshold,
                  "Leave loops that gain less than this percentage: of the time of the whole run, "
                  "or with --choose models of the loop's own predicted time")
      ->check(percentage())
      ->capture_default_str();
  command
      .add_option("--events", options.events,
                  "Analyse and replay at most this many calls of all ranks together (default: " +
                      std::to_string(limits::plannedCalls) + ", replayed " +
                      std::to_string(RunChoiceOptions().mostEvents) + ")")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31));
  CLI::Option *const direct = command.add_flag(
      "--direct", options.direct,
      "Send every message directly, whatever routes through other ranks would gain, "
      "and leave loops that are collective operations as written");
  CLI::Option *const method = addMethodOption(command, options.method,
                                              "Share every exchange that may be shared by this "
                                              "method, whatever it gains; with direct, share "
                                              "none (default: fastest, where it gains)");
  command
      .add_option("--choose", options.choose,
                  "How loops are decided: by replay of the whole run, or each by its own model "
                  "(default: replay where --machine is given, models otherwise)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, RunReplay>{
          {"replay", RunReplay::Choose}, {"models", RunReplay::Report}}))
      ->excludes(method);
  method->excludes(direct);
}

/// For which buffers the plan synchronises, and whom.
void addSynchronizationOptions(CLI::App &command, PlanOptions &options) {
  addBuffersOption(command, options.buffers,
                   "Message buffers of each rank, for which to synchronise: a number, one per rank "
                   "as 0,1,2, or @FILE (default: the fewest that suffice)");
  command
      .add_option("--synchronize", options.synchronize,
                  "Which ranks wait for one another where buffers would not suffice (default: "
                  "component if --buffers is given)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, SynchronizationKind>{{"full", SynchronizationKind::Full},
                                                     {"partial", SynchronizationKind::Partial},
                                                     {"component", SynchronizationKind::Component},
                                                     {"none", SynchronizationKind::None}}));
}

} // namespace

void addPlanCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "plan",
      "Decide from profiles which loops to rewrite, in which order they send, and by which routes");
  auto options = std::make_shared<PlanOptions>();
  command
      ->add_option(
          "PROFILE", options->profiles,
          "Profiles of one program; of several with the same number of ranks, the last is used")
      ->required();
  command->add_option("-o,--output", options->output, "The plan to write")->required();
  addDecisionOptions(*command, *options);
  addSynchronizationOptions(*command, *options);
  command->callback([options] { makePlan(*options); });
}

} // namespace sendwright
