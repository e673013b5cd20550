// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process holds back: the open scopes, the sends captured in the innermost one, and the
// requests of captured sends that the program has not completed yet.
//
//     scope begins      Scopes.cpp      sends are captured from here on
//       MPI_Send        Capture.cpp     held, with a copy of its buffer
//       MPI_Isend       Capture.cpp     held, as a persistent request
//       MPI_Start       PersistentRequests.cpp   held, if it starts a send
//       MPI_Recv, ...   flushBatches()  issues what is held, in plan order (Issue.cpp)
//     scope ends        Scopes.cpp      the same, and waits for the blocking sends
//     MPI_Wait          Completion.cpp  completes a captured request and frees it
//
// All of it belongs to the thread that called MPI_Init: nothing is captured above
// MPI_THREAD_FUNNELED. Held sends always belong to the innermost scope, since beginning and ending
// a scope flush.

#ifndef SENDWRIGHT_RUNTIME_BATCH_BATCH_H
#define SENDWRIGHT_RUNTIME_BATCH_BATCH_H

#include "analysis/ordering/IssueOrder.h"
#include "analysis/trace/Profile.h"
#include "runtime/base/Communicators.h"
#include "runtime/base/HandleTable.h"
#include "runtime/base/HeldSend.h"
#include "runtime/base/InstantiationCache.h"
#include "runtime/base/Process.h"
#include "runtime/batch/CapturedStart.h"
#include "runtime/batch/CopyBuffers.h"
#include "runtime/batch/Flush.h"
#include "runtime/batch/LeadingPart.h"
#include "runtime/batch/PersistentRequests.h"
#include "runtime/batch/SiteTurns.h"
#include "runtime/batch/TimedExecution.h"
#include "runtime/batch/Window.h"
#include "runtime/include/sendwright/runtime.h"

#include <mpi.h>
#include <pthread.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sendwright {

struct RunTransformation;
using RunTransformations = std::span<const RunTransformation *const>; // RunTransformation.h

/// Takes what a loop sends instead of the batch, while the loop's scope is open: message sharing
/// does so at the sites of its plan.
class MessageTaker {
public:
  virtual void open() = 0;
  /// Whether it has messages of the open scope.
  virtual bool holdsAny() const = 0;
  /// Lets its messages leave.
  virtual void close() = 0;

protected:
  ~MessageTaker() = default;
};

/// Sends what a loop sends from copies, one by one and at once, instead of the batch: early
/// completion does so at the sites of its plan.
class CopySender {
public:
  /// Whether it takes a send in standard mode of so many bytes.
  virtual bool takes(MPI_Count bytes) const = 0;
  /// Memory for the copy, for the next call of send(). Null if there is no room. For a blocking
  /// send it waits until earlier blocking sends have left if that makes room. Throws
  /// std::bad_alloc.
  virtual void *allocate(std::size_t bytes, bool blocking) = 0;
  /// Sends the copy, and gives the program a complete request if `request` is not null. Returns
  /// MPI's error code.
  virtual int send(const SendArguments &copied, MPI_Request *request) = 0;
  /// Bytes of copies that may be on their way, whoever sends them.
  virtual std::uint64_t limit() const = 0;

protected:
  ~CopySender() = default;
};

/// A site with a plan for this rank. Lives as long as the program (its unit may be unloaded).
struct PlannedSite {
  std::string name; ///< SiteIdentity::display()
  IssueOrders orders;
  WindowHistory window;
  MessageTaker *taker = nullptr; ///< null: the batch holds its messages
  CopySender *sender = nullptr;  ///< not null: nothing is held, and sends leave from copies
  /// In a run of another number of ranks than the plan's: the number under which the loop learns,
  /// the same on all ranks; 0: the plan is for this run.
  std::uint64_t learnedAs = 0;
  SiteTurns *turns = nullptr; ///< null: all executions run as planned
};

/// Is told about scopes of loops that learn because their plan is for other numbers of ranks.
/// `frame` is the lowest address of the frame that holds the scope.
class LearnedScopeListener : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::LearnedScopes;
  virtual void enter(sendwright_scope *scope, const PlannedSite &site,
                     const void *frame) noexcept = 0;
  virtual void leave(sendwright_scope *scope) noexcept = 0;
};
/// Null: nothing learns, and these loops run as written.
inline LearnedScopeListener *learnedScopeListener() { return process.find<LearnedScopeListener>(); }

/// A loop for which the plan has orders for this rank, in at least one instantiation;
/// sendwright_site.state points to it. Lives as long as the program.
struct PlannedLoop {
  SiteIdentity identity; ///< of any instantiation
  std::map<std::string, PlannedSite> instances;
  InstantiationCache<PlannedSite *> known;

  /// The plan for the loop when it is entered in `function` (see runtime.h; null outside of
  /// templates); null if the loop runs as written. Throws std::bad_alloc.
  PlannedSite *find(const char *function);
};

/// What is known about a datatype until the next flush (the program may free the type, which
/// flushes).
struct DatatypeFacts {
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  MPI_Count size = 0;
  bool plainMemory = false; ///< elements are count * size bytes from the buffer's address on
};

