// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exchange at one rank. What it captures in an execution of the loop (an instance) goes into
// the combined messages of its first stages; what arrives is delivered or passed on. A combined
// message leaves when everything that may add to it has arrived, whatever the stage: the program's
// own sends, and earlier combined messages. A planned message that was not sent is simply missing
// from it.
//
// Instances are counted at each sending rank. Several may be under way; the messages tell which
// instance they belong to.
//
// Routes learned at run time can stop at any moment, at each rank separately: what the rank holds
// then goes directly to its receivers, and so does what still arrives. Its last message to each
// rank to which it sends combined messages tells how many there were.
//
// A plan's routes may expect a number of instances before the next collective call
// (CollectiveEntry.h). What a rank begins beyond it is not captured.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_ROUTES_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_ROUTES_H

#include "analysis/sharing/SharedExchanges.h"
#include "runtime/batch/Batch.h"
#include "runtime/sharing/planned/Link.h"
#include "runtime/sharing/planned/Record.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sendwright::exchange {

class SharedCommunicator;
struct Target;

/// Where one of this rank's own messages enters its route.
struct FirstHop {
  class Routes *routes = nullptr;
  std::uint32_t transfer = 0, place = 0;
};

/// What identifies combined messages on the link.
struct RouteKinds {
  int first = 0, step = 1;          ///< the kind of stage 0, and from one stage to the next
  std::optional<std::uint64_t> key; ///< the beginning of a message, with the stage in its low 16
                                    ///< bits: then whoever listens to the kind calls arrive()
};

/// Takes what a loop sends in one execution.
class RouteTaker : public MessageTaker {
public:
  /// Where the message enters its route if the open instance takes it, or null.
  virtual const FirstHop *hopOf(const Target &target, int tag) const = 0;
  /// Room for the bytes of such a message. Throws std::bad_alloc, having captured nothing.
  virtual std::byte *capture(const Target &target, const FirstHop &hop, const Record &record) = 0;
  /// The loop sends a message for which hopOf() has no route.
  virtual void noteOther() {}

protected:
  ~RouteTaker() = default;
};

class Routes final : public RouteTaker {
public:
  /// Gets the messages for this rank: the sender's rank in the world, the record, and its bytes.
  using Delivery =
      std::function<void(int source, const Record &record, std::span<const std::byte> bytes)>;
  /// Gets messages that leave the routes here: ranks in the world, the record, and its bytes.
  using Straight = std::function<void(int source, int destination, const Record &record,
                                      std::span<const std::byte> bytes)>;

  /// `part` must outlive it.
  Routes(const RankExchange &part, int rank, Link &link, RouteKinds kinds, std::string name,
         Delivery delivery, Straight straight);
  Routes(const Routes &) = delete;
  Routes &operator=(const Routes &) = delete;

  /// Calls `visit(message, hop)` for each of this rank's own messages.
  template <typename Visit> void forEachOwn(Visit visit) {
    for (const OwnMessage &own : ownMessages)
      visit(part.messages[own.message], FirstHop{this, own.transfer, own.place});
  }

  bool hasOwn() const { return !ownMessages.empty(); }
  /// Whether anything that arrives here goes on to other ranks.
  bool passesOn() const;

  /// An execution of the loop begins; what it sends is captured until close(). Closes an open
  /// instance.
  void open() override;
  void close() override;
  bool isOpen() const { return capturing; }
  bool holdsAny() const override { return capturing && captured != 0; }
  std::size_t messagesCaptured() const { return captured; } ///< in the last instance
  std::uint64_t instancesBegun() const { return instance; } ///< number of those already begun
  const FirstHop *hopOf(const Target &target, int tag) const override;
  std::byte *capture(const Target &target, const FirstHop &hop, const Record &record) override;
  void noteOther() override { fitSoFar.others += capturing ? 1 : 0; }

  // For routes of a plan:

