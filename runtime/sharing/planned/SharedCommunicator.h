// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A communicator of the program on which messages are shared, at one rank. If one of two members
// sends to the other by route, the runtime carries every message between them: by route if it is
// sent in the exchange, else directly, with the same kind of record. Records are numbered by sender
// and receiver, and by tag, so that the receiver can restore MPI's order whichever way they came.
// MPI carries all other messages.
//
// While routes are learned, a pair can be left to MPI for the rest of the run. Its sender says with
// which message this begins; when all earlier ones have arrived, its receiver posts its receives at
// MPI, and answers. Until then the sender copies what it sends, so that it waits for nobody.
//
// Here the program's receives meet what arrived. Receives from any source are served by both.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_SHAREDCOMMUNICATOR_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_SHAREDCOMMUNICATOR_H

#include "analysis/sharing/TagCounts.h"
#include "analysis/trace/Profile.h"
#include "runtime/sharing/planned/PostedReceive.h"
#include "runtime/sharing/planned/ReceiptNotices.h"
#include "runtime/sharing/planned/Record.h"
#include "runtime/sharing/planned/Routes.h"

#include <mpi.h>

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace sendwright::exchange {

/// A member that this rank sends to by route.
struct Target {
  int worldRank = 0;
  std::uint32_t messages = 0; ///< sent so far
  TagCounts ofTag;            ///< the same for each tag
  bool isLeft = false;        ///< MPI carries its messages from here on
  bool knows = false;         ///< the member has posted its receives at MPI
  /// By tag, with sendwright::anyTag for messages of any: one for each exchange that has them.
  std::unordered_map<int, std::vector<FirstHop>> routes;

  /// Where a message with the tag enters these routes, or null.
  const FirstHop *hopInto(const Routes &open, int tag) const;
  bool hasRoutes() const;
};

class SharedCommunicator {
public:
  /// `index` is its index on all ranks, in Record::place. `everyPair`: the runtime carries all
  /// messages between two members; a pair becomes known with its first message.
  SharedCommunicator(Communicator identity, std::uint32_t index, bool everyPair = false);

  // Adds what the plan has. World ranks.
  void addRoute(const SharedMessage &message, const FirstHop &hop);
  void removeRoute(const SharedMessage &message, const FirstHop &hop);
  void addSource(int worldRank);
  /// The member receives from any source: the runtime carries everything that others send it.
  void addAnySourceReceiver(int worldRank);

  /// This process's rank.
  int rank() const { return ownRank; }
  /// The rank's target if the runtime carries messages to it, or null.
  Target *target(int rank);
  /// The numbers of the next message to the target.
  static Record number(Target &target, int tag);
  /// The message with the last numbers was not sent: they belong to the next message.
  static void takeBack(Target &target, int tag);

  /// Whether a receive from this source (a rank, or MPI_ANY_SOURCE) must be posted here.
  bool serves(int source) const;
  /// Whether MPI carries nothing from this source.
  bool servesAlone(int source) const;
  /// Serves the receive now, or later.
  void post(PostedReceive &receive);
  /// Takes the receive back; false if a message was matched to it.
  bool takeBack(PostedReceive &receive);
  /// A record, or a mark, arrived: the sender's rank in the world, and its bytes.
  void arrived(int worldRank, const Record &record, std::span<const std::byte> bytes);

  /// The message that a receive would get now, from a source whose messages the runtime carries;
  /// null if there is none.
  struct Held {
    Record record;
    std::vector<std::byte> bytes;
    int source;
  };
  const Held *find(int source, int tag);
  /// A receive of the message begins: takes it out.
  Held take(const Held &held);
  /// Gives a message that was taken out to a receive that was not posted: now or later.
  void give(PostedReceive &receive, const Held &taken);

  /// Looks for messages of MPI for receives from any source, and for receives queued behind them;
  /// and checks what comes from senders' buffers.
  void progress();
  /// Whether it must keep looking for messages of MPI.
  bool probes() const { return !queue.empty() && (!everySource || anyAtMpi); }

  /// The rank is about to wait where it looks for no messages. Tells senders which receives from
  /// them alone are posted; and posts the receives for which it would look for messages of MPI to
  /// MPI, until the next call that concerns the communicator.
  void lend();
  /// Takes back from MPI what it has not served.
  void takeBackLent() {
    if (isLent)
      takeBackAll();
  }
  /// Whether some posted receive may take messages that lend() cannot announce to their senders.
  bool hasUntold() const;
  /// Whether a receive from any source has got a message whose sender waited for that.
  bool metAnySource() const { return anySourceWasAwaited; }
  /// Receives whose messages come from senders' buffers, through their requests `payload`.
  const std::vector<PostedReceive *> &awaitingPayload() const { return paying; }
  /// The payload's request is complete, as by MPI_Wait.
  void finishPayload(PostedReceive &receive, int error, const MPI_Status &status);
  /// Whether MPI carries the messages of a member, or to one.
  bool hasLeft() const;
  /// Whether no receive is posted.
  bool idle() const;
  /// Whether no message waits for its receive.
  bool holdsNothing() const;

  const Communicator identity;
  const std::uint32_t index;
  MPI_Comm handle = MPI_COMM_NULL;   ///< as long as the program has it
  MPI_Comm self = MPI_COMM_NULL;     ///< of this process alone
  MPI_Comm world = MPI_COMM_NULL;    ///< the link's, for payloads
  ReceiptNotices *notices = nullptr; ///< null: no sender waits for them

private:
  struct Source {
    int rank = 0, worldRank = 0;
    std::uint32_t nextPair = 0; ///< the first that no receive has taken
    std::set<std::uint32_t> takenAhead;
    std::uint32_t arrived = 0;       ///< messages so far
    std::uint32_t last = UINT32_MAX; ///< MPI carries messages from this number on
    bool atMpi = false;              ///< all earlier ones have arrived
    TagCounts taken;                 ///< by receives, of each tag: the number of the next
    using HeldMessages = std::map<std::uint32_t, Held>; ///< by number among those with their tag
    std::unordered_map<int, HeldMessages> held;         ///< by tag; none of them empty
    std::size_t heldCount = 0;
    std::deque<PostedReceive *> posted; ///< receives from this source alone
  };
  Source *source(int rank);
  /// The receives that wait for messages of this one's source, or the queue.
  std::deque<PostedReceive *> &listOf(const PostedReceive &receive);
  void take(Source &from, const Record &record, std::span<const std::byte> bytes);
  void leave(Source &from);
  void postAtMpi(PostedReceive &receive);
  bool cancelAtMpi(PostedReceive &receive);
  const Held *find(Source &from, int tag);
  const Held *findUnclaimed(Source &from, int tag);
  PostedReceive *firstAccepting(const Source &from, int tag) const;
  PostedReceive *receiverOf(const Source &from, const Record &record) const;
  void note(Source &from, const Record &record);
  void deliver(PostedReceive &receive, int rank, int worldRank, const Record &record,
               std::span<const std::byte> bytes);
  void remove(PostedReceive &receive);
  struct Matched {
    const Held *held = nullptr;
    PostedReceive *receive = nullptr;
    explicit operator bool() const { return receive != nullptr; }
  };
  Matched firstMatch(const Source &from) const;
  void matchHeld(Source &from);
  bool serveFromMpi();
  void takePayloads();
  void takeBackAll();
  bool takeBackFromMpi(PostedReceive &receive);
  void tellPosted(const Source &from);
  void finish(PostedReceive &receive, int error, const MPI_Status &status);
  void enqueue(PostedReceive &receive);

  bool isMember(int rank) const;

  bool everyTarget, everySource; ///< the runtime carries everything to all members, or from all
  bool anyAtMpi = false;         ///< but not from some that have left
  int ownRank = -1;
  std::vector<int> rankOf; ///< indexed by world rank; -1: no member
  std::unordered_map<int, Target> targets;
  std::unordered_map<int, Source> sources;
  std::deque<PostedReceive *> queue; ///< receives from any source, and others queued behind them
  std::vector<PostedReceive *> paying;
  bool isLent = false; ///< MPI serves the queue
  bool anySourceWasAwaited = false;
  std::uint64_t lastSerial = 0;
};

} // namespace sendwright::exchange

#endif
