// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends. A message to a rank that is sent to by route is copied into a combined message if the plan
// has it and its exchange is open; otherwise it goes directly, in a record of its own. A large
// message is only announced by its record, and comes from the program's buffer, unless its loop
// completes early. MPI handles all other sends, in a loop that makes progress if they block.

#include "runtime/batch/Batch.h"
#include "runtime/batch/Flush.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/sharing/planned/Policy.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <climits>
#include <new>

namespace sendwright::exchange {

namespace {

constexpr MPI_Count copiedBytes = 16384;        ///< larger messages that go directly are announced
constexpr MPI_Count leftBytes = largestLearned; ///< a larger message leaves its pair to MPI

/// The message as MPI_Pack() gives it, of `bytes` bytes; empty if MPI rejects it.
std::span<const std::byte> pack(const SendArguments &a, const DatatypeShape &shape,
                                MPI_Count bytes) {
  if (shape.plain || bytes == 0)
    return {static_cast<const std::byte *>(a.buffer), static_cast<std::size_t>(bytes)};
  const MPI_Comm self = messageSharing()->self(); // the program may have freed its communicator
  int size = 0, position = 0;
  if (PMPI_Pack_size(a.count, a.datatype, self, &size) != MPI_SUCCESS)
    return {};
  std::byte *packed = messageSharing()->packingRoom(static_cast<std::size_t>(size));
  if (!packsFromNull && !a.buffer) {
    MPI_Status status;
    if (PMPI_Sendrecv(a.buffer, a.count, a.datatype, 0, 0, packed, size, MPI_PACKED, 0, 0, self,
                      &status) != MPI_SUCCESS)
      return {};
    PMPI_Get_count(&status, MPI_PACKED, &position);
  } else if (PMPI_Pack(a.buffer, a.count, a.datatype, packed, size, &position, self) !=
             MPI_SUCCESS) {
    return {};
  }
  return {packed, static_cast<std::size_t>(position)};
}

bool canPack(const DatatypeShape &shape, MPI_Count bytes) {
  return shape.plain || bytes <= INT_MAX / 2;
}

bool isAlwaysCopied(Mode mode, const DatatypeShape &shape, MPI_Count bytes) {
  return mode != Mode::Synchronous && canPack(shape, bytes) &&
         (bytes <= copiedBytes || mode == Mode::Buffered);
}

/// Also if the receiver may be inside a collective call, where it serves no announced message.
bool isCopiedNow(Mode mode, const DatatypeShape &shape, MPI_Count bytes) {
  MessageSharing &sharing = *messageSharing();
  return isAlwaysCopied(mode, shape, bytes) ||
         (canPack(shape, bytes) &&
          (bytes <= copiedBytes || sharing.policy() || sharing.collectiveEntry().promises()));
}

/// Whether the program's loop does not wait for its receivers (early completion), and a copy has
/// room among those under way.
bool leavesEarly(const void *frame, Mode mode, const DatatypeShape &shape, MPI_Count bytes) {
  const CopySender *sender = mode == Mode::Standard ? openSender(frame) : nullptr;
  if (!sender || !canPack(shape, bytes) || !sender->takes(bytes))
    return false;
  Link &link = messageSharing()->link();
  const auto hasRoom = [&] {
    return link.bytesUnderWay() + static_cast<std::uint64_t>(bytes) <= sender->limit();
  };
  if (!hasRoom())
    link.takeSent();
  return hasRoom();
}

/// MPI's function for a message that is not copied. MPI copies a buffered message into the buffer
/// that the program attached, because its sender must not wait.
auto *sendInPlace(Mode mode) {
  switch (mode) {
  case Mode::Synchronous:
    return PMPI_Issend;
  case Mode::Buffered:
    return PMPI_Ibsend;
  default:
    return PMPI_Isend;
  }
}

/// Who takes the message into a combined message, and where; null if it goes directly.
struct OpenRoute {
  RouteTaker *taker = nullptr;
  const FirstHop *hop = nullptr;
  explicit operator bool() const { return hop; }
};

RouteTaker *openTaker(const void *frame) {
  const Batch *batch = openBatch(frame);
  return batch ? static_cast<RouteTaker *>(batch->taker()) : nullptr;
}

/// MPI carries a message, or the loop sends it although its plan does not have it.
void noteOther(const void *frame) {
  if (RouteTaker *open = messageSharing()->policy() ? nullptr : openTaker(frame))
    open->noteOther();
}

OpenRoute openRoute(const void *frame, const Target &target, int tag) {
  if (target.routes.empty()) {
    noteOther(frame);
    return {};
  }
  RouteTaker *open = openTaker(frame);
  const FirstHop *hop = open ? open->hopOf(target, tag) : nullptr;
  if (open && !hop)
    open->noteOther();
  return {open, hop};
}

/// MPI carries the message of the program's call.
void noteByMpi(const void *frame, const SendArguments &a) {
  messageSharing()->trafficOfMpi().noteSend(a.communicator, a.destination, a.tag);
  if (a.destination >= 0)
    noteOther(frame);
}

/// Announces the message, and sends it from the program's buffer.
int sendAnnounced(SharedCommunicator &communicator, Target &target, Mode mode,
                  const SendArguments &a, Record record, MPI_Request *request) {
  MessageSharing &sharing = *messageSharing();
  const int payloadTag = sharing.nextPayloadTag();
  const std::uint64_t told = static_cast<std::uint64_t>(payloadTag);
  sharing.collectiveEntry().noteAnnounced();
  sharing.notices().noteAnnounced();
  sharing.noteReasonToMeet();
  record.place = communicator.index | announced | (mode == Mode::Synchronous ? synchronous : 0);
  std::vector<std::byte> message = sharing.link().buffer();
  std::memcpy(append(message, record), &told, sizeof told);
  sharing.link().send(target.worldRank, straightKind, 0, std::move(message));
  MPI_Request own = MPI_REQUEST_NULL;
  int error = sendInPlace(mode)(a.buffer, a.count, a.datatype, target.worldRank, payloadTag,
                                sharing.link().communicator(), request ? request : &own);
  if (error == MPI_SUCCESS && !request) {
    error = waitForRequest(&own, MPI_STATUS_IGNORE, "MPI_Send");
    if (sharing.policy())
      sharing.policy()->noteSendWaited();
  }
  return raise(a.communicator, error);
}

/// Copies the message into the combined message of its first hop, or sends it directly.
void sendCopy(const OpenRoute &route, const SharedCommunicator &communicator, const Target &target,
              Record record, Mode mode, std::span<const std::byte> packed) {
  Link &link = messageSharing()->link();
  std::vector<std::byte> message;
  std::byte *room = nullptr;
  if (route) {
    room = route.taker->capture(target, *route.hop, record);
  } else {
    record.place = communicator.index | (mode == Mode::Synchronous ? synchronous : 0);
    message = link.buffer();
    room = append(message, record);
  }
  if (!packed.empty())
    std::memcpy(room, packed.data(), packed.size());
  if (!route)
    link.send(target.worldRank, straightKind, 0, std::move(message));
}

/// Sends from the program's buffer, and waits if the program does.
int sendFromBuffer(Mode mode, const SendArguments &a, MPI_Request *request) {
  MPI_Request own = MPI_REQUEST_NULL;
  const int error = sendInPlace(mode)(a.buffer, a.count, a.datatype, a.destination, a.tag,
                                      a.communicator, request ? request : &own);
  return error == MPI_SUCCESS && !request ? waitForRequest(&own, MPI_STATUS_IGNORE, "MPI_Send")
                                          : error;
}

/// Sends to a member whose messages MPI carries. A member that has not heard of that may be in a
/// collective call, so nobody waits for it; nor for any member at the start of a persistent send,
/// where there may be no request.
int sendByMpi(const Target &target, Mode mode, const SendArguments &a, MPI_Request *request) {
  flushBatches();
  const DatatypeShape shape = shapeOf(a.datatype);
  const MPI_Count bytes = shape.size * a.count;
  const bool copied = (!target.knows || !request) && mode != Mode::Synchronous &&
                      canPack(shape, bytes) && bytes <= INT_MAX / 2;
  if (!copied)
    return raise(a.communicator, sendFromBuffer(mode, a, request));
  const std::span<const std::byte> packed = pack(a, shape, bytes);
  if (packed.empty() && bytes != 0)
    return raise(a.communicator, MPI_ERR_TYPE);
  const int error = messageSharing()->sendKept(packed, a);
  return error == MPI_SUCCESS ? completeRequest(a.communicator, MPI_ANY_SOURCE, request)
                              : raise(a.communicator, error);
}

/// Whether MPI shall carry this message and all later ones of the pair: a large message takes
/// longer with the runtime, and gains nothing by sharing. Communicators may be freed while receives
/// wait for the news, but not the world. Until the receiver has answered, a send that cannot be
/// copied may wait for a receiver that looks for the message at the runtime. So a pair leaves only
/// if all ranks meet before the next call, and they meet before every call until all receivers have
/// answered.
bool leavesPairToMpi(const SharedCommunicator &communicator, const Target &target, Mode mode,
                     MPI_Count bytes) {
  const MessageSharing &sharing = *messageSharing();
  return sharing.policy() && sharing.policy()->meetsNext() && bytes > leftBytes &&
         mode != Mode::Synchronous && communicator.handle == MPI_COMM_WORLD &&
         target.worldRank != sharing.rank() && !target.hasRoutes();
}

/// A synchronous message has been copied and sent: waits until it is sure to be received.
int awaitReceipt(const SharedCommunicator &communicator, const Target &target,
                 const SendArguments &a, const Record &record, MPI_Request *request) {
  MPI_Request own = MPI_REQUEST_NULL;
  messageSharing()->noteReasonToMeet();
  int error = messageSharing()->notices().await(target.worldRank, communicator.index, record,
                                                request ? request : &own);
  if (error == MPI_SUCCESS && !request)
    error = waitForRequest(&own, MPI_STATUS_IGNORE, "MPI_Ssend");
  return raise(a.communicator, error);
}

int sendNow(const void *frame, SharedCommunicator &communicator, Target &target, Mode mode,
            const SendArguments &a, MPI_Request *request) {
  if (target.isLeft)
    return sendByMpi(target, mode, a, request);
  const DatatypeShape shape = shapeOf(a.datatype);
  const MPI_Count bytes = shape.size * a.count;
  const bool packable = canPack(shape, bytes);
  MessageSharing &sharing = *messageSharing();
  const bool toItself = target.worldRank == sharing.rank();
  if (!toItself && sharing.policy())
    sharing.policy()->noteSend(frame, communicator, target, static_cast<std::uint64_t>(bytes),
                               mode != Mode::Synchronous && packable);
  if (leavesPairToMpi(communicator, target, mode, bytes)) {
    sharing.noteLeaving();
    sharing.sendMark(target.worldRank, communicator.index | leavesPair, target.messages);
    target.isLeft = true;
    return sendByMpi(target, mode, a, request);
  }
  const OpenRoute route =
      mode != Mode::Synchronous && packable ? openRoute(frame, target, a.tag) : OpenRoute{};
  const bool copy =
      route || isCopiedNow(mode, shape, bytes) || leavesEarly(frame, mode, shape, bytes);
  if (!route && !(toItself && copy && mode != Mode::Synchronous)) // it does not wait for itself
    flushBatches();
  std::span<const std::byte> packed;
  if (copy) {
    packed = pack(a, shape, bytes);
    if (packed.empty() && bytes != 0)
      return raise(a.communicator, MPI_ERR_TYPE);
  }
  Record record = SharedCommunicator::number(target, a.tag);
  record.bytes = copy ? packed.size() : static_cast<std::uint64_t>(bytes);
  if (!copy)
    return sendAnnounced(communicator, target, mode, a, record, request);
  try {
    sendCopy(route, communicator, target, record, mode, packed);
  } catch (const std::bad_alloc &) {
    SharedCommunicator::takeBack(target, a.tag);
    throw;
  }
  if (mode == Mode::Synchronous)
    return awaitReceipt(communicator, target, a, record, request);
  if (!route && !toItself)
    sharing.lookBetweenSends();
  return completeRequest(a.communicator, MPI_ANY_SOURCE, request);
}

} // namespace

bool isAlwaysCopied(Mode mode, const SendArguments &a) {
  const DatatypeShape shape = shapeOf(a.datatype);
  return isAlwaysCopied(mode, shape, shape.size * a.count);
}

int sendShared(const void *frame, SharedCommunicator &communicator, Target &target, Mode mode,
               const SendArguments &a, MPI_Request *request) {
  try {
    return sendNow(frame, communicator, target, mode, a, request);
  } catch (const std::bad_alloc &) {
    return raise(a.communicator, MPI_ERR_NO_MEM);
  }
}

Target *sharedTarget(const SendArguments &a, SharedCommunicator *&communicator) {
  communicator = messageSharing()->find(a.communicator);
  if (!communicator || a.destination < 0 || a.count < 0 || a.datatype == MPI_DATATYPE_NULL ||
      a.tag < 0 || a.tag > messageSharing()->tagLimit())
    return nullptr;
  Target *target = communicator->target(a.destination);
  return target && target->knows ? nullptr : target;
}

namespace {

using BlockingSend = int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
using NonblockingSend = int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

int sendBlocking(const void *frame, Mode mode, BlockingSend inner, NonblockingSend begin,
                 const SendArguments &a) {
  SharedCommunicator *communicator = nullptr;
  if (Target *target = sharedTarget(a, communicator))
    return sendShared(frame, *communicator, *target, mode, a, nullptr);
  noteByMpi(frame, a);
  const bool held = mode != Mode::Synchronous && openBatch(frame);
  if (held || mode == Mode::Buffered || a.destination < 0)
    return inner(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator);
  flushBatches();
  MPI_Request request = MPI_REQUEST_NULL;
  int error = begin(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator, &request);
  if (error == MPI_SUCCESS)
    error = waitForRequest(&request, MPI_STATUS_IGNORE, "MPI_Send");
  if (Policy *policy = messageSharing()->policy())
    policy->noteSendWaited();
  return error;
}

int sendNonblocking(const void *frame, Mode mode, NonblockingSend inner, const SendArguments &a,
                    MPI_Request *request) {
  SharedCommunicator *communicator = nullptr;
  Target *target = request ? sharedTarget(a, communicator) : nullptr;
  if (target)
    return sendShared(frame, *communicator, *target, mode, a, request);
  if (isSimulated && a.destination == MPI_PROC_NULL)
    return completeRequest(a.communicator, MPI_PROC_NULL, request);
  noteByMpi(frame, a);
  return inner(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator, request);
}

} // namespace

} // namespace sendwright::exchange

