// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The irregular collective calls of a recorded run: which calls of different ranks are one
// operation, and who has how much for whom in it.

#ifndef SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARCALLS_H
#define SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARCALLS_H

#include "analysis/irregular/IrregularCollectives.h"
#include "analysis/run/Timeline.h"
#include "analysis/schedules/Schedule.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace sendwright {

/// What one member has for another, or for all others alike.
struct IrregularBlock {
  static constexpr std::uint32_t allOthers = UINT32_MAX;

  std::uint32_t from = 0, to = 0; ///< indices into the communicator's members; or `allOthers`
  std::uint64_t bytes = 0;
};

/// Operations in which every rank has the same for every other.
struct IrregularPattern {
  std::uint64_t count = 0;            ///< operations in the timeline
  bool known = false;                 ///< all ranks recorded their blocks
  std::vector<IrregularBlock> blocks; ///< by sender; no rank's own
};

/// Calls `visit` with each block of a pattern among so many members: one for each receiver.
template <typename Visit>
void forEachBlock(const IrregularPattern &pattern, std::uint32_t members, Visit visit) {
  for (const IrregularBlock &block : pattern.blocks)
    if (block.to != IrregularBlock::allOthers)
      visit(block);
    else
      for (std::uint32_t to = 0; to < members; ++to)
        if (to != block.from)
          visit(IrregularBlock{block.from, to, block.bytes});
}

/// The calls of one function on one communicator.
struct IrregularCalls {
  IrregularCollective calls;
  std::uint64_t count = 0;                ///< operations in the whole run
  std::vector<IrregularPattern> patterns; ///< in the order of their first operation
  /// The pattern of each operation in the timeline that all members have come to.
  std::vector<std::uint32_t> operations;
  std::set<int> sites; ///< marked calls: indices into Profile::callSites

  const std::vector<int> &members() const { return calls.communicator.members; }
};

/// Where a rank makes such calls.
class IrregularPlaces {
public:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// `timeline` must outlive this. Linear in it.
  explicit IrregularPlaces(const Timeline &timeline);

  const std::vector<IrregularCalls> &all() const { return found; }
  /// Which of all() an event of the rank belongs to, or `none`.
  std::uint32_t of(std::size_t rank, std::uint32_t event) const { return places[rank][event]; }

private:
  std::uint32_t numberOf(std::uint32_t communicator, MpiFunctionId function);
  void countRank(std::size_t rank);
  void findPatterns(IrregularCalls &calls, std::uint32_t number);
  IrregularPattern patternOf(const IrregularCalls &calls,
                             const std::vector<std::uint32_t> &events) const;

  const Timeline &timeline;
  std::vector<IrregularCalls> found;
  std::vector<std::vector<std::uint32_t>> places; // by rank and event
};

/// Each block that is not empty is a message of its own. A rank sends to the ranks that follow it
/// first, so that ranks do not all begin with one receiver.
Schedule directSchedule(const IrregularPattern &pattern, std::uint32_t members);
/// Small blocks by routes (ReplacedIrregular), `parts` by member, and the others as above.
Schedule routedSchedule(const IrregularPattern &pattern, const std::vector<int> &members,
                        const std::vector<const RankExchange *> &parts,
                        const ReplacedIrregular &replaced);
/// Those parts in a plan; null for members without a part.
std::vector<const RankExchange *> partsOfMembers(const IrregularCollectives &planned,
                                                 const ReplacedIrregular &replaced);
/// As MPI does it: one partner after another, also where there is nothing to send; or all at once.
Schedule writtenSchedule(const IrregularPattern &pattern, std::uint32_t members, bool pairwise);

} // namespace sendwright

#endif
