// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's handles that stand for messages of the runtime: requests of receives that the
// runtime serves, persistent sends, and probed messages. Each handle is MPI's own, so that all MPI
// functions accept it; this file keeps what it means.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_PROGRAMREQUESTS_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_PROGRAMREQUESTS_H

#include "runtime/base/HandleTable.h"
#include "runtime/base/HeldSend.h"
#include "runtime/sharing/planned/PostedReceive.h"
#include "runtime/sharing/planned/SharedCommunicator.h"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace sendwright::exchange {

/// The mode of a send.
enum class Mode { Standard, Buffered, Ready, Synchronous };

/// A persistent send of the program to a rank that it sends to by route. Each start sends a
/// message.
struct PersistentSend {
  SendArguments arguments;
  Mode mode = Mode::Standard;
  SharedCommunicator *communicator = nullptr; ///< outlives the program's handle
  bool ownsDatatype = false;
  bool isAlwaysCopied = false;            ///< each message is complete when it is started
  bool active = false;                    ///< started, and not yet seen complete by the program
  MPI_Request message = MPI_REQUEST_NULL; ///< sent by the last start, until it is complete
};

/// The persistent send that the arguments describe, or nothing if the runtime cannot serve it. Its
/// datatype is the program's.
std::optional<PersistentSend> servedSend(SharedCommunicator *communicator, Mode mode,
                                         const SendArguments &arguments);
/// Likewise a persistent receive, without its request; or null.
std::unique_ptr<PostedReceive> servedReceive(SharedCommunicator *communicator, void *buffer,
                                             int count, MPI_Datatype datatype, int source, int tag,
                                             MPI_Comm handle);

/// How far a persistent request of the runtime is. MPI's request behind the handle is never
/// started, so for MPI it is inactive: calls that complete requests ask here instead.
enum class PersistentState { NotOurs, Inactive, UnderWay, Done };

/// A message that the program probed. An empty message from this process gives the program its
/// handle.
struct ClaimedMessage {
  SharedCommunicator *communicator = nullptr;
  SharedCommunicator::Held held{};
  MPI_Request request = MPI_REQUEST_NULL; ///< of the empty message
};

class ProgramRequests {
public:
  /// `self` is a communicator of this process alone, which must outlive this; tags go up to
  /// `tagLimit`.
  void begin(MPI_Comm self, int tagLimit);
  /// A persistent request of MPI's that is never started, as a handle for the program. Returns
  /// MPI's error code.
  int makeHandle(MPI_Request *request) const;
  PersistentState persistentState(MPI_Request request) const;
  bool anyPersistent() const { return persistentReceives != 0 || !sends.empty(); }

  /// A tag for an empty message of this process that completes a request.
  int nextTrigger() { return 1 + static_cast<int>(triggers++ % unsigned(tagLimit - 1)); }

  // Receives. Whoever forgets a receive must release it.

  /// From here on, the receive's request stands for it.
  void add(PostedReceive &receive) {
    receives[receive.request] = &receive;
    persistentReceives += receive.persistent ? 1 : 0;
  }
  /// The receive behind a request, or null.
  PostedReceive *receive(MPI_Request request) const {
    PostedReceive *const *found = receives.find(request);
    return found ? *found : nullptr;
  }
  bool anyReceives() const { return !receives.empty(); }
  void forget(const PostedReceive &receive) {
    receives.erase(receive.request);
    persistentReceives -= receive.persistent ? 1 : 0;
  }

  // Persistent sends.

  void add(MPI_Request request, const PersistentSend &send);
  PersistentSend *send(MPI_Request request) const {
    const std::unique_ptr<PersistentSend> *found = sends.find(request);
    return found ? found->get() : nullptr;
  }
  /// The send was started, and its message is under way.
  void noteStart(PersistentSend &send);
  /// Looks which messages of started sends have left.
  void completeStarts();
  /// The sends whose messages are under way.
  const std::vector<PersistentSend *> &started() const { return underWay; }
  /// The program frees the send's request. False if there is no such send.
  bool freeSend(MPI_Request request);

  // Probed messages.

  void add(MPI_Message handle, ClaimedMessage message) { claimed[handle] = std::move(message); }
  std::optional<ClaimedMessage> take(MPI_Message handle) { return claimed.take(handle); }

  bool empty() const { return receives.empty() && sends.empty() && claimed.empty(); }
  /// Whether a probed message is on that communicator.
  bool use(const SharedCommunicator &communicator) const;

private:
  MPI_Comm self = MPI_COMM_NULL;
  int tagLimit = 32767;
  unsigned triggers = 0;
  HandleTable<RequestHandle, PostedReceive *> receives;
  std::size_t persistentReceives = 0;
  HandleTable<RequestHandle, std::unique_ptr<PersistentSend>> sends;
  std::vector<PersistentSend *> underWay;
  HandleTable<MessageHandle, ClaimedMessage> claimed;
};

} // namespace sendwright::exchange

#endif
