// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank does before it enters a blocking collective call of MPI while a plan's messages are
// shared: in the call it passes nothing on. Members of the communicator meet, or each keeps its
// promise and enters (analysis/sharing/ExpectedInstances.h).
//
// Promises are made on one communicator that has all ranks of the plan's exchanges: the first on
// which such a call is made, or another one with the same members when these have met there
// several times in a row without a call on the first. Before calls on other communicators members
// meet.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_COLLECTIVEENTRY_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_COLLECTIVEENTRY_H

#include "analysis/sharing/ExpectedInstances.h"
#include "analysis/sharing/SharedExchanges.h"
#include "runtime/sharing/planned/ExecutionsBetweenCalls.h"
#include "runtime/sharing/planned/TrafficFit.h"

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace sendwright::exchange {

class ReceiptNotices;
class Routes;
class SharedCommunicators;

class CollectiveEntry {
public:
  /// `routes`: this rank's parts of the plan's exchanges. All references must outlive it.
  CollectiveEntry(std::deque<Routes> &routes, SharedCommunicators &communicators,
                  const ReceiptNotices &notices, const SharedExchanges &plan);
  /// A communicator of the runtime's with all ranks of the world. Must outlive it.
  void begin(MPI_Comm ofRuntime) { privateWorld = ofRuntime; }

  /// The ranks of the plan's exchanges are among `ranks` (of the world).
  void addRanks(const std::vector<int> &ranks);
  /// The program is about to make a blocking collective call on the communicator. Returns when the
  /// rank may enter it. The program's batches must be flushed.
  void enter(MPI_Comm communicator);
  /// Members make such a call on the communicator while sharing pauses.
  void leaveOut(MPI_Comm communicator) {
    if (communicator == bound)
      expected.leaveOut();
  }
  /// This rank is about to enter a collective call without meeting: tells senders, and MPI, which
  /// receives are posted.
  void lendReceives();
  /// The program frees the communicator.
  void drop(MPI_Comm communicator);
  /// Whether the ranks of the world have just met, and the plan has no routes any more.
  bool metWithoutPlan() const { return hasMet && fit.isOver(); }
  /// The exchanges whose routes were given up since the last call, because most messages of their
  /// loops are not the plan's; the same on all ranks.
  std::vector<std::size_t> takeGivenUp() { return std::exchange(givenUp, {}); }

  /// Whether promises are made on the communicator.
  bool isBound(MPI_Comm communicator) const { return communicator == bound; }
  /// After how many calls on it the same instances are expected again; 0: nothing is expected, or
  /// not by a period of at most ExpectedInstances::longestPeriod.
  std::uint64_t period() const { return expected.lengthOfPeriod(); }

  /// Whether ranks may be inside the next collective call without having met: then no send may wait
  /// for its receiver's runtime. (In an earlier call it may: any call may wait for all members, so
  /// what this rank does after it cannot be needed there.)
  bool promises() const { return !expected.meetsNext(); }
  /// A send waits for its receiver's runtime: a reason to meet before the next calls.
  void noteAnnounced() { ++reasonsToMeet; }

private:
  struct Agreed {
    ExpectedInstances::Counts counts; ///< the largest of any member
    bool asExpected = false;          ///< all members have the same, and none has a reason to meet
    bool isEven = false;              ///< the same, but perhaps not as expected
    bool isLate = false;              ///< messages have waited for a rank that has begun too few
    bool doubted = false;             ///< some member doubts the plan
    bool sameCalls = false;           ///< all have the same `bound`, and equally many calls on it
  };

  bool covers(MPI_Comm communicator);
  std::vector<int> sortedMembers(MPI_Comm communicator) const;
  void keepPromise();
  void noteReasons();
  bool isKept() const;
  void meet(MPI_Comm communicator);
  Agreed agree(MPI_Comm communicator);
  void choose(MPI_Comm communicator, const Agreed &agreed);
  void contribute(const ExpectedInstances::Counts &counts);
  void takeOver(const Agreed &agreed);
  void noteExecutions();
  void reconsider(const Agreed &agreed);
  void setLimits();
  std::uint64_t total(std::uint64_t (Routes::*number)() const) const;

  std::deque<Routes> &routes;
  SharedCommunicators &communicators;
  const ReceiptNotices &notices;
  const RecordedSteps &recorded;
  std::size_t exchanges;
  ExpectedInstances expected;
  ExecutionsBetweenCalls made; ///< between calls on `bound`
  TrafficFit fit;
  std::vector<std::size_t> givenUp; ///< until they are taken
  MPI_Comm privateWorld = MPI_COMM_NULL;
  bool hasMet = false;                ///< the members of MPI_COMM_WORLD, before its last call
  std::vector<int> plannedRanks;      ///< ascending
  MPI_Comm bound = MPI_COMM_NULL;     ///< where promises are made
  std::vector<int> boundMembers;      ///< its members when it was chosen, ascending; in the world
  std::uint64_t choices = 0;          ///< how often `bound` has changed
  std::uint64_t calls = 0;            ///< blocking collective calls on it
  std::uint64_t callsAtMeeting = 0;   ///< when members last met on another communicator
  int meetingsElsewhere = 0;          ///< in a row, without calls on `bound`
  std::uint64_t reasonsToMeet = 0;    ///< since the last meeting
  std::uint64_t deviationsBefore = 0; ///< at the last meeting
  std::uint64_t releasesTold = 0;     ///< at meetings
  bool meetsForGood = false;          ///< this rank has had a reason that may come again
  MPI_Comm lastAsked = MPI_COMM_NULL; ///< by covers()
  bool lastCovers = false;
};

} // namespace sendwright::exchange

#endif
