// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting for other ranks by point-to-point messages on the private communicator.
//
// For a group: dissemination (D. Hensgen, R. Finkel and U. Manber, Two algorithms for barrier
// synchronization, 1988). In round j a rank tells the rank 2^j places behind it and waits for the
// rank 2^j places before it, so every pair exchanges at most one message for each group, in the
// order of the groups. For neighbours (analysis/epochs/steps/BoundaryTokens.h): one message for
// each pair in the plan.
//
// MPI_Barrier cannot be abandoned; these messages can say that their sender no longer takes part.
//
// At the end all ranks must know whether any rank left: only then may there be messages that no
// rank waited for. This takes one more dissemination, of log2(ranks) messages for each rank.

#ifndef SENDWRIGHT_RUNTIME_SYNCHRONIZATION_MEETINGTOKENS_H
#define SENDWRIGHT_RUNTIME_SYNCHRONIZATION_MEETINGTOKENS_H

#include "runtime/base/PrivateCommunicator.h"

#include <mpi.h>

#include <deque>
#include <set>
#include <vector>

namespace sendwright::synchronization {

class MeetingTokens {
public:
  /// `groups`: the groups with which this rank will wait; an empty group means all ranks.
  /// `listeners`: the ranks that it will tell.
  MeetingTokens(const std::vector<std::vector<int>> &groups,
                const std::vector<std::vector<int>> &listeners);

  /// Takes tags of the private communicator, which must outlive this, before anything else is
  /// called. False if MPI has too few.
  bool begin(PrivateCommunicator &privateWorld);

  /// Waits until all ranks of the group have called this. False if one of them no longer takes
  /// part. 2 log2(size) messages.
  bool waitFor(const std::vector<int> &group);

  /// Tells `listeners`, who may never listen; does not wait.
  void announce(const std::vector<int> &listeners);
  /// Waits until `source` has announced once more. False if it no longer takes part.
  bool waitForAnnouncement(int source) { return receiveFrom(source); }

  /// Tells all ranks that would wait for this one, once, that it no longer takes part.
  /// `unrecorded`: because some rank makes a call that no profile records.
  void abandon(bool unrecorded);
  /// Whether another rank left because of such a call.
  bool heardOfUnrecorded() const { return unrecorded; }

  /// Receives what is still under way. Collective; true if any rank says
  /// that it `left`.
  bool finish(bool left);

private:
  struct Outgoing {
    int content = 0;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  int sizeOf(const std::vector<int> &group) const;
  int memberOf(const std::vector<int> &group, int place) const;
  int placeIn(const std::vector<int> &group) const;
  enum class Purpose { Boundary, End };
  int tagOf(Purpose purpose) const { return firstTag + static_cast<int>(purpose); }

  void send(int destination, int content, Purpose purpose = Purpose::Boundary);
  bool receiveFrom(int source, Purpose purpose = Purpose::Boundary);
  void takeIn();

  MPI_Comm communicator = MPI_COMM_NULL;
  int firstTag = 0, rank = 0, ranks = 1;
  bool unrecorded = false;
  std::set<int> waiters; ///< ranks that wait for this one in some round of some group
  bool abandoned = false;
  std::deque<Outgoing> outgoing; ///< oldest first
};

} // namespace sendwright::synchronization

#endif
