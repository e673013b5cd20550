// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MPI carries on the communicators on which messages may be shared, while learning only
// watches: whether each message that was sent has its receive, and each receive its message. Then
// the runtime may carry all later messages (runtime/sharing/learned/Crossing.h).
//
// A rank adds a hash of (communicator, source, destination, tag) for each message that it sends,
// and subtracts it for each receive that it posts. Each rank reads its sum at some point of its
// own: its cut. If the sums of all ranks add up to 0, then for each such envelope as many messages
// were sent before the sender's cut as receives were posted before the receiver's. MPI matches
// messages and receives of one envelope in their order. So a message that was sent before the cut
// meets a receive that was posted before the cut, and no other; whether MPI has matched them yet
// does not matter. The cuts need not be simultaneous.
//
// A receive of any source or tag counts when it is complete, as a receive of the message that it
// got. Until then its rank cannot tell its sum (isCounted()): it might take any message. A probed
// message counts as received once MPI has taken it out for its receive. What is not seen here (a
// receive that the program cancels) keeps the sum from becoming 0: then MPI carries the messages
// for the rest of the run.
//
// Persistent requests count whenever they start. While one is active its rank cannot tell its sum.
// At the cut the runtime takes them over as its own (ProgramRequests.h): it remembers of each what
// it sends or receives, and MPI will never start it again.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_WATCHEDTRAFFIC_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_WATCHEDTRAFFIC_H

#include "runtime/base/HandleTable.h"
#include "runtime/sharing/planned/ProgramRequests.h"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace sendwright::exchange {

class SharedCommunicator;
class SharedCommunicators;

class WatchedTraffic {
public:
  /// `known` must outlive it.
  explicit WatchedTraffic(SharedCommunicators &known) : known(known) {}

  /// The program sends a message. Constant time on average, as all that follow.
  void noteSend(MPI_Comm communicator, int destination, int tag);
  /// A receive of one source and one tag is posted, or another one is complete.
  void noteReceive(MPI_Comm communicator, int source, int tag);
  /// A receive is posted with this request.
  void notePosted(MPI_Comm communicator, int source, int tag, MPI_Request request);
  /// A persistent send or receive was created; a receive has its own request.
  void notePersistent(MPI_Request request, const PersistentSend &send);
  void notePersistent(std::unique_ptr<PostedReceive> receive);
  /// The program starts the request. Returns the send behind it, or null.
  const PersistentSend *noteStart(MPI_Request request);
  void noteFreed(MPI_Request request);
  bool anyPersistent() const { return !persistent.empty(); }
  bool isPersistent(MPI_Request request) const { return persistent.contains(request); }
  /// A started persistent request is complete.
  void notePersistentDone(MPI_Request request);
  /// All persistent requests are the runtime's from here on; none is active.
  void handOver(ProgramRequests &requests);

  /// The communicator on which the request receives from any source or of any tag;
  /// MPI_COMM_NULL: it does not.
  MPI_Comm wildcardOf(MPI_Request request) const;
  bool anyWildcards() const { return !wildcards.empty(); }
  /// Such a receive is complete.
  void noteCompleted(MPI_Comm communicator, MPI_Request request, const MPI_Status &status);

  /// Modulo 2^64.
  std::uint64_t sum() const { return total; }
  bool isCounted() const { return !isLost && wildcards.empty() && activePersistent == 0; }
  /// Whether it may ever be counted.
  bool mayBeCounted() const { return !isLost; }
  /// Something was not counted.
  void lose() { isLost = true; }
  /// No message is under way, and no receive is posted.
  void restart() { total = 0; }

private:
  struct Persistent {
    std::unique_ptr<PersistentSend> send; ///< or else:
    std::unique_ptr<PostedReceive> receive;
    bool active = false;
  };
  void add(const SharedCommunicator &communicator, int source, int destination, int tag, bool sent);

  SharedCommunicators &known;
  HandleTable<RequestHandle, MPI_Comm> wildcards;
  HandleTable<RequestHandle, Persistent> persistent;
  std::size_t activePersistent = 0;
  std::uint64_t total = 0;
  bool isLost = false;
};

// Called by the wrappers of MPI's functions while learning watches, with the arguments of the
// program's call. None throws.

/// The program sends. `frame`: the lowest address of the wrapper's frame. `mayTravel`: it is not
/// synchronous.
void watchSend(const void *frame, MPI_Comm communicator, int destination, int tag, MPI_Count count,
               MPI_Datatype datatype, bool mayTravel) noexcept;
/// The program waits, or tests.
void watchWait() noexcept;
/// A call that tests or probes returned without what it looked for.
void notePollInVain() noexcept;
void watchPosted(int result, MPI_Comm communicator, int source, int tag,
                 const MPI_Request *request) noexcept;
/// `letter`: of the mode, as in MPI's names: "", "b", "r" or "s".
void watchPersistentSend(const char *letter, const void *buffer, MPI_Count count,
                         MPI_Datatype datatype, int destination, int tag, MPI_Comm communicator,
                         const MPI_Request *request) noexcept;
void watchPersistentReceive(void *buffer, MPI_Count count, MPI_Datatype datatype, int source,
                            int tag, MPI_Comm communicator, const MPI_Request *request) noexcept;
/// `frame`: as above.
void watchStarts(const void *frame, int count, const MPI_Request *requests) noexcept;
void watchFreed(const MPI_Request *request) noexcept;

/// A receive that blocks. If it is of any source or tag, and the program ignores its status, MPI
/// gets a status of the runtime's.
class WatchedReceive {
public:
  WatchedReceive(MPI_Comm communicator, int source, int tag, MPI_Status *&status) noexcept;
  /// `result`: MPI's error code.
  void finish(int result) noexcept;

private:
  MPI_Comm communicator;
  int source, tag;
  MPI_Status own{};
  const MPI_Status *seen = nullptr;
};

/// A probe that takes the message out for its receive.
class WatchedProbe {
public:
  WatchedProbe(MPI_Comm communicator, MPI_Status *&status) noexcept;
  void finish(int result, bool found) noexcept;

private:
  MPI_Comm communicator;
  MPI_Status own{};
  const MPI_Status *seen;
};

/// A call that completes requests: those among them that receive from any source or of any tag,
/// and persistent ones.
class WatchedCompletion {
public:
  /// Replaces `statuses` if the program ignores them and a status is needed.
  WatchedCompletion(int count, const MPI_Request *requests, MPI_Status *&statuses) noexcept;
  /// All requests are complete.
  void all(bool complete) noexcept;
  /// The one with that index is.
  void any(int index) noexcept;
  /// So many are, with those indices.
  void some(int completed, const int *indices) noexcept;

private:
  struct Entry {
    int index;
    MPI_Comm communicator; ///< MPI_COMM_NULL: it does not receive from any source or of any tag
    MPI_Request request;
  };
  void finish(int index, const MPI_Status *status) noexcept;

  std::vector<Entry> entries;
  std::vector<MPI_Status> own;
  const MPI_Status *seen = nullptr;
};

} // namespace sendwright::exchange

#endif
