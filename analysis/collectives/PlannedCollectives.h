// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective operations that a program spells with sends and receives, as a plan holds them: the
// schedule that replaces each, and every rank's part of it.
//
// A schedule moves slots (analysis/schedules/Schedule.h): blocks of the data that is moved, or
// pieces of the data that is reduced. The run decides how many bytes a slot has; the steps hold for
// any size.

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_PLANNEDCOLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_PLANNEDCOLLECTIVES_H

#include "analysis/file/Bytes.h"
#include "analysis/mpi/Collective.h"
#include "analysis/schedules/Schedule.h"
#include "analysis/trace/Profile.h"
#include "analysis/transformation/PlanParts.h"
#include "analysis/transformation/RefusalText.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// Bytes that the runtime puts in front of each message of a schedule.
inline constexpr std::uint64_t collectiveMessageHead = 24;

/// MPI's functions would pass on frames of one size, which are copied: a plan does not call them
/// for larger blocks.
inline constexpr std::uint64_t mostLibraryBytes = 4 << 20;

/// What all ranks know of the collective.
struct PlannedCollective {
  std::uint32_t site = 0; ///< of the loop: an index into the plan's sites
  Collective operation = Collective::Broadcast;
  Communicator communicator; ///< an intracommunicator of two ranks or more
  std::uint32_t root = 0;    ///< a rank of the communicator; 0 without a root
  std::string algorithm;     ///< a name from Collectives.h, or the MPI function that is called
                             ///< instead
  std::uint64_t bytes = 0;   ///< the most in the profile, as in CollectiveTask
  std::uint32_t slots = 0;   ///< of the schedule
  bool operator==(const PlannedCollective &) const = default;
};

/// `count` slots: `first`, `first + 1`, ...
struct SlotRange {
  std::uint32_t first = 0, count = 0;
  bool operator==(const SlotRange &) const = default;
};

/// One send or receive of a rank.
struct CollectiveStep {
  bool isSend = false;
  std::uint32_t peer = 0;  ///< rank of the communicator
  std::uint64_t bytes = 0; ///< of the message in a run with PlannedCollective::bytes; equal at both
                           ///< ends, which therefore agree on how it travels
  Arrival arrival = Arrival::Store;
  std::vector<SlotRange> slots; ///< in the order in which the message holds them
  bool operator==(const CollectiveStep &) const = default;
};

/// One rank's part, in its order. Sends do not wait; a receive waits.
struct RankCollective {
  std::uint32_t collective = 0; ///< index into PlannedCollectives::collectives
  std::vector<CollectiveStep> steps;
  bool operator==(const RankCollective &) const = default;
};

/// A loop that is a collective operation, and the predicted gain of the best schedule for one
/// instance: from when all ranks begin at once until all are done.
struct CollectivePrediction {
  Collective operation = Collective::Broadcast;
  std::string algorithm; ///< "binomial tree", ...; the best one, for a loop that is left alone
  std::uint32_t ranks = 0;
  std::uint64_t bytes = 0, instances = 0; ///< bytes as in CollectiveTask, the most seen
  double writtenSeconds = 0, seconds = 0; ///< as written, and by `algorithm`
  double gain() const { return writtenSeconds - seconds; }
  double gainPercent() const { return writtenSeconds > 0 ? 100 * gain() / writtenSeconds : 0; }
};

/// The part of a plan for one number of ranks that belongs to collectives.
struct PlannedCollectives : PlanPartOf<PlannedCollectives> {
  static constexpr std::string_view partName = "collectives";
  std::vector<PlannedCollective> collectives;               ///< by site
  std::vector<std::vector<RankCollective>> rankCollectives; ///< one list for each rank; empty
                                                            ///< without collectives
};

/// What a site's plan says about the collective operation that it spells.
struct SiteCollective : PlanPartOf<SiteCollective> {
  static constexpr std::string_view partName = "collective of a site";
  std::optional<CollectivePrediction> prediction; ///< for a collective operation, rewritten or not
  /// Why it runs as written, from a CollectiveRefusal; nothing if it is rewritten,
  /// or does not look like a collective operation.
  std::optional<RefusalText> refusal;
};

/// Whether the ranks call MPI's own function. Then the plan has no steps for them.
bool callsLibrary(const PlannedCollective &collective);
/// The part of member `rank` in such a call, as steps: it sends to all ranks that it has something
/// for, and then receives from all ranks that have something for it.
RankCollective libraryPart(const PlannedCollective &collective, std::uint32_t rank);

/// Every rank's part of collective `number`, by rank of the communicator, from a schedule that was
/// built with slots.
std::vector<RankCollective> collectivePartsOf(std::uint32_t number, const Schedule &schedule);

/// How many slots a schedule for `ranks` ranks has; `pieces`: the message of a broadcast or
/// reduction is cut into one piece for each rank. In Scatter, Gather and Allgather slot k is the
/// block of rank root + k; in AllToAll slot `from` * ranks + `to` is the block from `from` to `to`.
std::uint64_t slotsOf(Collective operation, std::uint64_t ranks, bool pieces);

/// The collectives of a plan for `rankCount` ranks with `sites` sites as bytes: ordered by site, at
/// most one for each. Reading throws FormatError for anything that no plan holds.
void encodeCollectives(ByteWriter &out, const std::vector<PlannedCollective> &collectives);
std::vector<PlannedCollective> decodeCollectives(ByteReader &in, int rankCount, std::size_t sites);

/// The parts of world rank `rank`, likewise, ordered by collective: one for each communicator that
/// the rank is in. What is read is consistent: peers and slots exist, and no rank is its own peer.
void encodeCollectiveParts(ByteWriter &out, const std::vector<RankCollective> &parts);
std::vector<RankCollective>
decodeCollectiveParts(ByteReader &in, int rank, const std::vector<PlannedCollective> &collectives);

/// What a site's plan says, likewise.
void encodeSiteCollective(ByteWriter &out, const SiteCollective &collective);
void decodeSiteCollective(ByteReader &in, SiteCollective &collective);

} // namespace sendwright

#endif
