// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages under way, from the call that sends them until they are matched. Each is a synchronous
// send for MPI, which tells when that is; for the program it is complete as soon as it has a
// buffer.

#ifndef SENDWRIGHT_RUNTIME_STRICT_SENDS_H
#define SENDWRIGHT_RUNTIME_STRICT_SENDS_H

#include "runtime/base/HeldSend.h"
#include "runtime/strict/CommunicatorRecords.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace sendwright::strict {

/// Where the program made a call: what it returns to, or else "file:line". The texts live for good.
struct Origin {
  const char *function = "";
  const void *address = nullptr;
  const char *place = nullptr;
};

enum class Buffering {
  Limited,  ///< standard and ready sends: one of the receiver's buffers, or the receive
  Attached, ///< buffered sends: the buffer that the program attached
  None      ///< synchronous sends: only the receive completes them
};

struct Send {
  std::int64_t number = 0;
  int destination = 0; ///< world rank
  int tag = 0;
  CommunicatorRecords::Record communicator;
  Buffering buffering = Buffering::Limited;
  bool wanted = false;  ///< its receiver was asked for a buffer
  bool granted = false; ///< and gave one
  Origin origin;
  std::unique_ptr<std::byte[]> copy;
  std::size_t attachedBytes = 0;          ///< what it takes of the attached buffer
  MPI_Request request = MPI_REQUEST_NULL; ///< the program's, null for a blocking send
  int signalTag = -1;                     ///< by which that request is completed, -1 once it is
  enum { Programs, Ours, OursPersistent } owner = Programs; ///< of the request

  bool complete() const { return granted || buffering == Buffering::Attached; }
};

class Sends {
public:
  /// Sends a message. Returns MPI's error code, and then there is no message; otherwise its number
  /// is in `number`. `request` and `signalTag`: what is to be completed with it.
  int issue(const SendArguments &arguments, Buffering buffering, MPI_Request request, int signalTag,
            std::int64_t &number);
  /// The same for a persistent request whose communicator is gone; it is not copied, and waits for
  /// its receiver. MPI may give `original` another handle.
  int issuePersistent(MPI_Request &original, const SendArguments &arguments,
                      const CommunicatorRecords::Record &communicator, MPI_Request request,
                      int signalTag, std::int64_t &number);

  /// Whether the program may take it for complete. True for numbers that are not known any more.
  bool complete(std::int64_t number) const;
  /// Its receiver granted it a buffer.
  void grant(std::int64_t number);
  /// Looks which messages were matched: at all, or at some, so that a loop of n sends costs O(n).
  void testMatched(bool all);
  /// The program cancels it.
  void cancel(std::int64_t number);
  /// The program frees its request; the message goes on, and keeps the request until it is complete
  /// (MPICH gives the handle of a receive that was freed early to another). False where it is
  /// complete, so that the caller may free the request.
  bool adoptRequest(std::int64_t number, bool persistent);
  /// Nobody will receive what is left: gives it up. `cancel`: MPI must not find it when it ends.
  void abandonAll();

  const std::map<std::int64_t, std::unique_ptr<Send>> &pending() const { return sends; }
  /// Matched messages by receiver.
  const std::map<std::int64_t, std::int64_t> &matchedTo() const { return matched; }

  // The program's attached buffer.
  void attach(std::size_t bytes) { attachedSize = bytes; }
  bool attachedInUse() const { return attachedUsed > 0; }

private:
  int start(Send &send, const SendArguments &arguments, MPI_Request *started);
  void enroll(std::unique_ptr<Send> send, MPI_Request started);
  void wantBuffer(Send &send);
  void signal(Send &send, bool cancelled = false);
  void finish(Send &send, const MPI_Status &status);
  void compact();

  std::map<std::int64_t, std::unique_ptr<Send>> sends;
  std::vector<MPI_Request> started; ///< of the messages in `ofStarted`
  std::vector<Send *> ofStarted;
  std::vector<int> indices;
  std::vector<MPI_Status> statuses;
  std::size_t nextTested = 0;
  std::int64_t last = 0;
  std::map<std::int64_t, std::int64_t> matched;
  std::size_t attachedSize = 0, attachedUsed = 0;
};

} // namespace sendwright::strict

#endif
