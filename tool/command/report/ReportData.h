// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a report is made from: the files that the user named, and the run that the page shows, as
// recorded and as simulated.

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_REPORTDATA_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_REPORTDATA_H

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/machine/Machine.h"
#include "analysis/plan/Plan.h"
#include "analysis/replay/RunSimulation.h"
#include "analysis/run/Timeline.h"
#include "analysis/trace/Profile.h"
#include "tool/command/report/SourceDiff.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

struct ReportFiles {
  std::vector<std::string> profiles; ///< the first is the run that the page shows
  std::string plan, machine, diff;   ///< may be empty
  std::uint64_t events = 0;          ///< simulate at most this many
};

/// A simulated run, and how long it takes where messages take no time.
struct ReportedSimulation {
  RunSimulation run;
  RunRecord record;
  double idealSeconds = 0; ///< of the whole run, without time for messages
};

/// Neither copied nor moved: the timeline points into the profile.
struct ReportData {
  ReportData() = default;
  ReportData(const ReportData &) = delete;
  ReportData &operator=(const ReportData &) = delete;

  ReportFiles files;
  Profile profile;
  std::size_t profileBytes = 0; ///< size of its file
  bool isTextTrace = false;
  Machine machine;
  std::optional<Plan> plan;
  const RankCountPlan *part =
      nullptr; ///< of the plan, for the profile's ranks; null without a plan
  SourceDiff diff;
  Timeline timeline;
  ReportedSimulation written;
  std::optional<ReportedSimulation> planned;
  /// With the buffers that the plan synchronises for, or else the fewest that suffice.
  std::optional<EpochAnalysis> epochs;
  std::string noEpochs; ///< why the epochs cannot be found

  /// How the plan synchronises; null if it does not.
  const SynchronizationPlan *synchronization() const;
  /// The profile's name in messages.
  std::string name() const { return files.profiles[0] == "-" ? "<stdin>" : files.profiles[0]; }
};

/// Reads the files and simulates the run. Throws FormatError for a file that is wrong, and for a
/// plan that is not made for this profile.
void readReportData(const ReportFiles &files, ReportData &data);

} // namespace sendwright

#endif
