// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's messages between two ranks, of any size, on the private communicator. A message
// begins with its size; what exceeds the first part follows in a second part, for which the
// receiver then has room. Receives of first parts are always posted, so a sender never waits for
// the receiver's program.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_LINK_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_LINK_H

#include "runtime/base/MpiDifferences.h"
#include "runtime/base/PrivateCommunicator.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <vector>

namespace sendwright::exchange {

/// The beginning of every message.
struct MessageHeader {
  std::uint64_t bytes = 0;  ///< of the whole message, header included
  std::uint64_t number = 0; ///< chosen by the sender to identify the message
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

  /// Takes tags of the private communicator: `tags` for first parts, as many for what follows them,
  /// and one more. False if MPI has not so many.
  bool begin(PrivateCommunicator &communicator, int tags);
  /// From here on, messages of `source` (MPI_ANY_SOURCE: of any rank) with this tag, below `tags`,
  /// go to `receiver`, in an order that only their numbers tell. Of several that have arrived,
  /// await() takes those first that were listened for first.
  void listen(int source, int tag, Receiver receiver);

  /// An empty buffer for a message, with room for its header.
  std::vector<std::byte> buffer();
  /// Sends the message and takes over its buffer. Does not wait. Throws std::bad_alloc, having sent
  /// nothing.
  void send(int destination, int tag, std::uint64_t number, std::vector<std::byte> &&message);
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
  int meetingTag() const { return firstTag + 2 * tagCount; }

private:
  /// Under SMPI, where a test of each takes time, ranks take them back while they wait.
  static constexpr std::size_t leastSending = isSimulated ? 1024 : 64;
  struct Inbox {
    int source, tag;
    Receiver receiver;
    std::vector<std::byte> first;
  };
  struct Rest {
    Inbox *inbox;
    int source;
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> requests;
  };
  struct Sending {
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> requests;
  };
  void post(std::size_t index);
  void arrived(std::size_t index, const MPI_Status &status);
  void deliver(std::list<Rest>::iterator rest);
  bool testInboxes();
  bool testInbox(std::size_t index);
  bool testSomeInboxes();
  bool takeRests();
  bool takeSent(std::list<Sending>::iterator sent);
  void takeOneSent();
  bool awaitOne(Awaited &awaited);

  PrivateCommunicator *world = nullptr;
  int firstTag = 0, tagCount = 0;
  std::vector<std::unique_ptr<Inbox>> inboxes;
  std::vector<MPI_Request> requests; ///< of the inboxes
  std::size_t nextTested = 0;        ///< under SMPI: index into `requests`
  bool isTurnToTest = false;         ///< likewise
  std::vector<int> indices;
  std::vector<MPI_Status> statuses;
  std::list<Rest> rests;
  std::list<Sending> sending;
  std::size_t mostSending = leastSending; ///< beyond this number, a send takes back buffers
  std::size_t sendingBytes = 0;
  bool drops = false; ///< what is to be sent
  std::vector<std::uint64_t> sentTo;
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
