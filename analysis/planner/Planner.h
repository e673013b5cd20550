// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From profiles to a plan: which loop is rewritten, in which order it sends, what that is worth,
// and why the others are left as they are.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_PLANNER_H
#define SENDWRIGHT_ANALYSIS_PLANNER_PLANNER_H

#include "analysis/machine/Machine.h"
#include "analysis/plan/Plan.h"
#include "analysis/planner/RunChoice.h"
#include "analysis/trace/Profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// What the run is replayed for.
enum class RunReplay : std::uint8_t {
  None,   ///< it is not: each site is decided by its own model
  Report, ///< likewise, and then it is said what that is worth for the whole run
  Choose  ///< to decide: what lets the whole run end soonest
};

struct PlannerOptions {
  Machine machine;             ///< what the predictions rest on
  bool assumed = false;        ///< nobody named that machine
  bool sharing = true;         ///< messages may travel through other ranks
  bool collectives = true;     ///< loops may become collective operations
  double thresholdPercent = 1; ///< a loop that gains less is left alone: of what its own model says
                               ///< that it takes, or where the run is replayed to choose, of that
  RunReplay replay = RunReplay::None;
  std::uint64_t events = 0; ///< calls that are looked at one by one, over all ranks; 0: as many as
                            ///< Limits.h has (plannedCalls)
};

/// Why a loop is left as it is. The plan's reason says it with this loop's figures.
enum class LeaveReason : std::uint8_t {
  None, ///< it is rewritten
  OneDestination,
  ReceivesOnly, ///< a loop of receives that is no collective operation, or gains nothing as one
  WaitsForReply,
  SeparatedSends,
  SynchronousSends,
  OtherGroup,
  InRewrittenLoop,
  Refused, ///< the compiler would leave it as written
  AlreadyOptimal,
  BelowThreshold,
  RunNotShorter,  ///< the whole run would not end sooner
  RunNotReplayed, ///< the replay does not come to the run's end
  OverlapLost,
  Synchronized, ///< buffers are planned for the order as written
  NeverSeen,    ///< its sends lie beyond what was looked at
  InNoPhase     ///< its messages are in no phase of communication
};

/// "sends are synchronous", ...: for a table of how many loops were left for each reason.
const char *describe(LeaveReason reason);

/// The plan for the rank count of one profile, and what a person wants to know beside it.
struct ProfilePlan {
  RankCountPlan plan;
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

/// Puts `ranks` ranks' plan into `plan`, in place of one for the same number (the later profile
/// holds), and joins the facts of the profile's functions. Throws FormatError when these are
/// damaged.
void addToPlan(Plan &plan, const Profile &profile, const std::string &name,
               RankCountPlan rankCount);

} // namespace sendwright

#endif
