// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharing pauses for some time and then goes on, so that executions of its loops can be compared
// with executions as written (runtime/verification). While it pauses, MPI carries all messages as
// if there were no plan: the runtime adds neither a copy nor a header, and takes part in no wait.
//
// A pause begins and ends at a blocking collective call of all ranks, at the same call on all of
// them: one before which ranks meet anyway, or make a promise (CollectiveEntry.h). No message may
// be sent in one way and received in the other. So
//
//   - a pause begins only if no rank has an open batch or a request of the runtime, and no message
//     of the runtime waits or is under way;
//   - a pause ends only if the messages that were sent in it are the messages for which a receive
//     was begun. Each rank adds up a hash of the envelope of each message and each receive on
//     planned pairs. If the sum over all ranks is 0, every message has its receive, and whatever
//     is still to be completed, MPI completes. A receive of any source or tag, a matched probe or
//     a new persistent request has no envelope yet: then the pause does not end any more.
//
// If the condition does not hold at a call, the next call is tried. All ranks decide by the same
// reduced numbers. Between two turns of one kind nothing happens but a count.
//
// A turn takes a number of collective calls, which is found in the first calls so that each turn
// has about as many executions as SiteTurns wants. If the calls repeat with a short period, a pause
// takes a multiple of it: then promises still fit when sharing goes on, as if the calls in the
// pause had not been made. Otherwise the first calls after it are unexpected.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_PAUSES_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_PAUSES_H

#include "runtime/batch/SiteTurns.h"

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace sendwright::exchange {

class MessageSharing;

class Pauses {
public:
  /// `sharing` must outlive it.
  explicit Pauses(MessageSharing &sharing) : sharing(sharing) {}

  /// A site of the plan's exchanges. All ranks add the same sites.
  void add(SiteTurns *turns) { sites.push_back(turns); }
  /// All ranks are about to make a blocking collective call on the communicator on which promises
  /// are made. While sharing pauses, nothing else is done for the call; otherwise the rank may
  /// enter it now.
  void atCall(MPI_Comm communicator);
  /// The program frees the communicator.
  void drop(MPI_Comm communicator);

  // While sharing pauses:
  void noteSent(MPI_Comm communicator, int destination, int tag);
  void noteReceive(MPI_Comm communicator, int source, int tag);
  /// The call may send or receive what has no envelope yet.
  void noteUnknown(MPI_Comm communicator);

private:
  bool isQuiet() const;
  bool canPause(MPI_Comm communicator);
  bool canGoOn(MPI_Comm communicator) const;
  bool takeInAll();
  bool change(MPI_Comm communicator);
  void setLength(MPI_Comm communicator);
  std::uint64_t wanted() const;
  std::uint64_t firstCalls() const;
  std::uint64_t callsOfTurn() const;
  void nextTurn();

  MessageSharing &sharing;
  std::vector<SiteTurns *> sites;
  MPI_Comm where = MPI_COMM_NULL; ///< whose calls are counted
  std::uint64_t calls = 0;        ///< in this turn
  std::uint64_t length = 0;       ///< calls of a turn; 0: not known yet
  std::uint64_t period = 0;       ///< of the calls when sharing paused; 0: none, or a long one
  int failures = 0;               ///< to begin or end a pause, in a row
  std::uint64_t balance = 0;      ///< hashes of messages, less those of receives, in this pause
  std::uint64_t unknown = 0;      ///< calls without an envelope in this pause
};

} // namespace sendwright::exchange

#endif
