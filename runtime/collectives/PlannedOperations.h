// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process keeps while collectives are carried out by a plan.

#ifndef SENDWRIGHT_RUNTIME_COLLECTIVES_PLANNEDOPERATIONS_H
#define SENDWRIGHT_RUNTIME_COLLECTIVES_PLANNEDOPERATIONS_H

#include "analysis/plan/Plan.h"
#include "runtime/base/PrivateCommunicator.h"
#include "runtime/base/Process.h"
#include "runtime/base/RecordedCommunicators.h"
#include "runtime/batch/SiteTurns.h"
#include "runtime/collectives/LocalSchedule.h"
#include "runtime/collectives/Messages.h"
#include "runtime/include/sendwright/collectives.h"

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

namespace sendwright::collectives {

/// A collective of the plan, on a rank in its communicator.
struct PlannedOperation {
  const PlannedCollective *collective = nullptr;
  const RankCollective *part = nullptr;
  const SiteIdentity *site = nullptr;
  std::uint32_t rank = 0;           ///< of this process in the communicator
  MPI_Comm handle = MPI_COMM_NULL;  ///< the communicator, while it exists
  std::uint64_t instances = 0;      ///< number begun so far
  MPI_Comm library = MPI_COMM_NULL; ///< private, with its members in order, for MPI's own function
  bool hasSchedule = false;         ///< computed on first use
  LocalSchedule schedule;
  SiteTurns *turns = nullptr; ///< null: all executions run as planned
  bool refused = false;       ///< the loop ran as written, which was reported
  /// What the program calls if it differs from the plan; then `collective` points to it.
  std::unique_ptr<PlannedCollective> calledCollective;
};

class PlannedOperations final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::Collectives;

  explicit PlannedOperations(const RankCountPlan &plan);

  /// Takes tags of the private communicator, which must outlive this, and creates others if
  /// functions of MPI are planned. Collective over MPI_COMM_WORLD. False if MPI cannot.
  bool begin(PrivateCommunicator &communicator);
  /// Waits until all copied messages are sent, and frees the communicators.
  void finish() override;

  /// The planned operation for a call at this site, which all ranks of the communicator find in the
  /// same way, or null. `root`: -1 if there is none.
  PlannedOperation *find(const sendwright_site &site, MPI_Comm communicator, int root,
                         long long first, long long end);
  /// The program was told that the operation is planned and has skipped what precedes it, but calls
  /// a different operation without a root, as all its ranks do: from here on the plan's operation
  /// is the called one, and each rank sends to every other. Throws std::bad_alloc.
  void followCall(PlannedOperation &operation, Collective called);
  /// Lets executions take turns as planned and as written.
  void takeTurns(const MakeSiteTurns &make);
  void bind(MPI_Comm communicator);
  void drop(MPI_Comm communicator);

  int tagOf(std::uint32_t collective, MessagePart part) const {
    return firstTag + static_cast<int>(collective) * messageParts + static_cast<int>(part);
  }

  MPI_Comm world = MPI_COMM_NULL, self = MPI_COMM_NULL; ///< private
  CopiedMessages copied;
  int lastError = MPI_SUCCESS; ///< of the last operation carried out

private:
  bool makeLibraryCommunicator(PlannedOperation &operation);
  PlannedOperation *operationOf(const sendwright_site &site);

  const std::vector<SitePlan> &sites;
  const PlannedCollectives &planned;
  std::deque<PlannedOperation> operations;
  std::unordered_map<const sendwright_site *, PlannedOperation *> known; ///< null: not in the plan
  RecordedCommunicators recorded;
  int firstTag = 0; ///< of the plan's collectives
};

/// Null if no collectives are carried out by a plan.
inline PlannedOperations *plannedOperations() { return process.find<PlannedOperations>(); }

} // namespace sendwright::collectives

#endif
