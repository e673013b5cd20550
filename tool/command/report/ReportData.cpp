// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/report/ReportData.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/Activity.h"
#include "analysis/file/Container.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Limits.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/plan/PlanForRankCount.h"
#include "analysis/program/ProgramSummary.h"
#include "analysis/simulation/Placement.h"
#include "analysis/trace/RunSize.h"
#include "analysis/trace/TextTrace.h"

#include <algorithm>

namespace sendwright {

namespace {

/// The machine with a network on which messages take no time. Large messages still wait for their
/// receivers: that is the program's order, not the network's speed.
Machine withIdealNetwork(const Machine &machine) {
  Machine ideal;
  ideal.name = machine.name;
  ideal.between.eager_limit = machine.between.eager_limit;
  if (machine.within) {
    ideal.within.emplace();
    ideal.within->eager_limit = machine.within->eager_limit;
  }
  ideal.ranks_per_node = machine.ranks_per_node;
  ideal.nodes = machine.nodes;
  return ideal;
}

const RankCountPlan &checkedPart(const ReportData &data) {
  const std::string &name = data.files.plan;
  const RankCountPlan &part = planForRun(*data.plan, name, data.profile.ranks.size(), data.name());
  const auto isInProfile = [&](const SitePlan &site) {
    return std::any_of(data.profile.sites.begin(), data.profile.sites.end(),
                       [&](const SiteIdentity &known) { return site.site.sameLoopAs(known); });
  };
  const std::vector<SitePlan> &sites = part.sites;
  if (!sites.empty() && std::none_of(sites.begin(), sites.end(), isInProfile))
    throw FormatError(name + ": none of its " + std::to_string(sites.size()) + " sites is in " +
                      data.name() + ", expected a plan for the program of this profile");
  return part;
}

void readFiles(ReportData &data) {
  const Activity activity("reading", data.name());
  const std::string bytes = readTextFile(data.files.profiles[0]);
  data.profileBytes = bytes.size();
  data.isTextTrace = guessFileKind(bytes) == FileGuess::Other;
  data.profile = data.isTextTrace ? parseTextTrace(bytes, data.name())
                                  : decodeProfile(bytes.data(), bytes.size(), data.name());
  if (!data.files.plan.empty()) {
    data.plan = readPlan(data.files.plan);
    data.part = &checkedPart(data);
  }
  if (!data.files.diff.empty())
    data.diff = SourceDiff(data.files.diff);
  data.machine = !data.files.machine.empty() ? readMachine(data.files.machine)
                 : data.plan                 ? data.plan->machine
                                             : defaultMachine();
  data.machine = placedAsRecorded(data.machine, data.profile);
}

ReportedSimulation simulated(const ReportData &data, const SendLoops *loops,
                             const RankCountPlan *ofPlan) {
  ReportedSimulation simulation;
  simulation.run = simulateRun(data.profile, data.timeline, data.machine, loops, ofPlan,
                               RedistributionMethod::Schedule, &simulation.record);
  const RunSimulation &run = simulation.run;
  const double part = run.seconds > 0 ? run.wholeSeconds / run.seconds : 1;
  simulation.idealSeconds =
      part * simulateRun(data.profile, data.timeline, withIdealNetwork(data.machine), loops, ofPlan)
                 .seconds;
  return simulation;
}

void findEpochs(ReportData &data) {
  const Activity activity("finding the epochs", data.name());
  try {
    limits::followedCalls.check(data.name(), runCost(data.profile));
    const TraceLocation locate(data.name(), data.profile);
    const SynchronizationPlan *const plan = data.synchronization();
    data.epochs =
        analyzeEpochs(data.profile, locate, plan ? plan->buffers : std::vector<std::uint32_t>());
  } catch (const FormatError &error) {
    data.noEpochs = error.what();
  }
}

} // namespace

const SynchronizationPlan *ReportData::synchronization() const {
  const SynchronizationPlan *const plan = part ? &part->of<SynchronizationPlan>() : nullptr;
  return plan && plan->kind != SynchronizationKind::None ? plan : nullptr;
}

void readReportData(const ReportFiles &files, ReportData &data) {
  data.files = files;
  readFiles(data);
  findEpochs(data);
  const Activity activity("simulating", data.name());
  data.timeline = unroll(data.profile, simulatedEvents(data.profile, files.events));
  data.written = simulated(data, nullptr, nullptr);
  if (!data.part)
    return;
  const SendLoops loops =
      findSendLoops(data.profile, data.timeline,
                    loopRefusals(data.profile, decodeUnits(data.profile, data.name())));
  data.planned = simulated(data, &loops, data.part);
}

} // namespace sendwright
