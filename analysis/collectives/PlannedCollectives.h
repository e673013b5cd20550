// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective operations that a program spells with sends and receives, as a plan holds them: which
// schedule takes their place, and what each rank does in it.
//
// A schedule moves slots (analysis/schedules/Schedule.h): blocks of what is moved, or pieces of
// what is reduced. Their bytes are those of the run; the steps hold for any.

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_PLANNEDCOLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_PLANNEDCOLLECTIVES_H

#include "analysis/file/Bytes.h"
#include "analysis/mpi/Collective.h"
#include "analysis/schedules/Schedule.h"
#include "analysis/trace/Profile.h"
#include "analysis/transformation/PlanParts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// Bytes that the runtime puts in front of each message of a schedule.
inline constexpr std::uint64_t collectiveMessageHead = 24;

/// MPI's functions pass on frames of one size, which are copied: of blocks beyond this a plan calls
/// none.
inline constexpr std::uint64_t mostLibraryBytes = 4 << 20;

/// What all ranks know of it.
struct PlannedCollective {
  std::uint32_t site = 0; ///< of the loop: an index into the plan's sites
  Collective operation = Collective::Broadcast;
  Communicator communicator; ///< an intracommunicator of two ranks or more
  std::uint32_t root = 0;    ///< a rank of the communicator; 0 where there is none
  std::string algorithm;     ///< as Collectives.h names it, or MPI's function, which then does it
  std::uint64_t bytes = 0;   ///< most in the profile, as CollectiveTask has them
  std::uint32_t slots = 0;   ///< how many the schedule has
  bool operator==(const PlannedCollective &) const = default;
};

/// Slots `first`, `first + 1`, ...: `count` of them.
struct SlotRange {
  std::uint32_t first = 0, count = 0;
  bool operator==(const SlotRange &) const = default;
};

/// One send or receive of a rank.
struct CollectiveStep {
  bool isSend = false;
  std::uint32_t peer = 0;  ///< rank of the communicator
  std::uint64_t bytes = 0; ///< of the message in a run with PlannedCollective::bytes; the same at
                           ///< both ends, which so agree on how it travels
  Arrival arrival = Arrival::Store;
  std::vector<SlotRange> slots; ///< in the order in which they are in the message
  bool operator==(const CollectiveStep &) const = default;
};

/// One rank's part, in its order. Sends are begun and not waited for; a receive waits.
struct RankCollective {
  std::uint32_t collective = 0; ///< index into PlannedCollectives::collectives
  std::vector<CollectiveStep> steps;
  bool operator==(const RankCollective &) const = default;
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

/// What a plan for one number of ranks holds of collectives.
struct PlannedCollectives : PlanPartOf<PlannedCollectives> {
  static constexpr std::string_view partName = "collectives";
  std::vector<PlannedCollective> collectives;               ///< by site
  std::vector<std::vector<RankCollective>> rankCollectives; ///< one list per rank; none without any
};

/// What a site's plan says of the collective operation that it spells.
struct SiteCollective : PlanPartOf<SiteCollective> {
  static constexpr std::string_view partName = "collective of a site";
  std::optional<CollectivePrediction> prediction; ///< of a loop that is one, rewritten or not
  /// What its unit or the run has against that, part of a sentence; "" for loops that do not look
  /// like a collective operation, and for those that are one.
  std::string refusal;
};

/// Whether the ranks call MPI's own function. Then they have no steps in the plan.
bool callsLibrary(const PlannedCollective &collective);
/// What member `rank` gives to and gets from the others in such a call, as steps: each sends to
/// all to whom it has something, and then receives from all who have something for it.
RankCollective libraryPart(const PlannedCollective &collective, std::uint32_t rank);

/// Every rank's part of collective `number`, by rank of the communicator, from a schedule that
/// keeps its slots.
std::vector<RankCollective> collectivePartsOf(std::uint32_t number, const Schedule &schedule);

/// How many slots a schedule for so many ranks has; `pieces`: a broadcast's or reduction's message
/// is cut into one for each rank. Slot k of Scatter, Gather and Allgather is the block of the rank
/// root + k, and slot `from` * ranks + `to` of AllToAll the one for `to`.
std::uint64_t slotsOf(Collective operation, std::uint64_t ranks, bool pieces);

/// The collectives of a plan for `rankCount` ranks with `sites` sites, by site, of which each has
/// at most one, as bytes. Reading throws FormatError for what no plan holds.
void encodeCollectives(ByteWriter &out, const std::vector<PlannedCollective> &collectives);
std::vector<PlannedCollective> decodeCollectives(ByteReader &in, int rankCount, std::size_t sites);

/// The parts of world rank `rank`, likewise, by collective; it has one of each whose communicator
/// it is in. Peers and slots exist, and no rank is its own peer.
void encodeCollectiveParts(ByteWriter &out, const std::vector<RankCollective> &parts);
std::vector<RankCollective>
decodeCollectiveParts(ByteReader &in, int rank, const std::vector<PlannedCollective> &collectives);

/// A prediction as bytes, likewise.
void encodePrediction(ByteWriter &out, const CollectivePrediction &prediction);
CollectivePrediction decodeCollectivePrediction(ByteReader &in);

} // namespace sendwright

#endif
