// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's messages between two ranks, of any size, on the private communicator. A message
// begins with its size and kind; what exceeds the first part follows in a second part, for which
// the receiver then has room. The same few receives of first parts are always posted, whoever sends
// and whatever the kind. MPI matches them in the order in which they were posted, so it is mostly
// the oldest that ends first, and only that one is tested: a look costs the test of one request,
// however many ranks and kinds of messages there are. A wait ends with any of them: a message that
// began to arrive first may be a long one on a slow way.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_LINK_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_LINK_H

#include "runtime/base/MpiDifferences.h"
#include "runtime/base/PrivateCommunicator.h"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace sendwright::exchange {

/// How many tags second parts have in rotation. First parts that have second parts are equally
/// long, so those of one sender end in order, or nearly so; such tags keep second parts apart all
/// the same.
inline constexpr int restTags = 16;

/// The beginning of every message.
struct MessageHeader {
  std::uint64_t kindAndBytes = 0; ///< bytes of the whole message, header included; above them,
                                  ///< which tag its second part has, and its kind
  std::uint64_t number = 0;       ///< chosen by the sender to identify the message

  static constexpr unsigned restShift = 36; ///< bits for the bytes
  static constexpr unsigned kindShift = 40;
  std::size_t bytes() const {
    return static_cast<std::size_t>(kindAndBytes & ((std::uint64_t(1) << restShift) - 1));
  }
  int rest() const { return static_cast<int>(kindAndBytes >> restShift) % restTags; }
  int kind() const { return static_cast<int>(kindAndBytes >> kindShift); }
};

/// MPI requests that end a wait, and the one that ended it.
struct Awaited {
  std::vector<MPI_Request *> requests; ///< null entries never end
  int ended = -1;                      ///< index of the completed request, as by MPI_Wait
  MPI_Status status{};
  int error = MPI_SUCCESS;
};

class Link {
public:
  /// Gets a message without its header. The bytes are aligned for any type, and valid until it
  /// returns.
  using Receiver = std::function<void(int source, std::uint64_t number, std::span<std::byte>)>;

  /// Takes tags of the private communicator. False if MPI has too few.
  bool begin(PrivateCommunicator &communicator);
  /// Whether short messages (sharedFirstPart) of one rank and kind come as they were sent, or in an
  /// order that only their numbers tell.
  enum class Order { Any, AsSent };
  /// From here on, messages of `source` (MPI_ANY_SOURCE: of any rank for which nobody listens
  /// alone) with this kind (0 or more) go to `receiver`. All ranks listen to all kinds before any
  /// looks for messages.
  void listen(int source, int kind, Receiver receiver, Order order = Order::Any);

  /// An empty buffer for a message, with room for its header.
  std::vector<std::byte> buffer();
  /// Sends the message and takes over its buffer. Does not wait. Throws std::bad_alloc, having sent
  /// nothing.
  void send(int destination, int kind, std::uint64_t number, std::vector<std::byte> &&message);
  /// From here on nobody needs what this rank would send: messages are dropped.
  void sendNoMore() { drops = true; }

  /// Receives what has arrived. Returns whether anything has. Does not wait.
  bool progress();
  /// The same, but waits until something has arrived or one of the requests is complete.
  void await(Awaited &awaited);
  /// Takes back the buffers of messages that have left.
  void takeSent();
  std::size_t messagesUnderWay() const { return sending.size(); }
  /// How many messages this rank has sent to each rank, and how many it has received.
  const std::vector<std::uint64_t> &messagesSent() const { return sentTo; }
  std::uint64_t messagesReceived() const { return received; }
  std::size_t bytesUnderWay() const { return sendingBytes; }
  /// Cancels the receives; messages that were not received are lost.
  void end();

  MPI_Comm communicator() const { return world->handle(); }
  /// A tag of the communicator on which nothing is listened for.
  int meetingTag() const { return firstTag + 1; }

private:
  /// Under SMPI, where a test of each takes time, ranks take them back while they wait.
  static constexpr std::size_t leastSending = isSimulated ? 1024 : 64;
  struct Rest {
    int source;
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> requests;
  };
  struct Sending {
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> requests;
  };
  struct Inbox {
    std::vector<std::byte> first; ///< part of a message
    MPI_Request request = MPI_REQUEST_NULL;
    int waiting = -1; ///< the rank whose message is here and waits for older ones
  };
  struct Listener {
    Receiver receive;
    Order order;
  };
  static constexpr std::size_t inboxCount = 8;
  static_assert(inboxCount < restTags);
  static constexpr int tagCount = 2 + restTags;
  int restTag(int number) const { return firstTag + 2 + number; }
  Inbox &oldest() { return *byAge.front(); }
  void post(Inbox &inbox);
  const Listener *listenerOf(const MessageHeader &header, int source) const;
  void ended(std::size_t age, int source);
  void arrived(std::size_t age, int source);
  void takeIn(int source, std::span<std::byte> message);
  void finish(std::list<Rest>::iterator rest);
  bool testInbox();
  bool takeRests();
  bool takeSent(std::list<Sending>::iterator sent);
  void takeOneSent();
  bool awaitOne(Awaited &awaited);

  PrivateCommunicator *world = nullptr;
  int firstTag = 0;
  std::map<std::pair<int, int>, Listener> listeners; ///< by kind and source
  std::array<Inbox, inboxCount> inboxes;
  std::array<Inbox *, inboxCount> byAge{}; ///< in the order of their posting
  std::list<Rest> rests;
  std::list<Sending> sending;
  std::size_t mostSending = leastSending; ///< beyond this number, a send takes back buffers
  std::size_t sendingBytes = 0;
  bool drops = false; ///< what is to be sent
  std::vector<std::uint64_t> sentTo;
  std::vector<std::uint8_t> restsTo; ///< how many second parts, modulo restTags
  std::uint64_t received = 0;
  std::vector<std::vector<std::byte>> spare; ///< buffers
};

/// The most bytes that MPI can count.
inline constexpr std::size_t mostOfPart = std::size_t(1) << 30;

/// Splits the bytes from `offset` on into parts that MPI can count: calls `part(offset, count)`.
template <typename Part> void inParts(std::size_t offset, std::size_t end, Part part) {
  for (; offset < end; offset += mostOfPart)
    part(offset, static_cast<int>(end - offset < mostOfPart ? end - offset : mostOfPart));
}

/// The number of such parts for `bytes` bytes.
inline std::size_t partCount(std::size_t bytes) { return (bytes + mostOfPart - 1) / mostOfPart; }

} // namespace sendwright::exchange

#endif
