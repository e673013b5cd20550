// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's handles that stand for messages of the runtime: requests of receives that the
// runtime serves, persistent sends, and probed messages. Each is of MPI, so that all of MPI's
// functions take it; here is what it means.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_PROGRAMREQUESTS_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_PROGRAMREQUESTS_H

#include "runtime/base/HandleTable.h"
#include "runtime/base/HeldSend.h"
#include "runtime/sharing/planned/PostedReceive.h"
#include "runtime/sharing/planned/SharedCommunicator.h"

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

namespace sendwright::exchange {

/// The mode of a send.
enum class Mode { Standard, Buffered, Ready, Synchronous };

/// A persistent send of the program to a rank that it sends to by route. Each start sends a
/// message. If every message is copied, the program's request is one to MPI_PROC_NULL and complete
/// at once (not under SMPI, which does not start such requests). Otherwise it takes an empty
/// message from this process itself, which is sent when the real message is.
struct PersistentSend {
  SendArguments arguments;
  Mode mode = Mode::Standard;
  SharedCommunicator *communicator = nullptr; ///< outlives the program's handle
  bool ownsDatatype = false;
  int trigger = 0;                        ///< tag of the empty message
  MPI_Request message = MPI_REQUEST_NULL; ///< sent by the last start, until it is complete
};

/// A message that the program probed. An empty message from this process gives the program its
/// handle.
struct ClaimedMessage {
  SharedCommunicator *communicator = nullptr;
  SharedCommunicator::Held held{};
  MPI_Request request = MPI_REQUEST_NULL; ///< of the empty message
};

class ProgramRequests {
public:
  /// `self` is a communicator of this process alone, which outlives this; tags go up to `tagLimit`.
  void begin(MPI_Comm self, int tagLimit);
  /// The tag of an empty message of this process, by which a request completes.
  int nextTrigger() { return 1 + static_cast<int>(triggers++ % unsigned(tagLimit - 1)); }

  // Receives. Whoever forgets one releases it.

  /// Its request stands for it from here on.
  void add(PostedReceive &receive) { receives[receive.request] = &receive; }
  /// The receive behind a request, or null.
  PostedReceive *receive(MPI_Request request) const {
    PostedReceive *const *found = receives.find(request);
    return found ? *found : nullptr;
  }
  bool anyReceives() const { return !receives.empty(); }
  void forget(const PostedReceive &receive) { receives.erase(receive.request); }

  // Persistent sends.

  void add(MPI_Request request, const PersistentSend &send);
  PersistentSend *send(MPI_Request request) const {
    const std::unique_ptr<PersistentSend> *found = sends.find(request);
    return found ? found->get() : nullptr;
  }
  /// It was started, and its message is on its way.
  void noteStart(PersistentSend &send);
  /// Completes the requests of those whose messages have left.
  void completeStarts();
  /// Those whose messages are on their way.
  const std::vector<PersistentSend *> &started() const { return underWay; }
  /// The program frees its request. False where there is no such send.
  bool freeSend(MPI_Request request);

  // Probed messages.

  void add(MPI_Message handle, ClaimedMessage message) { claimed[handle] = std::move(message); }
  std::optional<ClaimedMessage> take(MPI_Message handle) { return claimed.take(handle); }

  bool empty() const { return receives.empty() && sends.empty() && claimed.empty(); }
  /// Whether one of them is on that communicator.
  bool use(const SharedCommunicator &communicator) const;

private:
  void signalStart(const PersistentSend &send) const;

  MPI_Comm self = MPI_COMM_NULL;
  int tagLimit = 32767;
  unsigned triggers = 0;
  HandleTable<RequestHandle, PostedReceive *> receives;
  HandleTable<RequestHandle, std::unique_ptr<PersistentSend>> sends;
  std::vector<PersistentSend *> underWay;
  HandleTable<MessageHandle, ClaimedMessage> claimed;
};

} // namespace sendwright::exchange

#endif
