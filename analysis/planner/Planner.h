// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From profiles to a plan: which loop is rewritten, in which order it sends, what that is worth,
// and why the others are left as they are.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_PLANNER_H
#define SENDWRIGHT_ANALYSIS_PLANNER_PLANNER_H

#include "analysis/machine/Machine.h"
#include "analysis/plan/Plan.h"
#include "analysis/planner/LeaveReason.h"
#include "analysis/planner/PlannerOptions.h"
#include "analysis/planner/RunChoice.h"
#include "analysis/program/ProgramSummary.h"
#include "analysis/trace/Profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The plan for the rank count of one profile, and what a person wants to know beside it.
struct ProfilePlan {
  RankCountPlan plan;
  ProgramSummary program;           ///< what the profile's units say of their source
  std::vector<LeaveReason> reasons; ///< one per site of the plan
  bool cut = false; ///< the run has more events than were looked at, or than were recorded
  std::size_t stuckRanks = 0; ///< ranks that wait for ever in the run as recorded; decisions rest
                              ///< on what they do before
  std::string stuckAt;        ///< the first of them: "rank 0 in MPI_Recv at app.c:12"
  std::uint64_t marked = 0;   ///< loops in the profile, with or without sends
  std::uint64_t sends = 0, bytes = 0; ///< all messages of the program
  std::uint64_t sendsOutside = 0;     ///< those in no marked loop
  /// One per site of the plan: its messages that are not synchronous and go to ranks of its group,
  /// which are those that a rewritten loop reorders.
  struct Reorderable {
    std::uint64_t sends = 0, bytes = 0;
  };
  std::vector<Reorderable> reorderable;
  /// Where the run was replayed; its sites are those of the plan.
  std::optional<RunChoice> run;
};

/// Plans for the rank count of `profile`; `name` is kept for messages. Deterministic. Throws
/// FormatError when what the profile's units say of their loops is damaged.
ProfilePlan planProfile(const Profile &profile, const std::string &name,
                        const PlannerOptions &options);

/// Puts what was planned into `plan`, in place of what is there for the same number of ranks (the
/// later profile holds), and joins the facts of the program's functions.
void addToPlan(Plan &plan, RankCountPlan rankCount, ProgramSummary program);

} // namespace sendwright

#endif