using namespace sendwright;
using namespace sendwright::exchange;

#define SENDWRIGHT_SENDS(BLOCKING, NONBLOCKING, MODE)                                              \
  int sendwright_exchange_MPI_##BLOCKING(const void *buffer, int count, MPI_Datatype datatype,     \
                                         int destination, int tag, MPI_Comm communicator) {        \
    return sendBlocking(__builtin_frame_address(0), MODE, sendwright_inner_MPI_##BLOCKING,         \
                        sendwright_next_MPI_##NONBLOCKING,                                         \
                        {buffer, count, datatype, destination, tag, communicator});                \
  }                                                                                                \
  int sendwright_exchange_MPI_##NONBLOCKING(const void *buffer, int count, MPI_Datatype datatype,  \
                                            int destination, int tag, MPI_Comm communicator,       \
                                            MPI_Request *request) {                                \
    return sendNonblocking(__builtin_frame_address(0), MODE, sendwright_inner_MPI_##NONBLOCKING,   \
                           {buffer, count, datatype, destination, tag, communicator}, request);    \
  }

extern "C" {

SENDWRIGHT_SENDS(Send, Isend, Mode::Standard)
SENDWRIGHT_SENDS(Bsend, Ibsend, Mode::Buffered)
SENDWRIGHT_SENDS(Rsend, Irsend, Mode::Ready)
SENDWRIGHT_SENDS(Ssend, Issend, Mode::Synchronous)
}

#undef SENDWRIGHT_SENDS
