// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program's requests stand for.
//
// A request for a send is complete when the message has a buffer, which MPI does not know. So the
// program gets a request for an empty receive from itself on a private communicator, and the
// runtime sends that message when the time has come. MPI does the rest, in all its functions.
//
// An entry is removed when its request is complete, because MPI may then give the handle to another
// request.

#ifndef SENDWRIGHT_RUNTIME_STRICT_REQUESTS_H
#define SENDWRIGHT_RUNTIME_STRICT_REQUESTS_H

#include "runtime/base/HandleTable.h"
#include "runtime/strict/Sends.h"

#include <mpi.h>

#include <memory>

namespace sendwright::strict {

struct Operation {
  enum Kind { Sending, Receiving, Collective, Other };
  Kind kind = Other;
  bool persistent = false;
  bool active = true;
  Origin origin;
  CommunicatorRecords::Record communicator;
  int peer = 0, tag = 0;   ///< of a receive; `peer` is a rank in the communicator
  std::int64_t number = 0; ///< of the message sent; of the collective on its communicator
  // of the message sent; of the collective on its communicator
  SendArguments arguments{}; ///< the datatype is the runtime's own duplicate
  Buffering buffering = Buffering::Limited;
  MPI_Request original = MPI_REQUEST_NULL; ///< MPI's request, which keeps the communicator alive
  int signalTag = -1;
};

class Requests {
public:
  /// Creates the request that a send completes by complete(tag).
  MPI_Request make(bool persistent, int &signalTag);
  /// Completes that request.
  static void complete(int signalTag);

  void note(MPI_Request request, Operation operation);
  Operation *find(MPI_Request request);
  /// The message of a send's request is complete.
  void sendCompleted(MPI_Request request);
  /// MPI completed the request, whose handle was `request` before; counts the received message.
  void completed(MPI_Request request, const MPI_Status &status);
  /// The program frees the request. Returns true if the runtime still needs it and frees it later.
  bool freed(MPI_Request request);
  /// Counts a completed receive. `peer`: its rank in the communicator.
  void countReceived(const CommunicatorRecord &communicator, int peer);

  /// Messages received, keyed by sender, including those whose requests are complete but not tested
  /// yet.
  std::map<std::int64_t, std::int64_t> receivedFrom() const;
  /// Visits the receives that wait for a message.
  template <typename Visit> void forEachPosted(Visit visit) const {
    known.forEach([&](MPI_Request request, const std::unique_ptr<Operation> &operation) {
      if (operation->kind == Operation::Receiving && operation->active && !isComplete(request))
        visit(*operation);
    });
  }
  static bool isComplete(MPI_Request request, MPI_Status *status = MPI_STATUS_IGNORE);

  bool uncounted = false; ///< received messages are missing from receivedFrom()

private:
  /// Operations stay where they are: a start of one may complete others.
  HandleTable<RequestHandle, std::unique_ptr<Operation>> known;
  std::map<std::int64_t, std::int64_t> received;
  int lastTag = 0;
};

} // namespace sendwright::strict

#endif
