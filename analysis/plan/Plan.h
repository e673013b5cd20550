// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan: what to do at each site of a program, and why. `sendwright plan` makes it from profiles,
// and the plugin embeds it into the objects that it rewrites; at MPI_Init each rank takes out its
// own part. A plan file holds plans for several rank counts; the size of MPI_COMM_WORLD selects
// one.

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
                              ///< empty if left alone
  std::string reason;         ///< one sentence for the remark and for `plan`
  double gain = 0;            ///< predicted, seconds per execution (given - planned)
  double gainPercent = 0;     ///< of `given`
  std::uint64_t executions = 0, sends = 0, bytes = 0; ///< in the profile, over all ranks
  std::vector<OrderingFigures> ordering;
  std::optional<SharingPrediction> sharing; ///< for a complete exchange, shared or not
  std::string notShared; ///< why its messages go directly, part of a sentence; "" if they are
                         ///< shared, or if the site is not a send loop to several destinations
  std::optional<CollectivePrediction> collective; ///< for a collective operation, rewritten or not
  std::string notCollective; ///< why it is not an operation, by its unit or by the run, part of a
                             ///< sentence; "" if it is, or does not look like one
};

/// The plan for one number of ranks: a part for each transformation, defined in its folder.
struct RankCountPlan : PlannedOrders, SharedExchanges, PlannedCollectives {
  std::string profile; ///< the profile's file name, for messages
  std::vector<SitePlan> sites;
  std::vector<RecordedRedistribution> redistributions; ///< the most frequent pairs of each
                                                       ///< directive
  SynchronizationPlan synchronization;
};

struct Plan {
  std::map<int, RankCountPlan> rankCounts;
  std::map<std::string, FunctionFacts> functions;
  std::set<std::string> functionFiles; ///< main files, without folders, of units that define
                                       ///< `functions`
  Machine machine;                     ///< that the predictions rest on
  bool machineMeasured = false;
};

/// Reads a plan file ("-": standard input). Throws FormatError naming the file and the problem,
/// also if the parts of the ranks do not fit together (PlanVerification.h).
Plan readPlan(const std::string &name);
/// The same from memory; `name` is for messages.
Plan decodePlan(const void *data, std::size_t size, const std::string &name);
/// Writes beside `name` and renames. The bytes depend on the plan's content alone. Throws
/// FormatError. verifyPlan() says whether the plan can be read again.
void writePlan(const Plan &plan, const std::string &name);

/// One rank's part of an embedded plan: the sites, this rank's orders, and its parts of exchanges
/// and collectives; empty if the plan lacks the rank count. Reads only the sections that it needs.
/// Throws FormatError.
struct RankPlan {
  std::vector<SiteIdentity> sites;
  std::vector<RankSite> orders;
  std::vector<SharedExchange> exchanges; ///< of all ranks
  std::vector<RankExchange> parts;       ///< this rank's, by exchange; it may have no part in some
  std::vector<PlannedCollective> collectives;  ///< of all ranks
  std::vector<RankCollective> collectiveParts; ///< this rank's: one for each communicator that it
                                               ///< is in
  std::vector<int> rankCounts; ///< of the plan, for the message if none of them fits
  bool found = false;
};
RankPlan decodeRankPlan(const void *data, std::size_t size, const std::string &name, int rankCount,
                        int rank);

/// Why runs of `rankCount` ranks cannot follow the plan together although each rank can read its
/// part: the first contradiction among its exchanges and collectives (PlanVerification.h), or
/// nothing. Reads the parts of all ranks. Throws FormatError.
std::optional<std::string> contradictionInJointParts(const void *data, std::size_t size,
                                                     const std::string &name, int rankCount);

/// The same for the steps by which ranks synchronise.
std::optional<std::string> contradictionInSynchronization(const void *data, std::size_t size,
                                                          const std::string &name, int rankCount);

/// Whether the plan shares messages in runs of `rankCount` ranks; cannot fail, like
/// synchronizesRun().
bool sharesMessages(const void *data, std::size_t size, int rankCount) noexcept;

/// Whether the plan has collectives for such runs; likewise.
bool plansCollectives(const void *data, std::size_t size, int rankCount) noexcept;

/// Whether the plan synchronises runs of `rankCount` ranks. Cannot fail: all ranks that hold the
/// same bytes get the same answer, whatever memory they have and whatever is damaged.
bool synchronizesRun(const void *data, std::size_t size, int rankCount) noexcept;

/// The steps of one rank of a synchronised run. Throws FormatError.
RankSteps decodeRankSteps(const void *data, std::size_t size, const std::string &name,
                          int rankCount, int rank);

/// A digest of a plan file's bytes, in hexadecimal, for symbol names and agreement.
std::string planDigest(const void *data, std::size_t size);

} // namespace sendwright

#endif
