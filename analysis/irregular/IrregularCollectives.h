// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Irregular collectives, as a plan holds them: on which communicators which function is done by
// messages of the runtime's own. MPI matches the calls of a communicator's ranks by their order,
// not by their place in the source, so the plan says this of every call of the function on the
// communicator.

#ifndef SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARCOLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARCOLLECTIVES_H

#include "analysis/file/Bytes.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/trace/Profile.h"
#include "analysis/transformation/PlanParts.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

inline constexpr std::string_view irregularStem = "irregular-collectives";

/// All calls of one function on one communicator.
struct IrregularCollective {
  MpiFunctionId function = MpiFunctionId::Alltoallv;
  Communicator communicator; ///< an intracommunicator of two ranks or more
  bool operator==(const IrregularCollective &) const = default;
};

/// A number for such calls that is the same in every run of the program with as many ranks.
std::uint64_t digestOf(const IrregularCollective &calls);

/// What ranks do instead of such calls. With stages, small blocks of the planned pairs of ranks
/// travel in combined messages through other ranks; all other blocks are messages of their own.
struct ReplacedIrregular {
  IrregularCollective calls;
  std::uint32_t stages = 0;  ///< of the routes; 0: there are none
  std::uint64_t largest = 0; ///< bytes of the largest block that travels by route
  bool operator==(const ReplacedIrregular &) const = default;
};

/// No larger block travels by route: its rank has room for each block that it passes on.
inline constexpr std::uint64_t largestRouted = 4096;
/// No combined message has room for more, so that no sender waits for its receiver: most MPIs send
/// messages of this size at once.
inline constexpr std::uint64_t largestCombined = 16320;
/// Bytes before each block in a combined message.
inline constexpr std::uint64_t blockHeader = 8;

/// What is known of such calls, and why they are replaced or left.
struct IrregularDecision {
  IrregularCollective calls;
  bool replaced = false;
  std::string reason;                   ///< one sentence; if they are left, of a refusal
                                        ///< (IrregularRefusal.h)
  std::uint64_t count = 0;              ///< calls of each rank in the profile
  double written = 0, planned = 0;      ///< seconds of a call; 0 if they are not known
  std::vector<SiteIdentity> sites = {}; ///< the calls in the source, as far as they are known
};

/// What a plan for one number of ranks holds of them.
struct IrregularCollectives : PlanPartOf<IrregularCollectives> {
  static constexpr std::string_view partName = "irregular collectives";
  std::vector<ReplacedIrregular> replaced; ///< what ranks follow
  /// Each rank's part of the routes, by its index in `replaced`; one list for each rank. Empty
  /// without routes.
  std::vector<std::vector<RankExchange>> routes;
  std::vector<IrregularDecision> decisions; ///< what people read; not there in a running program
};

/// Whether each rank names its own partners in the function, or blocks have sizes of their own, so
/// that no rank knows what all others have; blocking or not.
bool isIrregular(MpiFunctionId function);
/// Whether it is such a function in which all blocks leave or reach one rank.
bool isRooted(MpiFunctionId function);
/// Whether it is such a function in which each rank's block goes to all others.
bool gathersToAll(MpiFunctionId function);
/// Whether a rank has the same block for all its partners. A combined message then has one copy.
bool sendsOneBlock(MpiFunctionId function);
/// Whether messages of the runtime's own can do such a function: it waits for its blocks.
bool canReplace(MpiFunctionId function);

/// Both lists as bytes. Reading throws FormatError for anything that no plan for `rankCount` ranks
/// holds.
void encodeIrregular(ByteWriter &out, const std::vector<ReplacedIrregular> &list);
std::vector<ReplacedIrregular> decodeIrregular(ByteReader &in, int rankCount);
void encodeIrregularDecisions(ByteWriter &out, const std::vector<IrregularDecision> &list);
std::vector<IrregularDecision> decodeIrregularDecisions(ByteReader &in, int rankCount);

/// The messages of a combined message that have a block in it, as indices into `part.messages`:
/// all, or the first from each source if the others are copies of its block. The same at both ends.
std::vector<std::uint32_t> blocksIn(const RankExchange &part, const Transfer &transfer,
                                    MpiFunctionId function);
/// Whether each combined message that a rank sends has room for its blocks at their largest.
bool hasRoom(const RankExchange &part, const ReplacedIrregular &replaced);

/// One rank's part of the routes, likewise.
std::vector<RankExchange> decodeIrregularRoutes(ByteReader &in, int rankCount, int rank,
                                                const std::vector<ReplacedIrregular> &replaced);

/// Whether a plan in memory replaces irregular collectives in runs of `rankCount` ranks. Cannot
/// fail: all ranks that hold the same bytes get the same answer.
bool plansIrregularCollectives(const void *data, std::size_t size, int rankCount) noexcept;

} // namespace sendwright

#endif
