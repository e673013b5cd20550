// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process keeps while irregular collectives are done by messages of the runtime's own: those
// of a plan, or those that the run learns.

#ifndef SENDWRIGHT_RUNTIME_IRREGULAR_PLANNEDCOMMUNICATORS_H
#define SENDWRIGHT_RUNTIME_IRREGULAR_PLANNEDCOMMUNICATORS_H

#include "analysis/irregular/IrregularCollectives.h"
#include "runtime/base/Process.h"
#include "runtime/base/RecordedCommunicators.h"
#include "runtime/batch/SiteTurns.h"
#include "runtime/irregular/BlockRoutes.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sendwright {
struct Machine;
}

namespace sendwright::irregular {

class LearnedCalls;
class LearnedCollectives;
class OwnCommunicator;

/// Tags of blocks that are messages, besides the tags of the routes.
inline constexpr int tagsBeside = 2;

/// The ranks that a rank sends to, or receives from, by the indices of their blocks.
struct BlockPartners {
  std::vector<int> ranks; ///< in the communicator, or MPI_PROC_NULL
  std::size_t first = 0;  ///< index of the block that is sent or awaited first
};

/// The calls of one function on a communicator of the plan.
struct PlannedCalls {
  const IrregularCollective *calls = nullptr;
  std::unique_ptr<BlockRoutes> routes; ///< null: every block is a message of its own
  int tag = 0;   ///< of small blocks that are messages; large ones and routes follow
  int rank = -1; ///< of this process in the communicator; -1: it is not a member
  MPI_Comm handle = MPI_COMM_NULL;     ///< the communicator, while it exists
  BlockPartners sources, destinations; ///< while it exists
  SiteTurns *turns = nullptr;          ///< null: all calls are replaced

  /// SMPI keeps small and large messages in two places, and might give a large receive a small
  /// message of a later call if both had one tag.
  int tagOf(std::uint64_t bytes) const { return bytes <= largestCombined ? tag : tag + 1; }
  bool isOfNeighbors() const {
    return mpiFunction(calls->function).role == MpiRole::NeighborCollective;
  }
  const std::vector<int> &members() const { return calls->communicator.members; }
};

class PlannedCommunicators final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::Irregular;

  /// Messages travel on `world`, with tags from `firstTag` on. Both arguments outlive this.
  PlannedCommunicators(const IrregularCollectives &plan, MPI_Comm world, int firstTag);
  ~PlannedCommunicators() override;

  /// Without a plan: calls are learned, on this machine. Called before begin().
  void learn(const Machine &machine, int firstTag, int tags);
  /// Prepares for calls, with a communicator that has no obstacle.
  void begin(OwnCommunicator &own);
  void finish() override;

  /// The planned calls, as all members find them; null if the plan has none.
  const PlannedCalls *find(MpiFunctionId function, MPI_Comm communicator) const;
  /// The learned calls, or null if MPI does such calls in any case.
  LearnedCalls *findLearned(MpiFunctionId function, MPI_Comm communicator);
  void bind(MPI_Comm communicator);
  void drop(MPI_Comm communicator);
  /// Each of the plan's calls, by its number in the plan, may also be left to MPI.
  void takeTurns(const MakeSiteTurns &make);

  MPI_Comm world = MPI_COMM_NULL, self = MPI_COMM_NULL; ///< private

private:
  std::vector<PlannedCalls> planned;
  RecordedCommunicators recorded;
  std::unique_ptr<LearnedCollectives> learned; ///< null with a plan
};

/// Null if there are no such collectives.
inline PlannedCommunicators *plannedCommunicators() { return process.find<PlannedCommunicators>(); }

} // namespace sendwright::irregular

#endif