  std::size_t exchange() const { return part.exchange; } ///< index of the plan's exchange
  /// No instance from `number` on begins, until another number is given: what the loop sends then
  /// goes directly.
  void expectUpTo(std::uint64_t number) { limit = std::min(number, end); }
  /// No instance from `number` on begins, ever. This rank has begun at most `number`; it
  /// contributes empty ones to the rest.
  void endAt(std::uint64_t number);
  bool isGivenUp() const { return end != UINT64_MAX; }
  /// What the loop has sent since the last call of forgetFit().
  struct Fit {
    std::uint64_t instances = 0;
    std::uint64_t planned = 0;  ///< messages that the plan has in them
    std::uint64_t captured = 0; ///< how many of these were sent
    std::uint64_t others = 0;   ///< messages that the plan does not have
  };
  const Fit &fit() const { return fitSoFar; }
  void forgetFit() { fitSoFar = {}; }
  /// How often open() was called: executions of the loop at this rank, shared or not.
  std::uint64_t executions() const { return opened; }
  /// Contributes an empty instance for each of the first `number` that has not begun and may begin.
  void contributeUpTo(std::uint64_t number);
  /// Whether all combined messages of the first `number` instances have left; if the routes are
  /// stopped, whether all that can arrive of these instances has arrived, and was sent on.
  bool hasPassedOn(std::uint64_t number) const;
  /// Whether no combined message waits here, and the program adds to none.
  bool holdsNothing() const;
  /// How many instances were contributed empty, or not captured.
  std::uint64_t deviations() const { return deviated; }
  /// How many combined messages were released.
  std::uint64_t releases() const { return released; }
  /// Sends what has waited here since `patience` seconds before `now` to its receivers, and assumes
  /// that the rest will follow.
  void release(double patience, double now);

  /// The combined messages for which the oldest unfinished instance waits here: continues "rank R
  /// has waited N s"; "" if none is known.
  std::string whatIsAwaited() const;

  // For learned routes:

  /// A combined message of these routes arrived; its key is already removed. Returns true if it
  /// says that its sender has stopped.
  bool arrive(int source, int stage, std::uint64_t number, std::span<std::byte> message);
  /// Whether a message has waited here since `limit` seconds before `now`. A wait is first noticed
  /// in a call, so a message is reported at its second call at the earliest.
  bool holdsLongerThan(double limit, double now);
  /// From here on nothing is captured, held or passed on: everything goes straight to its receiver.
  void stop();
  bool stopped() const { return isStopped; }
  /// The routes are stopped, and no combined message will arrive any more.
  bool finished() const;

  SharedCommunicator *communicator = nullptr; ///< of its messages

private:
  struct Waiting { ///< a combined message of one instance that has not left yet
    std::vector<std::byte> bytes;
    std::uint32_t missing = 0; ///< number of contributions that may still come
    bool begun = false, left = false;
    double since = 0; ///< when it was first noticed waiting; 0: not yet
  };
  struct Outgoing {
    int peer, stage;
    const std::vector<std::uint32_t> *messages; ///< indexed by place
    std::uint32_t feeders = 0;
    std::uint64_t sent = 0;        ///< combined messages sent
    std::deque<Waiting> instances; ///< waiting ones, from `first` on
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
    std::vector<std::uint32_t> feeds;    ///< outgoing transfers that it contributes to
    std::uint64_t arrived = 0;           ///< a lower bound on the instances that arrived
    std::uint64_t below = 0;             ///< all instances below it have arrived
    std::set<std::uint64_t> beyond{};    ///< instances that have arrived before an earlier one
    std::uint64_t count = 0;             ///< combined messages received
    std::uint64_t expected = UINT64_MAX; ///< their final number, once known
  };
  struct OwnMessage {
    std::uint32_t message, transfer, place;
  };
  void connect(int rank);
  void arrive(Incoming &incoming, std::uint64_t instance, std::span<std::byte> message);
  std::vector<std::byte> emptyMessage(int stage) const;
  void send(Outgoing &out, std::uint64_t number, std::vector<std::byte> &&message);
  void sendStraight(const Outgoing &out, Waiting &message);
  bool waitsLonger(Waiting &message, double limit, double now) const;
  std::span<std::byte> recordsOf(Waiting &message) const;
  Waiting &waiting(std::uint32_t transfer, std::uint64_t instance);
  void oneLess(std::uint32_t transfer, std::uint64_t instance);

  const RankExchange &part;
  Link &link;
  RouteKinds kinds;
  std::string name;
  Delivery delivery;
  Straight straight;
  std::vector<Outgoing> outgoing;
  std::deque<Incoming> incoming;
  std::vector<OwnMessage> ownMessages;
  std::vector<std::uint32_t> ownFeeds; ///< outgoing transfers with this rank's own messages
  std::uint64_t instance = 0;          ///< the open one, or the next
  std::uint64_t limit = UINT64_MAX;    ///< the first that may not begin
  std::uint64_t end = UINT64_MAX;      ///< the first that may never begin
  Fit fitSoFar;
  std::uint64_t opened = 0;
  std::uint64_t deviated = 0, released = 0;
  bool capturing = false, isStopped = false;
  std::size_t captured = 0; ///< messages of the open instance, or of the last one
};

} // namespace sendwright::exchange

#endif
