// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process knows while messages are shared, and the loop in which it waits.

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

/// How a message is to be sent.
enum class Mode { Standard, Buffered, Ready, Synchronous };

/// A persistent send of the program's to a rank that it sends to by route. Each start sends a
/// message. Where every message is copied, the program's request goes nowhere and is complete at
/// once (not under SMPI, which starts no such request). Otherwise it takes an empty message from
/// this process itself, which it gets when the message is sent.
struct PersistentSend {
  SendArguments arguments;
  Mode mode = Mode::Standard;
  SharedCommunicator *communicator = nullptr; ///< stays when the program frees its handle
  bool ownsDatatype = false;
  int trigger = 0;                        ///< tag of the empty message
  MPI_Request message = MPI_REQUEST_NULL; ///< that the last start sent, until it is complete
};

/// A message that the program probed. An empty one of this process gives the program its handle.
struct ClaimedMessage {
  SharedCommunicator *communicator = nullptr;
  SharedCommunicator::Held held{};
  MPI_Request request = MPI_REQUEST_NULL; ///< of the empty one
};

/// A message that came before this rank knew its communicator.
struct EarlyMessage {
  int source = 0;
  Record record;
  std::vector<std::byte> bytes;
};

struct MessageSharing final : Layer {
  static constexpr LayerPlace place = LayerPlace::Sharing;

  /// With `everyPair`, all messages between members of the program's intracommunicators travel with
  /// the runtime, and the plan is empty.
  explicit MessageSharing(const RankCountPlan &plan, bool everyPair = false)
      : sites(plan.sites), planned(plan.of<SharedExchanges>()), everyPair(everyPair) {}

  /// Passes on what others need until all ranks are here. What is then under way, nobody waits for.
  void finish() override;
  /// Makes everything. Collective. False where MPI gives no communicators.
  bool begin();
  /// Takes messages that go straight from here on. Of several that have arrived those are taken
  /// first that were listened for first: so this comes last.
  void listen();
  /// Takes in, delivers and passes on what has arrived. `wait`: until something arrives, where that
  /// can be waited for without missing anything else.
  void makeProgress(bool wait = false);
  /// The same, and waits also for one of the requests.
  void makeProgress(Awaited &awaited);
  /// The communicator where messages are shared on it, else null.
  SharedCommunicator *find(MPI_Comm communicator);
  void bind(MPI_Comm communicator);
  void noteDuplicate(MPI_Comm original, MPI_Comm copy);
  /// With `everyPair`: the communicator was created, which all its members say here.
  void introduce(MPI_Comm communicator);
  /// The program freed it.
  void drop(MPI_Comm communicator);
  /// A message that goes straight: of `source` in the world.
  void arrived(int source, const Record &record, std::span<std::byte> bytes);
  /// The receive behind a request of the program's, or null.
  PostedReceive *receiveOf(MPI_Request request);
  /// Whether the program has no request of the runtime's, and no message waits for its receive.
  bool isIdle() const;
  /// A persistent send was started, and its message is on its way.
  void noteStart(PersistentSend &send);
  /// It is as good as complete: the program frees its request.
  void abandonStart(PersistentSend &send);
  int nextPayloadTag();
  int nextTrigger();
  std::string whatIsAwaited() const;

  const std::vector<SitePlan> &sites;
  const SharedExchanges &planned;
  const bool everyPair;
  Policy *policy = nullptr; ///< null where the plan decides
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
  std::vector<PersistentSend *> started; ///< those whose messages are on their way
  std::unordered_map<MPI_Message, ClaimedMessage> claimed;
  std::vector<std::byte> packed;  ///< for MPI_Pack()
  int tagLimit = 32767, rank = 0; ///< the rank is that in the world
  unsigned payloads = 0, triggers = 0;
  unsigned introduced = 0; ///< communicators that this rank gave a number
  bool progressing = false;
  bool passesOn = false; ///< by routes of the plan: others may wait for what arrives here

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

/// Null where no messages are shared.
inline MessageSharing *messageSharing() { return process.find<MessageSharing>(); }

inline void noteWait() {
  if (MessageSharing *sharing = messageSharing(); sharing && sharing->policy)
    sharing->policy->noteWait();
}

/// The tags on the link of messages that do not go by route, and of the first stage of a plan's
/// routes. While routes are learned there are others: messages that left their routes (their
/// numbers are the ranks that sent them), what ranks tell one another, and combined messages.
inline constexpr int straightTag = 0, firstRouteTag = 1;
inline constexpr int divertedTag = 1, controlTag = 2, learnedTag = 3, learningTags = 4;

/// Makes progress until done() is true; `what` describes the wait for the watchdog. `arrivals`:
/// nothing but what arrives for the runtime can make it true.
template <typename Done, typename What>
void waitUntil(Done done, [[maybe_unused]] What what, [[maybe_unused]] bool arrivals = false) {
  noteWait();
#ifdef SMPI_H // where a look at a request takes simulated time, and the simulator tells of deadlock
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

/// The same for a request of the runtime's or of MPI's alone. Returns MPI's error code.
int waitForRequest(MPI_Request *request, MPI_Status *status, const char *function);

/// Makes progress until all members of the communicator have called it. Returns whether all say
/// `own`; false where MPI cannot tell. Collective.
bool allAgree(MPI_Comm communicator, bool own, const char *function);
/// The same of some ranks of MPI_COMM_WORLD, in the same order at each; of no communicator.
bool allOfThemAgree(const std::vector<int> &members, bool own, const char *function);
/// Makes progress until all members of the communicator are here.
void waitForMembers(MPI_Comm communicator, const char *function);

/// Part of a line of the watchdog: "in FUNCTION" and what is under way.
std::string waitingIn(const std::string &call);

/// The error handler of the program's communicator is called where `error` is one; returns it.
int raise(MPI_Comm communicator, int error);

/// The target where the call's message does not travel as written, and MPI has no objections; else
/// null.
Target *sharedTarget(const SendArguments &arguments, SharedCommunicator *&communicator);

/// Sends a message to a rank to which messages do not travel as written. `request`: null for a
/// blocking send, which returns when its buffer is free.
int sendShared(const void *frame, SharedCommunicator &communicator, Target &target, Mode mode,
               const SendArguments &arguments, MPI_Request *request);

/// Posts a receive; `function` is for the watchdog. Returns its error code after the handler.
int receiveShared(SharedCommunicator &communicator, PostedReceive &receive, MPI_Status *status,
                  const char *function);

/// Waits for a receive that was posted or given a message, likewise.
int waitForReceive(PostedReceive &receive, MPI_Status *status, const char *function);

/// Whether such a message is copied by whatever way it goes, so that its send is complete at once.
bool isAlwaysCopied(Mode mode, const SendArguments &arguments);

/// A request of the program's that is complete, for a message of `source` where it receives; a null
/// pointer is none. Returns MPI's error code.
int completeRequest(MPI_Comm communicator, int source, MPI_Request *request);

/// A copy of the datatype if it is not MPI's own.
bool ownDatatype(MPI_Datatype &datatype);

} // namespace sendwright::exchange

#endif
