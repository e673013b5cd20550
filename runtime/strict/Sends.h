// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages under way, from the call that sends them until they are matched. For MPI each is a
// synchronous send, which tells when it is matched; for the program it is complete as soon as it
// has a buffer.

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

/// Where the program made a call: its return address, or else "file:line". The texts live forever.
struct Origin {
  const char *function = "";
  const void *address = nullptr;
  const char *place = nullptr;
};

enum class Buffering {
  Limited,  ///< standard and ready sends: need one of the receiver's buffers, or the receive
  Attached, ///< buffered sends: need space in the buffer that the program attached
  None      ///< synchronous sends: only the receive completes them
};

struct Send {
  std::int64_t number = 0;
  int destination = 0; ///< world rank
  int tag = 0;
  CommunicatorRecords::Record communicator;
  Buffering buffering = Buffering::Limited;
  bool wanted = false;  ///< its receiver was asked for a buffer
  bool granted = false; ///< its receiver granted one
  Origin origin;
  std::unique_ptr<std::byte[]> copy;
  std::size_t attachedBytes = 0;          ///< bytes that it takes of the attached buffer
  MPI_Request request = MPI_REQUEST_NULL; ///< the program's; null for a blocking send
  int signalTag = -1;                     ///< completes that request; -1 once it is complete
  enum { Programs, Ours, OursPersistent } owner = Programs; ///< owner of the request

  bool complete() const { return granted || buffering == Buffering::Attached; }
};

class Sends {
public:
  /// Sends a message. Returns MPI's error code, and no message exists after an error; otherwise
  /// sets `number`. `request` and `signalTag`: the request to be completed with it.
  int issue(const SendArguments &arguments, Buffering buffering, MPI_Request request, int signalTag,
            std::int64_t &number);
  /// The same for a persistent request whose communicator is gone; the message is not copied, and
  /// waits for its receiver. MPI may give `original` another handle.
  int issuePersistent(MPI_Request &original, const SendArguments &arguments,
                      const CommunicatorRecords::Record &communicator, MPI_Request request,
                      int signalTag, std::int64_t &number);

  /// Whether the program may treat the message as complete. True for numbers no longer known.
  bool complete(std::int64_t number) const;
  /// The message's receiver granted it a buffer.
  void grant(std::int64_t number);
  /// Checks which messages were matched: all messages, or only some, so that a loop of n sends
  /// costs O(n).
  void testMatched(bool all);
  /// The program cancels the message.
  void cancel(std::int64_t number);
  /// The program frees the message's request. The message goes on, and keeps the request until it
  /// is complete, because MPICH gives the handle of a receive that was freed early to another.
  /// Returns false if the message is complete, so that the caller may free the request.
  bool adoptRequest(std::int64_t number, bool persistent);
  /// Gives up the messages that are left, as no rank will receive them. `cancel`: MPI must not find
  /// them when it ends.
  void abandonAll();

  const std::map<std::int64_t, std::unique_ptr<Send>> &pending() const { return sends; }
  /// Numbers of matched messages, keyed by receiver.
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
