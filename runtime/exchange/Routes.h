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

#ifndef SENDWRIGHT_RUNTIME_EXCHANGE_ROUTES_H
#define SENDWRIGHT_RUNTIME_EXCHANGE_ROUTES_H

#include "analysis/plan/SharedExchanges.h"
#include "runtime/exchange/Link.h"
#include "runtime/exchange/Record.h"

#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace sendwright::exchange {

class SharedCommunicator;

/// Where a message of this rank's own enters its route.
struct FirstHop {
  class Routes *routes = nullptr;
  std::uint32_t transfer = 0, place = 0;
};

class Routes {
public:
  /// Gets the messages for this rank: the sender's rank in the world, the record and its bytes.
  using Delivery =
      std::function<void(int source, const Record &record, std::span<const std::byte> bytes)>;

  /// `firstTag` is that of stage 0 on the link; one for each stage. The part must outlive it.
  Routes(const RankExchange &part, int rank, Link &link, int firstTag, std::string name,
         Delivery delivery);
  Routes(const Routes &) = delete;
  Routes &operator=(const Routes &) = delete;

  /// Calls `visit(message, hop)` for each message of this rank's own.
  template <typename Visit> void forEachOwn(Visit visit) {
    for (const OwnMessage &own : ownMessages)
      visit(part.messages[own.message], FirstHop{this, own.transfer, own.place});
  }

  /// An execution of the loop begins, and what it sends is captured until close(). One that is open
  /// is closed.
  void open();
  void close();
  bool isOpen() const { return capturing; }
  bool anyCaptured() const { return captured; }
  /// Room for the bytes of a message of the open instance. Throws std::bad_alloc, and then captures
  /// nothing.
  std::byte *capture(const FirstHop &hop, Record record);

  /// Which combined messages the oldest unfinished instance waits for here: continues "rank R has
  /// waited N s"; "" where none is known.
  std::string whatIsAwaited() const;

  const SharedCommunicator *communicator = nullptr; ///< on which its messages are

private:
  struct Waiting { ///< a combined message of one instance that has not left
    std::vector<std::byte> bytes;
    std::uint32_t missing = 0; ///< that may add to it
    bool begun = false, left = false;
  };
  struct Outgoing {
    int peer, tag;
    std::uint32_t feeders = 0;
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
    std::vector<std::uint32_t> feeds; ///< outgoing transfers
    std::uint64_t arrived = 0;        ///< instances, at least
  };
  struct OwnMessage {
    std::uint32_t message, transfer, place;
  };
  void connect(int firstTag, int rank);
  void arrive(Incoming &incoming, std::uint64_t instance, std::span<std::byte> message);
  Waiting &waiting(std::uint32_t transfer, std::uint64_t instance);
  void oneLess(std::uint32_t transfer, std::uint64_t instance);

  const RankExchange &part;
  Link &link;
  std::string name;
  Delivery delivery;
  std::vector<Outgoing> outgoing;
  std::deque<Incoming> incoming;
  std::vector<OwnMessage> ownMessages;
  std::vector<std::uint32_t> ownFeeds; ///< outgoing transfers with messages of this rank's own
  std::uint64_t instance = 0;          ///< the open one, or the next
  bool capturing = false, captured = false;
};

} // namespace sendwright::exchange

#endif
