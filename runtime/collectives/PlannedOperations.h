// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process knows while collectives are done by a plan.

#ifndef SENDWRIGHT_RUNTIME_COLLECTIVES_PLANNEDOPERATIONS_H
#define SENDWRIGHT_RUNTIME_COLLECTIVES_PLANNEDOPERATIONS_H

#include "analysis/plan/Plan.h"
#include "runtime/base/Process.h"
#include "runtime/base/RecordedCommunicators.h"
#include "runtime/collectives/LocalSchedule.h"
#include "runtime/collectives/Messages.h"
#include "runtime/include/sendwright/collectives.h"

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

namespace sendwright::collectives {

/// A collective of the plan, at a rank that is in its communicator.
struct PlannedOperation {
  const PlannedCollective *collective = nullptr;
  const RankCollective *part = nullptr;
  const SiteIdentity *site = nullptr;
  std::uint32_t rank = 0;           ///< of this process in the communicator
  MPI_Comm handle = MPI_COMM_NULL;  ///< the communicator, while there is one
  std::uint64_t instances = 0;      ///< that have begun
  MPI_Comm library = MPI_COMM_NULL; ///< private, its members in order, for MPI's own function
  bool hasSchedule = false;         ///< made when it is first needed
  LocalSchedule schedule;
  bool refused = false;                        ///< the loop ran as written instead, which was said
  std::unique_ptr<PlannedCollective> asCalled; ///< `collective`, where the plan has another one
};

class PlannedOperations final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::Collectives;

  explicit PlannedOperations(const RankPlan &plan);

  /// Makes the private communicators. Collective over MPI_COMM_WORLD. False where MPI makes none.
  bool begin();
  /// Waits until all that was copied is sent, and frees the communicators.
  void finish() override;

  /// The operation that the plan has for a call at this site, which all ranks of the communicator
  /// find alike, or null. `root`: -1 where there is none.
  PlannedOperation *find(const sendwright_site &site, MPI_Comm communicator, int root,
                         long long first, long long end);
  /// The program, which was told that the operation is planned and left out what precedes it, comes
  /// with another one without a root, as all its ranks do: from here on the plan's is that one, and
  /// each rank sends to every other. Throws std::bad_alloc.
  void followCall(PlannedOperation &operation, Collective called);
  void bind(MPI_Comm communicator);
  void drop(MPI_Comm communicator);

  MPI_Comm world = MPI_COMM_NULL, self = MPI_COMM_NULL; ///< private
  CopiedMessages copied;
  int lastError = MPI_SUCCESS; ///< of the operation that was done last

private:
  bool makeLibraryCommunicator(PlannedOperation &operation);
  PlannedOperation *operationOf(const sendwright_site &site);

  const RankPlan &plan;
  std::deque<PlannedOperation> operations;
  std::unordered_map<const sendwright_site *, PlannedOperation *> known; ///< null: none
  RecordedCommunicators recorded;
};

/// Null where no collectives are done by a plan.
inline PlannedOperations *plannedOperations() { return process.find<PlannedOperations>(); }

} // namespace sendwright::collectives

#endif