class Batch final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::Batches;

  explicit Batch(std::size_t copyLimit);

  // Scopes. `frame` is the address of the caller's frame, deeper in the stack than any live scope;
  // `plan` is the plan of the scope's site.
  void begin(sendwright_scope *scope, PlannedSite &plan, const void *frame);
  void end(const sendwright_scope *scope) noexcept;
  void endAll();
  /// Ends scopes that longjmp left. Constant time if no scope was.
  void endAbandoned(const void *frame);
  bool open() const { return !scopes.empty(); }
  /// False if the innermost scope must run as written.
  bool capturing() const { return open() && scopes.back().capturing; }
  /// The taker of what the innermost scope's loop sends, or null.
  MessageTaker *taker() const { return open() ? scopes.back().plan->taker : nullptr; }
  /// Who sends copies of what the innermost scope's loop sends, or null.
  CopySender *sender() const { return open() ? scopes.back().plan->sender : nullptr; }
  /// Issues what is held; the innermost scope captures nothing more. Returns the scope's site.
  const sendwright_site &stopCapturing() noexcept;

  // Capture. Each throws std::bad_alloc, having captured nothing.
  /// `part`: of a send whose leading part leaves with its request, or null.
  void holdRequest(const SendArguments &arguments, SendMode mode, MPI_Request request,
                   std::unique_ptr<LeadingPart> part) noexcept;
  void holdCopy(const SendArguments &arguments, SendMode mode);
  /// Holds the start of a request that belongs to the program, which keeps it.
  void holdStart(const PersistentRequest &request, MPI_Request handle) noexcept;
  void reserveOne();
  void *copyBuffer(std::size_t bytes) { return copies.allocate(bytes); }
  /// The leading part if it is to leave with the send's request, or null. Throws std::bad_alloc.
  std::unique_ptr<LeadingPart> leadingPartOf(const SendArguments &send);
  bool roomToCopy(MPI_Count bytes) const;
  bool stableBuffers() const { return scopes.back().stableBuffers; }
  bool issuing() const { return issuers != 0; }

  // Facts, each looked up once between two flushes.
  const CommunicatorInfo &communicator(MPI_Comm communicator);
  const DatatypeFacts &datatype(MPI_Datatype datatype);

  /// Issues everything held. Called from within itself (by an error handler that calls MPI), it
  /// starts the rest.
  void flush();

  /// The program has waited for requests.
  void noteWait() { timed.noteWait(); }
  /// It does something else by MPI: the time of the execution ends with its last wait.
  void endTime();

  /// Frees a captured request that MPI completed and sets the program's handle to null, as MPI
  /// would have done. Does nothing for other requests.
  void release(MPI_Request *request);
  /// Forgets a request that the program itself frees.
  void forget(MPI_Request request);
  bool captured(MPI_Request request) const { return requests.contains(request); }

  bool accepting = true; ///< scopes may begin; false from MPI_Finalize on
  pthread_t thread;      ///< only this thread's scopes count
  int tagLimit = 0;
  bool deviceMemory = false; ///< buffers may be unreadable to the processor: only MPI copies them
  PersistentRequests persistent;              ///< created by the program
  sendwright_function harmlessCall = nullptr; ///< the last call target that a scope may call

private:
  struct OpenScope {
    const sendwright_scope *scope;
    const sendwright_site *site;
    PlannedSite *plan;
    unsigned long serial; ///< stored in scope->state while the scope lives
    bool onStack;         ///< its address tells whether its frame lives
    bool stableBuffers;
    bool capturing = true;
  };
  bool alive(const OpenScope &open, const void *frame) const;
  void popDownTo(std::size_t size);
  void closeShared();
  void flushWhateverIsThrown() noexcept;

  void beginTime(WindowHistory &history);
  void selectOrder(PlannedSite &site);
  void issueRest(Window &window);
  void issue(const HeldSend &send, Window &window);
  LeadingPart *addPart(const SendArguments &send);
  double bytesHeld();
  double bytesOf(const SendArguments &send);
  void waitForBlocking();
  bool blockingDone();
  std::string whoIsAwaited() const;
  void clearHeld();
  void forgetFacts();

  std::vector<OpenScope> scopes;
  unsigned long lastSerial = 0;

  std::vector<HeldSend> held;        ///< in the order of capture
  std::vector<int> destinations;     ///< of `held`, as world ranks
  IssueOrder order;                  ///< of `held`, once issuing has begun; no indices: as captured
  std::size_t issued = 0;            ///< number of entries of `order` already taken
  int issuers = 0;                   ///< depth of flush()
  std::vector<MPI_Request> blocking; ///< requests of issued blocking sends
  std::vector<std::uint32_t> blockingSends; ///< their indices into `held`
  CopyBuffers copies;
  std::size_t copyLimit;

  /// The requests of captured sends that the program has not completed. Most have no leading part.
  HandleTable<RequestHandle, std::unique_ptr<LeadingPart>> requests;
  std::vector<std::unique_ptr<LeadingPart>> parts; ///< of issued blocking sends
  /// A list of the parts of requests that the program has freed: their messages may still be under
  /// way. Once there is one, no further send gets a leading part.
  std::unique_ptr<LeadingPart> freed;
  TimedExecution timed;
  MPI_Comm knownCommunicator = MPI_COMM_NULL;
  const CommunicatorInfo *knownInfo = nullptr;
  DatatypeFacts knownDatatypes[4];
  unsigned replaceDatatype = 0;
};

/// This process's batch, or null while nothing is captured (no plan, before MPI_Init, several
/// threads).
inline Batch *currentBatch() { return process.find<Batch>(); }

/// The batch that would hold a send called from `frame`, or null; null, too, if the innermost scope
/// has a CopySender.
Batch *openBatch(const void *frame);
/// Who sends copies of what is sent from `frame`, or null: for layers that send messages themselves
/// and so make the copies, too.
const CopySender *openSender(const void *frame);

/// After PMPI_Init: reads the embedded plans. `transformations` decide what happens at sites; they
/// live as long as the process. `threadLevel` is the level that MPI provides.
void startBatches(int threadLevel, RunTransformations transformations);
/// The same for a unit that was registered after MPI_Init (a shared library loaded late).
void startBatchesOf(sendwright_unit *unit, RunTransformations transformations);
/// Before PMPI_Finalize: issues what is held, frees what is left.
void endBatches();

} // namespace sendwright

#endif
