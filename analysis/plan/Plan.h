// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan: what is to be done at each site of a program, and why. `sendwright plan` makes it from
// profiles, the plugin embeds it into the objects it rewrites, and at MPI_Init each rank takes out
// its own part. Plans for several rank counts sit side by side; the size of MPI_COMM_WORLD picks.

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLAN_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLAN_H

#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/machine/Machine.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/program/FunctionFacts.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/routes/SharingCosts.h"
#include "analysis/trace/Profile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sendwright {

enum class Decision : std::uint8_t { Leave, Rewrite };

struct SitePlan {
  SiteIdentity site;
  Decision decision = Decision::Leave;
  std::string transformation; ///< stem: "message-ordering", "message-sharing" or "collectives";
                              ///< empty where left
  std::string reason;         ///< one sentence for the remark and for `plan`
  double gain = 0;            ///< predicted, seconds per execution (given - planned)
  double gainPercent = 0;     ///< of `given`
  std::uint64_t executions = 0, sends = 0, bytes = 0; ///< in the profile, over all ranks
  std::vector<OrderingFigures> ordering;
  std::optional<SharingPrediction> sharing; ///< of a complete exchange, shared or not
  std::string notShared; ///< why its messages go directly, part of a sentence; of what is no send
                         ///< loop to several destinations "", as where they are shared
  std::optional<CollectivePrediction> collective; ///< of a loop that is one, rewritten or not
  std::string notCollective; ///< what its unit or the run has against that, part of a sentence; ""
                             ///< of loops that do not look like one, and of those that are
};

/// The plan for one number of ranks: for each transformation its own part, as its folder has it.
struct RankCountPlan : PlannedOrders, SharedExchanges, PlannedCollectives {
  std::string profile; ///< the profile's file name, for messages
  std::vector<SitePlan> sites;
  std::vector<RecordedRedistribution> redistributions; ///< the most frequent of each directive
  SynchronizationPlan synchronization;
};

struct Plan {
  std::map<int, RankCountPlan> rankCounts;
  std::map<std::string, FunctionFacts> functions;
  std::set<std::string> functionFiles; ///< main files, without folders, of units that define them
  Machine machine;                     ///< what the predictions rest on
  bool machineMeasured = false;
};

/// Reads a plan file ("-": standard input). Throws FormatError naming the file and what is wrong,
/// also where the parts of the ranks do not fit together (PlanVerification.h).
Plan readPlan(const std::string &name);
/// The same from memory; `name` is for messages.
Plan decodePlan(const void *data, std::size_t size, const std::string &name);
/// Writes beside `name` and renames. The bytes depend on the plan's content alone. Throws
/// FormatError. Whether the plan can be read again, verifyPlan() says.
void writePlan(const Plan &plan, const std::string &name);

/// One rank's part of an embedded plan: the sites, this rank's orders and its parts of exchanges
/// and collectives, or nothing where the plan has no such rank count. Reads only the sections it
/// needs. Throws FormatError.
struct RankPlan {
  std::vector<SiteIdentity> sites;
  std::vector<RankSite> orders;
  std::vector<SharedExchange> exchanges; ///< of all ranks
  std::vector<RankExchange> parts;       ///< this rank's, by exchange; of some it may have none
  std::vector<PlannedCollective> collectives;  ///< of all ranks
  std::vector<RankCollective> collectiveParts; ///< this rank's: of those whose communicator has it
  std::vector<int> rankCounts; ///< those the plan has, for the message when none fits
  bool found = false;
};
RankPlan decodeRankPlan(const void *data, std::size_t size, const std::string &name, int rankCount,
                        int rank);

/// Why runs of so many ranks cannot follow the plan together, although each rank can read its part:
/// the first contradiction among its exchanges and collectives (PlanVerification.h), or nothing.
/// Reads the parts of all ranks. Throws FormatError.
std::optional<std::string> contradictionInJointParts(const void *data, std::size_t size,
                                                     const std::string &name, int rankCount);

/// The same of the steps by which they synchronise.
std::optional<std::string> contradictionInSynchronization(const void *data, std::size_t size,
                                                          const std::string &name, int rankCount);

/// Whether the plan shares messages in runs of so many ranks; as synchronizesRun().
bool sharesMessages(const void *data, std::size_t size, int rankCount) noexcept;

/// Whether it has collectives for them; likewise.
bool plansCollectives(const void *data, std::size_t size, int rankCount) noexcept;

/// Whether the plan synchronises runs of so many ranks. All ranks that hold the same bytes answer
/// the same, whatever memory they have and whatever is damaged: it cannot fail.
bool synchronizesRun(const void *data, std::size_t size, int rankCount) noexcept;

/// The steps of one rank of such a run. Throws FormatError.
RankSteps decodeRankSteps(const void *data, std::size_t size, const std::string &name,
                          int rankCount, int rank);

/// A digest of a plan file's bytes, in hexadecimal, for symbol names and agreement.
std::string planDigest(const void *data, std::size_t size);

} // namespace sendwright

#endif
