// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process keeps while messages are shared, and the loop in which it waits.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_MESSAGESHARING_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_MESSAGESHARING_H

#include "analysis/plan/Plan.h"
#include "analysis/sharing/SharedExchanges.h"
#include "runtime/base/Process.h"
#include "runtime/base/RecordedCommunicators.h"
#include "runtime/batch/Batch.h"
#include "runtime/sharing/planned/Exchange.h"
#include "runtime/sharing/planned/Link.h"
#include "runtime/sharing/planned/Policy.h"
#include "runtime/sharing/planned/PostedReceive.h"
#include "runtime/sharing/planned/Routes.h"
#include "runtime/sharing/planned/SharedCommunicator.h"

#include <mpi.h>
#include <sched.h>

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace sendwright::exchange {

/// The mode of a send.
enum class Mode { Standard, Buffered, Ready, Synchronous };

/// A persistent send of the program to a rank that it sends to by route. Each start sends a
/// message. If every message is copied, the program's request is one to MPI_PROC_NULL and complete
/// at once (not under SMPI, which does not start such requests). Otherwise it takes an empty
/// message from this process itself, which is sent when the real message is.
struct PersistentSend {
  SendArguments arguments;
  Mode mode = Mode::Standard;
  SharedCommunicator *communicator = nullptr; ///< outlives the program's handle
  bool ownsDatatype = false;
  int trigger = 0;                        ///< tag of the empty message
  MPI_Request message = MPI_REQUEST_NULL; ///< sent by the last start, until it is complete
};

/// A message that the program probed. An empty message from this process gives the program its
/// handle.
struct ClaimedMessage {
  SharedCommunicator *communicator = nullptr;
  SharedCommunicator::Held held{};
  MPI_Request request = MPI_REQUEST_NULL; ///< of the empty message
};

/// A message that arrived before this rank knew its communicator.
struct EarlyMessage {
  int source = 0;
  Record record;
  std::vector<std::byte> bytes;
};

struct MessageSharing final : Layer {
  static constexpr LayerPlace place = LayerPlace::Sharing;

  /// With `everyPair`, the runtime carries all messages between members of the program's
  /// intracommunicators, and the plan is empty.
  explicit MessageSharing(const RankCountPlan &plan, bool everyPair = false)
      : sites(plan.sites), planned(plan.of<SharedExchanges>()), everyPair(everyPair) {}

  /// Passes on what other ranks need until all ranks are here. No rank waits for what is still
  /// under way then.
  void finish() override;
  /// Creates everything. Collective. False if MPI cannot create communicators.
  bool begin();
  /// From here on receives messages that go directly. Of several that have arrived, those are taken
  /// first that were listened for first, so this must come last.
  void listen();
  /// Receives, delivers and passes on what has arrived. `wait`: until something arrives, if that is
  /// possible without missing anything else.
  void makeProgress(bool wait = false);
  /// The same; also waits for one of the requests.
  void makeProgress(Awaited &awaited);
  /// The communicator if messages are shared on it, else null.
  SharedCommunicator *find(MPI_Comm communicator);
  void bind(MPI_Comm communicator);
  void noteDuplicate(MPI_Comm original, MPI_Comm copy);
  /// With `everyPair`: the communicator was created. All its members must call this.
  void introduce(MPI_Comm communicator);
  /// The program freed the communicator.
  void drop(MPI_Comm communicator);
  /// A message that goes directly arrived, from `source` in the world.
  void arrived(int source, const Record &record, std::span<std::byte> bytes);
  /// The receive behind one of the program's requests, or null.
  PostedReceive *receiveOf(MPI_Request request);
  /// Whether the program has no request of the runtime, and no message waits for its receive.
  bool isIdle() const;
  /// A persistent send was started, and its message is under way.
  void noteStart(PersistentSend &send);
  /// The program frees the request of a persistent send, which counts as complete.
  void abandonStart(PersistentSend &send);
  int nextPayloadTag();
  int nextTrigger();
  std::string whatIsAwaited() const;

  const std::vector<SitePlan> &sites;
  const SharedExchanges &planned;
  const bool everyPair;
  Policy *policy = nullptr; ///< null if the plan decides
  Link link;
  MPI_Comm self = MPI_COMM_NULL; ///< private, of this process alone
  RecordedCommunicators recorded;
  std::map<std::uint32_t, SharedCommunicator> communicators; ///< by index
  std::unordered_map<std::uint32_t, std::vector<EarlyMessage>> early;
  std::deque<Routes> routes; ///< one for each part of the plan
  std::unordered_map<MPI_Comm, SharedCommunicator *> known;
  MPI_Comm lastHandle = MPI_COMM_NULL;
  SharedCommunicator *lastFound = nullptr;
  std::unordered_map<MPI_Request, PostedReceive *> receives;
  std::unordered_map<MPI_Request, PersistentSend> persistentSends;
  std::vector<PersistentSend *> started; ///< sends whose messages are under way
  std::unordered_map<MPI_Message, ClaimedMessage> claimed;
  std::vector<std::byte> packed;  ///< for MPI_Pack()
  int tagLimit = 32767, rank = 0; ///< rank: in the world
  unsigned payloads = 0, triggers = 0;
  unsigned introduced = 0; ///< number of communicators that this rank numbered
  bool progressing = false;
  bool passesOn = false; ///< by routes of the plan: other ranks may wait for what arrives here

private:
  void add(MPI_Comm handle, const Communicator &identity, std::uint32_t index);
  void sweepCommunicators();
  void makeCommunicators();
  SharedCommunicator &communicatorOf(const SharedExchange &exchange);
  void makeRoutes();
  void progressOnce(bool wait, Awaited &awaited);
  void takeIn(bool wait, Awaited &awaited);
  void completeStarts();
  void await(Awaited &awaited);
  void endForMemory() const;
};

/// Null if no messages are shared.
inline MessageSharing *messageSharing() { return process.find<MessageSharing>(); }

inline void noteWait() {
  if (MessageSharing *sharing = messageSharing(); sharing && sharing->policy)
    sharing->policy->noteWait();
}

/// The tags on the link of messages that go directly, and of the first stage of a plan's routes.
/// While routes are learned there are more: for messages that left their routes (numbered by the
/// ranks that sent them), for what ranks tell one another, and for combined messages.
inline constexpr int straightTag = 0, firstRouteTag = 1;
inline constexpr int divertedTag = 1, controlTag = 2, learnedTag = 3, learningTags = 4;

/// Makes progress until done() is true; `what` describes the wait for the watchdog. `arrivals`:
/// only what arrives for the runtime can make it true.
template <typename Done, typename What>
void waitUntil(Done done, [[maybe_unused]] What what, [[maybe_unused]] bool arrivals = false) {
  noteWait();
#ifdef SMPI_H // testing a request takes simulated time, and the simulator reports deadlocks
  if (!arrivals)
    progress();
  while (!done())
    messageSharing()->makeProgress(arrivals);
#else
  progress();
  if (done())
    return;
  Watchdog watch(currentBatch()->watchdog);
  int turns = 0;
  do {
    progress();
    if (++turns >= 20)
      sched_yield(); // there may be more ranks than cores
    if (turns % 64 == 0 && watch.due())
      watch.report(what());
  } while (!done());
#endif
}

/// The same for a request that belongs only to the runtime or MPI. Returns MPI's error code.
int waitForRequest(MPI_Request *request, MPI_Status *status, const char *function);

/// Makes progress until all members of the communicator have called it. Returns whether all have
/// `own`; false if MPI cannot tell. Collective.
bool allAgree(MPI_Comm communicator, bool own, const char *function);
/// The same for some ranks of MPI_COMM_WORLD without a communicator, listed in the same order at
/// each.
bool allOfThemAgree(const std::vector<int> &members, bool own, const char *function);
/// Makes progress until all members of the communicator are here.
void waitForMembers(MPI_Comm communicator, const char *function);

/// Part of a line of the watchdog: "in FUNCTION" and what is under way.
std::string waitingIn(const std::string &call);

/// Calls the error handler of the program's communicator if `error` is an error; returns `error`.
int raise(MPI_Comm communicator, int error);

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
