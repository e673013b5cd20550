// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process keeps while messages are shared. The parts have their own files:
//
//     Link                  the runtime's messages to other ranks
//     SharedCommunicators   the program's communicators
//     ProgramRequests       the program's handles that stand for such messages
//     Routes                the plan's routes, one object for each part of the plan at this rank
//
// This file puts them together, and receives what has arrived.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_MESSAGESHARING_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_MESSAGESHARING_H

#include "analysis/plan/Plan.h"
#include "analysis/sharing/SharedExchanges.h"
#include "runtime/base/Process.h"
#include "runtime/batch/Batch.h"
#include "runtime/sharing/planned/CollectiveEntry.h"
#include "runtime/sharing/planned/Exchange.h"
#include "runtime/sharing/planned/Link.h"
#include "runtime/sharing/planned/MpiTraffic.h"
#include "runtime/sharing/planned/Pauses.h"
#include "runtime/sharing/planned/Policy.h"
#include "runtime/sharing/planned/ProgramRequests.h"
#include "runtime/sharing/planned/ReceiptNotices.h"
#include "runtime/sharing/planned/Routes.h"
#include "runtime/sharing/planned/RoutesByTurns.h"
#include "runtime/sharing/planned/SharedCommunicators.h"
#include "runtime/sharing/planned/WatchedTraffic.h"

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sendwright::exchange {

class MessageSharing final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::Sharing;

  /// With `everyPair`, the runtime carries all messages between members of the program's
  /// intracommunicators, and the plan is empty. The plan must outlive this.
  explicit MessageSharing(const RankCountPlan &plan, bool everyPair = false);

  /// Creates everything. All ranks do so in the same order. False if MPI has too few tags, or
  /// cannot copy MPI_COMM_SELF. The communicator must outlive this.
  bool begin(PrivateCommunicator &communicator);
  /// From here on receives messages that go directly.
  void listen();
  /// From here on, sends of the plan's loops go by their routes. `sites`: one for each part of the
  /// plan, or null.
  void openRoutesAt(const std::vector<PlannedSite *> &sites);
  /// The plan has an exchange at this loop. `number`: as PlannedSite::learnedAs if it learns later.
  void addLoop(PlannedSite &loop, std::uint64_t number) { plannedLoops[&loop] = number; }
  /// Called on all ranks if most messages of all exchanges were not the plan's, and MPI carries all
  /// messages again: the ranks are about to make a collective call on the world. `isAtRest`: all
  /// messages on it that were sent have met their receives.
  void setWhenPlanIsLeft(std::function<void(bool isAtRest)> function) {
    whenPlanIsLeft = std::move(function);
  }
  /// From here on MPI carries all messages, and the policy watches. No message of the runtime is
  /// under way, on any rank.
  void watch();
  /// While it watches: whether this rank serves others when it waits.
  void serveWhileWatching(bool serves);
  /// From here on the runtime carries all messages. All ranks do so at cuts at which their sums of
  /// watchedTraffic() add up to 0.
  void carry();
  WatchedTraffic &watchedTraffic() { return watched; }
  /// The program sends a message while the policy watches. Arguments as in exchange::watchSend().
  void watchSend(const void *frame, MPI_Comm communicator, int destination, MPI_Count count,
                 MPI_Datatype datatype, bool mayTravel);
  /// Receives all messages of the runtime that were sent before all ranks called it; `function` is
  /// for the watchdog.
  void takeInAll(const char *function);
  /// Who decides how messages travel; null if the plan decides.
  void follow(Policy *decides) { decider = decides; }
  Policy *policy() const { return decider; }
  /// Passes on what other ranks need until all ranks are here. No rank waits for what is still
  /// under way then.
  void finish() override;
  /// Frees what belongs to MPI.
  void end();

  /// Receives, delivers and passes on what has arrived. `wait`: until something arrives, if that is
  /// possible without missing anything else.
  void makeProgress(bool wait = false);
  /// The same; also waits for one of the requests.
  void makeProgress(Awaited &awaited);

  /// The communicator if the runtime carries messages on it, else null.
  SharedCommunicator *find(MPI_Comm communicator) {
    return isWatching() ? nullptr : known.find(communicator);
  }
  /// The program is about to make a blocking collective call on the communicator; its batches are
  /// flushed.
  void enterCollective(MPI_Comm communicator);
  CollectiveEntry &collectiveEntry() { return entry; }
  /// While routes are learned: a message may wait for its receiver's runtime, so the ranks must
  /// meet before each call as soon as they all can know. Reasons are synchronous sends, and
  /// receives from any source.
  void noteReasonToMeet() { mustMeet = true; }
  bool hasReasonToMeet() const { return mustMeet; }
  /// A pair is being left to MPI; its receiver has answered.
  void noteLeaving() { ++leaving; }
  void noteLeft() { --leaving; }
  /// Whether some receiver of this rank's messages may still be unaware that MPI carries them.
  bool isLeaving() const { return leaving != 0; }
  /// The program frees the communicator.
  void drop(MPI_Comm communicator);
  /// Sends a message of `source` that leaves its routes at this rank. Ranks in the world; `index`:
  /// of its communicator.
  void sendStraight(int source, int destination, std::uint32_t index, Record record,
                    std::span<const std::byte> bytes);

  /// Sends a record without a message: Record::place and Record::pairNumber.
  void sendMark(int destination, std::uint32_t place, std::uint32_t pairNumber);
  /// MPI sends a copy of a packed message, which the program does not wait for. Returns MPI's error
  /// code.
  int sendKept(std::span<const std::byte> packed, const SendArguments &arguments);

  Link &link() { return messages; }
  SharedCommunicators &communicators() { return known; }
  ProgramRequests &requests() { return programRequests; }
  ReceiptNotices &notices() { return receiptNotices; }
  MpiTraffic &trafficOfMpi() { return traffic; }
  MPI_Comm self() const { return ofThisProcess; } ///< private, of this process alone
  int rank() const { return worldRank; }          ///< rank: in the world
  int tagLimit() const { return largestTag; }
  int nextPayloadTag();
  /// Memory for MPI_Pack(), until the next call.
  std::byte *packingRoom(std::size_t bytes);

  /// Whether the program has no request of the runtime, and no message waits for its receive.
  bool isIdle() const { return programRequests.empty() && known.areIdle(); }
  /// Whether no message waits on a route of the plan.
  bool holdsNothing() const;
  /// Lets sharing pause now and then; the pauses are made with the first call.
  Pauses &makePauses();
  /// Null if sharing never pauses.
  Pauses *pauses() { return pausesOrNull.get(); }
  /// Whether messages of other ranks may wait here for what arrives.
  bool passesOn() const { return routesPassOn || (decider && decider->passesOn()); }
  /// After a message that went directly: looks at times for messages to pass on, so that they also
  /// travel while the program sends for long without waiting. To look each time would take longer
  /// than to send.
  void lookBetweenSends();
  /// Continues a line of the watchdog.
  std::string whatIsAwaited() const;

private:
  void makeRoutes();
  void leavePlan();
  void releaseLate();
  void progressOnce(bool wait, Awaited &awaited);
  void takeIn(bool wait, Awaited &awaited);
  void await(Awaited &awaited);
  void endForMemory();
  void leaveWhileWatching();

  const std::vector<SitePlan> &sites;
  const SharedExchanges &planned;
  const bool everyPair;
  Policy *decider = nullptr;
  PrivateCommunicator *privateWorld = nullptr;
  Link messages;
  MPI_Comm ofThisProcess = MPI_COMM_NULL;
  SharedCommunicators known;
  ProgramRequests programRequests;
  ReceiptNotices receiptNotices;
  std::deque<Routes> routes; ///< one for each part of the plan
  std::deque<RoutesByTurns> routesByTurns;
  std::unique_ptr<Pauses> pausesOrNull;
  CollectiveEntry entry{routes, known, receiptNotices, planned};
  MpiTraffic traffic;
  WatchedTraffic watched{known};
  std::map<PlannedSite *, std::uint64_t> plannedLoops; ///< of all exchanges: their numbers
  std::function<void(bool isAtRest)> whenPlanIsLeft;
  int attempts = 0;           ///< to leave the plan
  unsigned turns = 0;         ///< of progress
  unsigned sendsUnlooked = 0; ///< direct sends, counted to look between them
  std::vector<std::byte> packed;
  struct KeptMessage {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::list<KeptMessage> kept; ///< until MPI has sent them
  int largestTag = 32767, worldRank = 0;
  unsigned payloads = 0; ///< announced so far
  unsigned leaving = 0;  ///< pairs that this rank leaves to MPI, until their receivers answer
  bool progressing = false, mustMeet = false;
  bool routesPassOn = false;
};

/// Null if no messages are shared.
inline MessageSharing *messageSharing() { return process.find<MessageSharing>(); }

/// The kinds on the link of messages that go directly, of those that left their routes (numbered by
/// the ranks that sent them), and of the first stage of a plan's routes. While routes are learned
/// there are others: for what ranks tell one another, and for combined messages.
inline constexpr int straightKind = 0, divertedKind = 1, firstRouteKind = 2;
inline constexpr int controlKind = 2, learnedKind = 3;

/// The target if the runtime carries the call's message and MPI would accept it; else null.
Target *sharedTarget(const SendArguments &arguments, SharedCommunicator *&communicator);

/// Sends a message that the runtime carries. `request`: null for a blocking send, which returns
/// when its buffer is free.
int sendShared(const void *frame, SharedCommunicator &communicator, Target &target, Mode mode,
               const SendArguments &arguments, MPI_Request *request);

/// Posts a receive; `function` is for the watchdog. Returns its error code after the handler was
/// called.
int receiveShared(SharedCommunicator &communicator, PostedReceive &receive, MPI_Status *status,
                  const char *function);

/// Waits for a receive that was posted or given a message, in the same way.
int waitForReceive(PostedReceive &receive, MPI_Status *status, const char *function);

/// Whether such a message is copied whichever way it goes, so that its send is complete at once.
bool isAlwaysCopied(Mode mode, const SendArguments &arguments);

/// Creates a complete request for the program, for a message of `source` if it receives; does
/// nothing for a null pointer. Returns MPI's error code.
int completeRequest(MPI_Comm communicator, int source, MPI_Request *request);

/// Replaces the datatype by a copy unless it is predefined.
bool ownDatatype(MPI_Datatype &datatype);

} // namespace sendwright::exchange

#endif
