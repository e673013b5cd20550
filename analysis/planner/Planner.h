// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From profiles to a plan: which loops are rewritten, in which order they send, what this gains,
// and why the others are left alone.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_PLANNER_H
#define SENDWRIGHT_ANALYSIS_PLANNER_PLANNER_H

#include "analysis/machine/Machine.h"
#include "analysis/plan/Plan.h"
#include "analysis/planner/RunChoice.h"
#include "analysis/program/ProgramSummary.h"
#include "analysis/trace/Profile.h"
#include "analysis/transformation/LeaveReason.h"
#include "analysis/transformation/PlannerOptions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The plan for the rank count of one profile, and what else a person wants to know.
struct ProfilePlan {
  RankCountPlan plan;
  std::size_t ranks = 0;            ///< of the profile
  ProgramSummary program;           ///< what the profile's units say about their source
  std::vector<LeaveReason> reasons; ///< one for each site of the plan
  bool cut = false;                 ///< the run has more events than were analysed or recorded
  std::size_t stuckRanks = 0; ///< ranks that wait forever in the recorded run; decisions rest on
                              ///< what they do before
  std::string stuckAt;        ///< the first of these ranks: "rank 0 in MPI_Recv at app.c:12"
  std::uint64_t marked = 0;   ///< loops in the profile, with or without sends
  std::uint64_t sends = 0, bytes = 0; ///< all messages of the program
  std::uint64_t sendsOutside = 0;     ///< sends outside of marked loops
  /// One for each site of the plan: its messages that a rewritten loop would reorder, which are
  /// those that are not synchronous and go to ranks of the same group.
  struct Reorderable {
    std::uint64_t sends = 0, bytes = 0;
  };
  std::vector<Reorderable> reorderable;
  /// If the run was replayed; its sites are those of the plan.
  std::optional<RunChoice> run;
};

/// Plans for the rank count of `profile`; `name` is kept for messages. Deterministic. Throws
/// FormatError if what the profile's units say about their loops is damaged.
ProfilePlan planProfile(const Profile &profile, const std::string &name,
                        const PlannerOptions &options);

/// Joins the facts of the program's functions with those in `plan`.
void addFacts(Plan &plan, ProgramSummary program);

/// Puts what was planned into `plan`, replacing what is there for the same number of ranks, and
/// adds the program's facts.
void addToPlan(Plan &plan, int ranks, RankCountPlan rankCount, ProgramSummary program);

} // namespace sendwright

#endif
