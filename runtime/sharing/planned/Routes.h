// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exchange at one rank: what it captures in an execution of the loop (an instance) goes into
// the combined messages of its first stages; what arrives is delivered or passed on. A combined
// message leaves when everything that may add to it has arrived, whatever the stage: what the
// program sends itself, and the combined messages before it. A planned message that was not sent
// simply is not in it.
//
// Instances are counted at each rank that sends. Several may be under way: what belongs to which,
// the messages say.
//
// Routes that were learned at run time can stop at any moment, each rank by itself: what a rank
// holds then goes straight to its receivers, and so does what still comes in. The last that it says
// to those to whom it sends combined messages is how many there were.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_ROUTES_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_ROUTES_H

#include "analysis/sharing/SharedExchanges.h"
#include "runtime/batch/Batch.h"
#include "runtime/sharing/planned/Link.h"
#include "runtime/sharing/planned/Record.h"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sendwright::exchange {

class SharedCommunicator;

/// Where a message of this rank's own enters its route.
struct FirstHop {
  class Routes *routes = nullptr;
  std::uint32_t transfer = 0, place = 0;
};

/// By what combined messages are known on the link.
struct RouteTags {
  int first = 0, step = 1;          ///< the tag of stage 0, and from one stage to the next
  std::optional<std::uint64_t> key; ///< what a message begins with, its low 16 bits the stage: then
                                    ///< whoever listens to the tag calls arrive()
};

class Routes final : public MessageTaker {
public:
  /// Gets the messages for this rank: the sender's rank in the world, the record and its bytes.
  using Delivery =
      std::function<void(int source, const Record &record, std::span<const std::byte> bytes)>;

  /// The part must outlive it.
  Routes(const RankExchange &part, int rank, Link &link, RouteTags tags, std::string name,
         Delivery delivery);
  Routes(const Routes &) = delete;
  Routes &operator=(const Routes &) = delete;

  /// Calls `visit(message, hop)` for each message of this rank's own.
  template <typename Visit> void forEachOwn(Visit visit) {
    for (const OwnMessage &own : ownMessages)
      visit(part.messages[own.message], FirstHop{this, own.transfer, own.place});
  }

  bool hasOwn() const { return !ownMessages.empty(); }
  /// Whether anything of what arrives here goes on to others.
  bool passesOn() const;

  /// An execution of the loop begins, and what it sends is captured until close(). One that is open
  /// is closed.
  void open() override;
  void close() override;
  bool isOpen() const { return capturing; }
  bool holdsAny() const override { return capturing && captured != 0; }
  std::size_t messagesCaptured() const { return captured; } ///< in the last instance
  std::uint64_t instancesBegun() const { return instance; } ///< those that were closed
  /// Room for the bytes of a message of the open instance. Throws std::bad_alloc, and then captures
  /// nothing.
  std::byte *capture(const FirstHop &hop, Record record);

  /// Which combined messages the oldest unfinished instance waits for here: continues "rank R has
  /// waited N s"; "" where none is known.
  std::string whatIsAwaited() const;

  // Learned routes:

  /// A combined message of such routes came, behind its key. True where it says that its sender
  /// has stopped.
  bool arrive(int source, int stage, std::uint64_t number, std::span<std::byte> message);
  /// Whether a message waits here since `limit` seconds before `now`. It looks at the time when it
  /// is called, so that a message is found at the second call at the earliest.
  bool holdsLongerThan(double limit, double now);
  /// Gets messages that leave the routes here: ranks in the world, the record and its bytes.
  using Straight = std::function<void(int source, int destination, const Record &record,
                                      std::span<const std::byte> bytes)>;
  /// From here on nothing is captured, held or passed on: all goes to `straight`.
  void stop(Straight straight);
  bool stopped() const { return straight != nullptr; }
  /// Stopped, and no combined message comes any more.
  bool finished() const;

  SharedCommunicator *communicator = nullptr; ///< on which its messages are

private:
  struct Waiting { ///< a combined message of one instance that has not left
    std::vector<std::byte> bytes;
    std::uint32_t missing = 0; ///< that may add to it
    bool begun = false, left = false;
    double since = 0; ///< when it was first seen to wait; 0: not yet
  };
  struct Outgoing {
    int peer, stage;
    const std::vector<std::uint32_t> *messages; ///< by place
    std::uint32_t feeders = 0;
    std::uint64_t sent = 0;        ///< combined messages
    std::deque<Waiting> instances; ///< from `first` on
    std::uint64_t first = 0;
  };
  struct Onward {
    std::uint32_t message;
    bool ends = false;
    std::uint32_t transfer = 0, place = 0;
  };
  struct Incoming {
    int peer, stage;
    std::vector<Onward> places;
    std::vector<std::uint32_t> feeds;    ///< outgoing transfers
    std::uint64_t arrived = 0;           ///< instances, at least
    std::uint64_t count = 0;             ///< combined messages that came
    std::uint64_t expected = UINT64_MAX; ///< so many in all, once that is known
  };
  struct OwnMessage {
    std::uint32_t message, transfer, place;
  };
  void connect(int rank);
  void arrive(Incoming &incoming, std::uint64_t instance, std::span<std::byte> message);
  std::vector<std::byte> emptyMessage(int stage) const;
  void send(Outgoing &out, std::uint64_t number, std::vector<std::byte> &&message);
  std::span<std::byte> recordsOf(Waiting &message) const;
  Waiting &waiting(std::uint32_t transfer, std::uint64_t instance);
  void oneLess(std::uint32_t transfer, std::uint64_t instance);

  const RankExchange &part;
  Link &link;
  RouteTags tags;
  std::string name;
  Delivery delivery;
  Straight straight;
  std::vector<Outgoing> outgoing;
  std::deque<Incoming> incoming;
  std::vector<OwnMessage> ownMessages;
  std::vector<std::uint32_t> ownFeeds; ///< outgoing transfers with messages of this rank's own
  std::uint64_t instance = 0;          ///< the open one, or the next
  bool capturing = false;
  std::size_t captured = 0; ///< messages of the open instance, or the last
};

} // namespace sendwright::exchange

#endif
