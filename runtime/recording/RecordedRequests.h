// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's incomplete requests, and the small numbers by which the profile knows them. A new
// request gets the smallest free number, in whatever order earlier requests completed, so that
// every round of a loop gives the same numbers.
//
// One handle may stand for several requests: MPI implementations return a common handle for sends
// that complete at once. Such requests are distinguished by age only, the oldest completing first,
// as they are all complete.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_RECORDEDREQUESTS_H
#define SENDWRIGHT_RUNTIME_RECORDING_RECORDEDREQUESTS_H

#include "analysis/mpi/MpiFunctions.h"
#include "runtime/base/HandleTable.h"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// What completing calls need to know about a request.
struct RecordedRequest {
  int number = -1;       ///< -1: unknown, or persistent and not started
  bool wildcard = false; ///< a receive whose match is known at completion
  int communicator = 0;  ///< index in the profile
  bool paired = false;   ///< the handle's next request completes with it
};

/// The requests of one handle that complete together: one, or both halves of a call that sends and
/// receives. The others have no number.
using TakenRequests = std::array<RecordedRequest, 2>;

/// What happens when a persistent request is started.
struct PersistentCall {
  MpiFunctionId function; ///< the nonblocking call of its mode
  int peer, tag, communicator;
  std::uint64_t bytes;
  bool wildcard;
};

/// Not thread-safe. All operations take constant time on average; may throw std::bad_alloc.
class RecordedRequests {
public:
  /// A call returned `handle`; returns the number for it.
  int open(MPI_Request handle, bool wildcard, int communicator);
  /// A call that sends and receives returned `handle`; the numbers of both halves, which complete
  /// together.
  struct Pair {
    int sent, received;
  };
  Pair openPair(MPI_Request handle, bool wildcard, int communicator);
  /// The oldest request of this handle; it stays.
  RecordedRequest find(MPI_Request handle) const;
  /// The number of this request, for which another thread may be waiting; -1 if it is unknown.
  int numberToCancel(MPI_Request handle) const;
  /// Takes the oldest request of this handle, and the other half of a pair, before a call that may
  /// complete or free it. They keep their numbers, but find() does not know them: MPI may give the
  /// handle to another thread before that call returns.
  TakenRequests take(MPI_Request handle);
  /// They were taken, and are not complete. What was taken last is put back first.
  void putBack(MPI_Request handle, const TakenRequests &taken);
  /// It was taken, and is complete: its number becomes free. A persistent request can be started
  /// again.
  void close(const RecordedRequest &request);

  void openPersistent(MPI_Request handle, const PersistentCall &call) {
    persistent[handle] = {call, -1};
  }
  /// What starting `before` does, or null. Also notes that it was started as `number` by a call
  /// that returned `handle`: Open MPI may return another handle.
  const PersistentCall *start(MPI_Request before, MPI_Request handle, int &number);
  void freePersistent(MPI_Request handle) { persistent.erase(handle); }

  /// The number of open receives with a wildcard.
  std::size_t openWildcards() const { return wildcards; }
  std::size_t memory() const;

private:
  struct Entry {
    int next = -1; ///< the next younger request of the same handle
    bool wildcard = false;
    int communicator = 0;
    bool paired = false;
    MPI_Request takenFrom = MPI_REQUEST_NULL; ///< its handle, while it is taken
  };
  struct Queue { ///< the requests of one handle
    int oldest = -1, youngest = -1;
  };
  struct Persistent {
    PersistentCall call;
    int number = -1;
  };

  int takeNumber();
  void freeNumber(int number);
  RecordedRequest takeOne(MPI_Request handle);
  void putBackOne(MPI_Request handle, const RecordedRequest &request);

  std::vector<Entry> entries;          ///< indexed by number
  std::vector<std::uint64_t> freeBits; ///< a set bit: the number is free
  std::size_t firstFree = 0;           ///< no word of freeBits before this one has a set bit
  HandleTable<RequestHandle, Queue> queues;
  std::size_t wildcards = 0;
  HandleTable<RequestHandle, Persistent> persistent;
};

} // namespace sendwright

#endif
