// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A communicator of the program on which messages are shared, at one rank. Between two of its
// members of which one sends the other by route, every message travels with the runtime: by route
// where it is sent in the exchange, else straight, with the same kind of record. Records are
// numbered by sender and receiver, and by tag, so that the receiver can put them in MPI's order
// whichever way they came. All other messages are MPI's.
//
// Here the program's receives meet what arrived. Receives from any source are served from both.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_SHAREDCOMMUNICATOR_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_SHAREDCOMMUNICATOR_H

#include "analysis/trace/Profile.h"
#include "runtime/sharing/planned/PostedReceive.h"
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
  struct Tag {
    std::uint32_t messages = 0;
    std::vector<FirstHop> routes; ///< one for each exchange that has it
  };
  std::unordered_map<int, Tag> tags;
};

class SharedCommunicator {
public:
  /// `index` is the place of all ranks' in Record::place. `everyPair`: all messages between two
  /// members travel with the runtime; what is known of a pair comes with its first message.
  SharedCommunicator(Communicator identity, std::uint32_t index, bool everyPair = false);

  // The plan. World ranks.
  void addRoute(const SharedMessage &message, const FirstHop &hop);
  void removeRoute(const SharedMessage &message, const FirstHop &hop);
  void addSource(int worldRank);
  /// The member receives from any source: all that others send it travels with the runtime.
  void addAnySourceReceiver(int worldRank);

  /// To which messages do not travel as written, or null.
  Target *target(int rank);
  /// The numbers of the next message to it.
  static Record number(Target &target, int tag, Target::Tag &ofTag);

  /// Whether a receive from there must be posted here (a rank, or MPI_ANY_SOURCE).
  bool serves(int source) const;
  /// Whether none of what comes from there is MPI's.
  bool servesAlone(int source) const;
  /// Serves it now, or later.
  void post(PostedReceive &receive);
  /// Takes it back; false where a message was matched to it.
  bool takeBack(PostedReceive &receive);
  /// A record came; of which rank in the world, and its bytes.
  void arrived(int worldRank, const Record &record, std::span<const std::byte> bytes);

  /// The message that a receive would get now, of a source whose messages do not travel as written;
  /// null where there is none.
  struct Held {
    Record record;
    std::vector<std::byte> bytes;
    int source;
  };
  const Held *find(int source, int tag);
  /// A receive of it begins: it is taken out.
  Held take(const Held &held);
  /// The receive, which was not posted, gets a message that was taken out: now or later.
  void give(PostedReceive &receive, const Held &taken);

  /// Looks for messages of MPI's for receives from any source, and for those that others stand
  /// before; and at what comes from senders' buffers.
  void progress();
  /// Whether it must look for messages of MPI's again and again.
  bool probes() const { return !queue.empty() && !everySource; }
  /// Receives whose messages come from senders' buffers, by their requests `payload`.
  const std::vector<PostedReceive *> &awaitingPayload() const { return paying; }
  /// That request is complete, as by MPI_Wait.
  void finishPayload(PostedReceive &receive, int error, const MPI_Status &status);
  /// Whether no receive is posted.
  bool idle() const;
  /// Whether no message waits for its receive.
  bool holdsNothing() const;

  const Communicator identity;
  const std::uint32_t index;
  MPI_Comm handle = MPI_COMM_NULL; ///< while the program has one
  MPI_Comm self = MPI_COMM_NULL;   ///< of this process alone
  MPI_Comm world = MPI_COMM_NULL;  ///< the link's, for payloads

private:
  struct Source {
    int rank = 0, worldRank = 0;
    std::uint32_t nextPair = 0; ///< the first that no receive took
    std::set<std::uint32_t> takenAhead;
    struct Tag {
      std::uint32_t next = 0; ///< likewise, of this tag
      std::map<std::uint32_t, Held> held;
    };
    std::unordered_map<int, Tag> tags;
    std::size_t heldCount = 0;
    std::deque<PostedReceive *> posted; ///< from it alone
  };
  Source *source(int rank);
  const Held *find(Source &from, int tag);
  const Held *findUnclaimed(Source &from, int tag);
  PostedReceive *firstAccepting(const Source &from, int tag) const;
  PostedReceive *receiverOf(const Source &from, const Record &record) const;
  void note(Source &from, Source::Tag &tag, const Record &record);
  void deliver(PostedReceive &receive, int rank, int worldRank, const Record &record,
               std::span<const std::byte> bytes);
  void remove(PostedReceive &receive);
  void matchHeld(Source &from);
  bool serveFromMpi();
  void takePayloads();

  bool isMember(int rank) const;

  bool everyTarget, everySource; ///< what goes to all members, or comes from them, is the runtime's
  int ownRank = -1;
  std::vector<int> rankOf; ///< by world rank; -1: no member
  std::unordered_map<int, Target> targets;
  std::unordered_map<int, Source> sources;
  std::deque<PostedReceive *> queue; ///< from any source, and behind those from other members
  std::vector<PostedReceive *> paying;
  std::uint64_t lastSerial = 0;
};

} // namespace sendwright::exchange

#endif
