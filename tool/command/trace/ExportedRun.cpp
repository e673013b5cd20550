// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/trace/ExportedRun.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/Activity.h"
#include "analysis/file/Limits.h"
#include "analysis/plan/PlanForRankCount.h"
#include "analysis/program/ProgramSummary.h"
#include "analysis/run/SendLoops.h"
#include "analysis/simulation/Placement.h"
#include "analysis/trace/RunSize.h"

#include <cstdio>

namespace sendwright {

Profile readExportedProfile(const ExportSource &source) {
  Profile profile = readProfile(source.profile);
  limits::followedCalls.raisedTo(source.calls).check(source.name(), runCost(profile));
  return profile;
}

ExportedRun::ExportedRun(const ExportSource &source)
    : profile(readExportedProfile(source)), title(source.name()) {
  source.isSimulated() ? simulate(source) : useRecorded(source);
}

void ExportedRun::useRecorded(const ExportSource &source) {
  const Activity activity("exporting", source.name());
  timeline = unroll(profile, source.calls);
  times.emplace(TimedRun::recorded(timeline, source.name()));
  title += ", as recorded";
}

void ExportedRun::simulate(const ExportSource &source) {
  const Activity activity("simulating", source.name());
  std::optional<Plan> plan;
  const RankCountPlan *part = nullptr;
  if (!source.plan.empty()) {
    plan = readPlan(source.plan);
    part = &planForRun(*plan, source.plan, profile.ranks.size(), source.name());
  }
  const Machine machine = placedAsRecorded(
      source.machine.empty() ? plan->machine : readMachine(source.machine), profile);
  timeline = unroll(profile, simulatedEvents(profile, source.calls));
  SendLoops loops;
  if (part)
    loops = findSendLoops(profile, timeline,
                          loopRefusals(profile, decodeUnits(profile, source.name())));
  RunRecord record;
  const RunSimulation run =
      simulateRun(profile, timeline, machine, part ? &loops : nullptr, part,
                  part ? RedistributionMethod::Schedule : RedistributionMethod::Alltoallv, &record);
  times.emplace(TimedRun::simulated(timeline, record, source.name()));
  title += ", simulated on " + (machine.name.empty() ? "a machine" : machine.name) +
           (part ? " with " + source.plan : " as written");
  if (timeline.cut)
    std::fprintf(stderr, "note: only the beginning of the run is simulated\n");
  if (run.stuck > 0)
    std::fprintf(stderr, "note: %llu ranks wait forever; the export ends there\n",
                 static_cast<unsigned long long>(run.stuck));
}

} // namespace sendwright
