// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who decides how messages travel where no plan does: learning (../learned/). It is given to
// sharing when a run begins, and removed when nothing more can be learned.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_POLICY_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_POLICY_H

#include <mpi.h>

#include <cstdint>

namespace sendwright::exchange {

/// Bytes of the largest message that is shared where routes are learned. A larger message leaves
/// its sender and receiver to MPI.
inline constexpr std::int64_t largestLearned = 32767;

class SharedCommunicator;
struct Target;

class Policy {
public:
  Policy() = default;
  Policy(const Policy &) = delete;
  Policy &operator=(const Policy &) = delete;
  virtual ~Policy() = default;

  /// The program sends a message that the runtime carries. `routable`: it may go by route.
  virtual void noteSend(const void *frame, SharedCommunicator &communicator, const Target &target,
                        std::uint64_t bytes, bool routable) = 0;
  /// A blocking send of the innermost loop has waited until its message was received: by route it
  /// would be copied, and wait for nobody.
  virtual void noteSendWaited() = 0;
  /// The program waits, or tests whether something is complete.
  virtual void noteWait() = 0;
  /// While it watches: a call looked for messages, and found nothing.
  virtual void notePollInVain() = 0;
  /// Whether messages of other ranks may wait here.
  virtual bool passesOn() const = 0;
  /// The program is about to make a blocking collective call on the communicator. Returns false if
  /// nothing more is to be done before it. Collective.
  virtual bool meet(MPI_Comm communicator) = 0;
  /// While it watches: the program is about to make a blocking collective call on the communicator,
  /// or on ranks of another group (MPI_COMM_NULL).
  virtual void callWhileWatching(MPI_Comm communicator) = 0;
  /// Whether the runtime has ever carried messages.
  virtual bool hasCarried() const = 0;
  /// The program is in MPI_Finalize, while it watches.
  virtual void endWatching() = 0;
  /// Whether all ranks meet before the next blocking collective call on the world.
  virtual bool meetsNext() const = 0;
  /// Called in every progress.
  virtual void lookAfter() = 0;
  /// The program frees the communicator.
  virtual void drop(SharedCommunicator &communicator) = 0;
  /// Whether there are still routes of messages on it.
  virtual bool uses(const SharedCommunicator &communicator) const = 0;
  /// Receives what any rank has sent. Collective; all ranks are in MPI_Finalize, and wait for
  /// nothing.
  virtual void end() = 0;
};

} // namespace sendwright::exchange

#endif
