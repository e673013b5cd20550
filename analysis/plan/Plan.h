// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan: what is to be done at each site of a program, and why. `sendwright plan` makes it from
// profiles, the plugin embeds it into the objects it rewrites, and at MPI_Init each rank takes out
// its own part. Plans for several rank counts sit side by side; the size of MPI_COMM_WORLD picks.

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLAN_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLAN_H

#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/epochs/StepPlanning.h"
#include "analysis/epochs/SynchronizationSteps.h"
#include "analysis/machine/Machine.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/SharingCosts.h"
#include "analysis/trace/Profile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sendwright {

/// How one rank sends one pattern of one site. A site has several patterns where it is reached from
/// several places; at run time the pattern with the destinations that were captured is used.
struct SendOrder {
  std::vector<int> destinations; ///< world ranks in the order to send; the k-th of one rank is the
                                 ///< k-th message to it, so messages of one pair keep their order
  std::uint32_t window = 0;      ///< messages in flight at once; 0: no limit
  std::uint64_t instances = 0;   ///< executions in the profile, the most frequent pattern first
  bool operator==(const SendOrder &) const = default;
};

/// What one rank needs of one site: an index into RankCountPlan::sites and its orders.
struct RankSite {
  std::uint32_t site = 0;
  std::vector<SendOrder> orders;
};

/// The figures behind a decision of message ordering, per phase of the program that the site opens.
/// Units of max c'_p: seconds; divide by `unit` (one send) for the paper's numbers.
struct OrderingFigures {
  std::string phase; ///< which phase, for a person ("pre-communication, 3 to 21 sends a rank")
  double given = 0, planned = 0, worst = 0, lowerBound = 0; ///< max over ranks of c'_p
  double unit = 0;                                          ///< seconds of one send in this model
  std::string key;    ///< how receivers are ranked ("work + sends that follow"), or "staggered"
  std::string reason; ///< why this order and not the other
  std::uint32_t window = 0;
  double keyed = 0, staggered = 0; ///< predicted seconds of both orders; 0 where not applicable
  std::uint64_t messages = 0, bytes = 0; ///< per execution, over all ranks
  double overlapLost = 0; ///< seconds of computation between sends that no longer overlaps
};

/// What the fastest routes of a complete exchange are predicted to bring, for one instance.
struct SharingPrediction {
  std::string method; ///< "direct", "store-and-forward in 3 dimensions", ...
  SharingFigures direct, shared;
  double directSeconds = 0, seconds = 0;
  /// Lost at collective calls, for one instance: while messages are shared, ranks wait there for
  /// all others and pass messages on before they enter MPI's.
  double collectiveSeconds = 0;
  double gain() const { return directSeconds - seconds - collectiveSeconds; }
  double gainPercent() const { return directSeconds > 0 ? 100 * gain() / directSeconds : 0; }
};

/// A loop that is a collective operation, and what the best schedule for it is predicted to bring,
/// for one instance: from its begin, at all ranks at once, until all are done.
struct CollectivePrediction {
  Collective operation = Collective::Broadcast;
  std::string algorithm; ///< "binomial tree", ...; of a loop that is left, the best one
  std::uint32_t ranks = 0;
  std::uint64_t bytes = 0, instances = 0; ///< bytes as CollectiveTask has them, the most seen
  double writtenSeconds = 0, seconds = 0; ///< as written, and by that schedule
  double gain() const { return writtenSeconds - seconds; }
  double gainPercent() const { return writtenSeconds > 0 ? 100 * gain() / writtenSeconds : 0; }
};

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

/// A call of the source before which ranks synchronise.
struct SynchronizedCall {
  SiteIdentity site; ///< the call, in all instantiations of a template
  CallActions actions;
};

/// Where a program synchronises so that a number of message buffers suffices.
struct SynchronizationPlan {
  SynchronizationKind kind = SynchronizationKind::None;
  std::vector<std::uint32_t> buffers; ///< per rank
  std::uint64_t superEpochs = 0;
  std::uint64_t synchronizations = 0;  ///< of all ranks together
  std::uint64_t wildcardReceives = 0;  ///< the buffers suffice if these match as in the profile
  std::vector<SynchronizedCall> calls; ///< by file and line: those that the plugin marked
  std::uint64_t actsUnmarked = 0;      ///< how often ranks act before other calls
  std::uint64_t actsAtEnd = 0;         ///< and how many do behind their last call
  std::vector<RankSteps> ranks;        ///< one per rank; none where nothing is synchronised
};

/// The plan for one number of ranks.
struct RankCountPlan {
  std::string profile; ///< the profile's file name, for messages
  std::vector<SitePlan> sites;
  std::vector<std::vector<RankSite>> ranks;                 ///< one list per rank
  std::vector<SharedExchange> exchanges;                    ///< those whose messages are shared
  std::vector<RecordedRedistribution> redistributions;      ///< the most frequent of each directive
  std::vector<std::vector<RankExchange>> rankExchanges;     ///< one list per rank; none without any
  std::vector<PlannedCollective> collectives;               ///< by site
  std::vector<std::vector<RankCollective>> rankCollectives; ///< as `rankExchanges`
  SynchronizationPlan synchronization;
};

/// What is known of a function that was compiled in generate mode, for the legality of loops in
/// other translation units that call it. Key: the symbol's name.
struct FunctionFacts {
  bool mayWait = false;     ///< may wait outside MPI, or not end
  bool writesMemory = true; ///< may write memory that a send buffer could alias
  bool reachesMpi = false;
  std::string reason;               ///< of mayWait, for the remark
  std::vector<std::string> callees; ///< symbols called that the unit does not define
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
