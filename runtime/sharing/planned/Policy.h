// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who decides by which ways messages travel where no plan does: learning (../learned/). It is given
// to sharing when a run begins, and taken away where nothing more is to be learned.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_POLICY_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_POLICY_H

#include <mpi.h>

#include <cstdint>

namespace sendwright::exchange {

class SharedCommunicator;
struct Target;

class Policy {
public:
  Policy() = default;
  Policy(const Policy &) = delete;
  Policy &operator=(const Policy &) = delete;
  virtual ~Policy() = default;

  /// The program sends a message that travels with the runtime. `routable`: it may go by route.
  virtual void noteSend(const void *frame, SharedCommunicator &communicator, const Target &target,
                        int tag, std::uint64_t bytes, bool routable) = 0;
  /// A blocking send of the innermost loop has waited until its message was taken: by route it is
  /// copied, and waits for nobody.
  virtual void noteSendWaited() = 0;
  /// The program waits, or looks whether something is complete.
  virtual void noteWait() = 0;
  /// Whether messages of others may wait here.
  virtual bool passesOn() const = 0;
  /// The program is about to make a blocking collective call on the communicator. False: nothing
  /// more is to be done before it. Collective.
  virtual bool meet(MPI_Comm communicator) = 0;
  /// Part of every progress.
  virtual void lookAfter() = 0;
  /// The program frees the communicator.
  virtual void drop(SharedCommunicator &communicator) = 0;
  /// Whether routes of messages on it are still there.
  virtual bool uses(const SharedCommunicator &communicator) const = 0;
  /// Takes in what any rank has sent. Collective; all ranks are in MPI_Finalize, and wait for
  /// nothing.
  virtual void end() = 0;
};

} // namespace sendwright::exchange

#endif
