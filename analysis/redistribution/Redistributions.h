// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The redistributions of a simulated run, message by message. Ranks vote whether all agree. Under
// the runtime's schedule, messages travel meanwhile in chunks, in the recorded orders, and a rank
// handles each arrival as it comes (as runtime/redistribution/Movement.cpp does). Under
// MPI_Alltoallv, as with SENDWRIGHT_DISABLE=1, messages follow after the votes.
//
// Copying and packing cost nothing here. When ranks first redistribute over a communicator, the
// runtime makes one of its own, at the cost that the machine file gives for this.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_REDISTRIBUTIONS_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_REDISTRIBUTIONS_H

#include "analysis/machine/MessageSimulation.h"
#include "analysis/redistribution/RedistributionMethod.h"
#include "analysis/run/Timeline.h"
#include "analysis/simulation/CollectiveCalls.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sendwright {

/// Whether the rank's profile has redistributions. Linear in its distinct events.
bool hasRedistributions(const RankProfile &rank);

class Redistributions {
public:
  /// All arguments must outlive this object. Linear in the timeline.
  Redistributions(const Timeline &timeline, const Machine &machine, const CollectiveCalls &calls,
                  RedistributionMethod method, MessageSimulation &simulation);

  /// The rank comes to the redistribution at this position, and does what it can without waiting. A
  /// redistribution costs nothing if the timeline does not have all ranks of the communicator in
  /// it.
  void enter(std::uint32_t rank, std::size_t position);
  /// True from enter() until the rank has all its elements and knows that all ranks agree.
  bool isInside(std::uint32_t rank) const { return open[rank] != nullptr; }

  /// True for a message of a redistribution that is not over. O(log n) for n such redistributions.
  bool isPart(std::uint32_t message) const;

  /// A message that moves elements, between world ranks.
  struct Transfer {
    std::uint32_t from = 0, to = 0;
    std::uint64_t bytes = 0;
  };
  /// What a message of a redistribution that is not over moves; nothing for a vote, or a message of
  /// MPI_Alltoallv without elements. O(log n) for n such redistributions.
  std::optional<Transfer> movedBy(std::uint32_t message) const;

  /// What a rank waited for: for how long, until when, and the position of the rank that sent the
  /// message (or received it too late).
  struct Wait {
    double seconds = 0, until = 0;
    MessageSimulation::Cause cause;
    std::uint32_t causePosition = 0;
  };
  /// The message has come to the rank, or has left it (MessageSimulation::report()).
  Wait proceed(std::uint32_t rank, std::uint32_t message);

  /// Messages sent so far.
  std::uint64_t sent() const { return count; }

private:
  struct Message {
    std::uint32_t from = 0, to = 0; // members
    std::uint64_t bytes = 0, chunkBytes = 1;
    std::uint32_t firstChunk = 0, chunks = 0;
  };
  /// A member's messages in one direction, in order.
  struct Stream {
    std::vector<std::uint32_t> messages;
    std::size_t current = 0;
    std::uint32_t chunk = 0;
    std::size_t underWay = 0;
    std::uint64_t bytesUnderWay = 0, bytesBegun = 0;
    bool done() const { return current == messages.size() && underWay == 0; }
  };
  struct Member {
    std::uint32_t position = 0;
    Stream sends, receives;
    std::vector<char> voted;                 // by vote: whether it has come
    std::size_t votesSent = 0, heard = 0;    // heard: how many of the first votes have all come
    std::uint32_t step = 0, outstanding = 0; // of MPI_Alltoallv: partners so far, and messages
                                             // under way with them
    std::vector<std::uint32_t> ready;        // messages that came before their receive
  };
  enum Receive : std::uint8_t { NotPosted, Posted, Early };
  struct Instance {
    const std::vector<int> *members = nullptr; // world ranks
    std::vector<int> distances;                // of votes
    std::vector<Member> of;
    std::vector<Message> messages;
    std::vector<std::uint32_t> messageOfChunk;
    std::vector<std::uint64_t> bytes; // of MPI_Alltoallv: by sender, then receiver
    std::uint32_t first = 0;          // first message of the simulation
    std::vector<Receive> receives;    // of each of these messages
    std::size_t left = 0;             // members that have not finished
    bool makesCommunicator = false;

    std::size_t ranks() const { return of.size(); }
    std::size_t votes() const { return of.size() * distances.size(); }
  };
  struct Ends {
    std::uint32_t from, to; // members
  };
  /// The redistributions over one communicator.
  struct Sequence {
    const std::vector<int> *members = nullptr;
    std::vector<std::vector<std::size_t>> positions; // by member: of its redistributions
    std::map<std::size_t, Instance *> open;
  };

  Instance *make(Sequence &sequence, std::size_t number);
  void collectMessages(Instance &instance) const;
  void numberMessages(Instance &instance);
  Ends endsOf(const Instance &instance, std::uint32_t local) const;
  std::uint32_t worldRank(const Instance &instance, std::uint32_t member) const {
    return static_cast<std::uint32_t>((*instance.members)[member]);
  }

  void begin(Instance &instance, std::uint32_t member);
  void handle(Instance &instance, std::uint32_t member, std::uint32_t local, bool arrival);
  void handleReady(Instance &instance, std::uint32_t member);
  void sendVotes(Instance &instance, std::uint32_t member);
  void beginMore(Instance &instance, std::uint32_t member);
  void fill(Instance &instance, Stream &stream, bool sending, std::uint64_t allowance);
  void exchange(Instance &instance, std::uint32_t member);
  void leaveIfThrough(Instance &instance, std::uint32_t member);
  bool send(Instance &instance, std::uint32_t local, std::uint64_t bytes);
  void post(Instance &instance, std::uint32_t local);

  const Timeline &timeline;
  const Machine &machine;
  const RedistributionMethod method;
  MessageSimulation &simulation;
  std::map<std::uint32_t, Sequence> sequences;              // by communicator
  std::vector<std::map<std::size_t, std::uint32_t>> called; // by rank, position: communicator
  std::map<std::uint32_t, Instance> instances;              // not over, by first message
  std::vector<Instance *> open;                             // by rank
  std::set<std::vector<int>> known; // ranks that the runtime has a communicator for
  std::uint64_t count = 0;
};

} // namespace sendwright

#endif
