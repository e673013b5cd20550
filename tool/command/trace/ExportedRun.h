// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run that is exported for another tool: as recorded, or as simulated on a machine, as written
// or with a plan.

#ifndef SENDWRIGHT_TOOL_COMMAND_TRACE_EXPORTEDRUN_H
#define SENDWRIGHT_TOOL_COMMAND_TRACE_EXPORTEDRUN_H

#include "analysis/run/Timeline.h"
#include "analysis/trace/Profile.h"
#include "tool/command/trace/TimedRun.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sendwright {

struct ExportSource {
  std::string profile;       ///< "-": standard input
  std::string machine, plan; ///< may be empty; if both are, the run is as recorded
  std::uint64_t calls = 0;   ///< the most of all ranks together

  bool isSimulated() const { return !machine.empty() || !plan.empty(); }
  /// The profile's name in messages.
  std::string name() const { return profile == "-" ? "<stdin>" : profile; }
};

/// Reads the profile. Throws FormatError if it is wrong, or has too many calls.
Profile readExportedProfile(const ExportSource &source);

/// Neither copied nor moved: the timeline points into the profile.
class ExportedRun {
public:
  /// Reads the files, and simulates the run if a machine or a plan is named; without a machine, on
  /// the plan's. Throws FormatError for a file that is wrong, and for a plan for other numbers of
  /// ranks.
  explicit ExportedRun(const ExportSource &source);
  ExportedRun(const ExportedRun &) = delete;
  ExportedRun &operator=(const ExportedRun &) = delete;

  Profile profile;
  Timeline timeline;
  std::string title; ///< "app.prof, as recorded"
  std::optional<TimedRun> times;

private:
  void useRecorded(const ExportSource &source);
  void simulate(const ExportSource &source);
};

} // namespace sendwright

#endif
