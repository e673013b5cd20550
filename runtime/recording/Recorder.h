// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this process has recorded so far, and how a call is added to it.
//
//     call --> EventTable   what the call is: a number, shared by all calls that are equal
//          --> statistics   how long it took, how long the program computed before it
//          --> Grammar      the order of the numbers, compressed as it grows
//
// Under MPI_THREAD_MULTIPLE one lock guards it; the lock is never held while MPI communicates.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_RECORDER_H
#define SENDWRIGHT_RUNTIME_RECORDING_RECORDER_H

#include "analysis/trace/Grammar.h"
#include "analysis/trace/Profile.h"
#include "runtime/base/HandleTable.h"
#include "runtime/base/InstantiationCache.h"
#include "runtime/base/Interception.h"
#include "runtime/base/LoopBounds.h"
#include "runtime/base/MarkedScopes.h"
#include "runtime/base/Process.h"
#include "runtime/base/RecordedCommunicators.h"
#include "runtime/recording/CallClock.h"
#include "runtime/recording/EventTable.h"
#include "runtime/recording/RecordedLoads.h"
#include "runtime/recording/RecordedRedistributions.h"
#include "runtime/recording/RecordedRequests.h"

#include <mpi.h>

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sendwright {

/// The part that belongs to one thread. Trivially constructible: its first use costs nothing.
struct RecordingThread {
  MarkedScopes marks;
  CallClock clock;
  sendwright_site *call = nullptr;     ///< the marked call that comes next, or null
  sendwright_caller *caller = nullptr; ///< the last call of what may wrap MPI, or null
  std::optional<LoopBounds> bounds;    ///< of the loop that it answers, if it must cover all ranks
  double lastEnd = -1;      ///< when the program went on after the last call; -1: no call yet
  double carriedBefore = 0; ///< computation from then to the last unsuccessful test
  double carriedInside = 0; ///< time in unsuccessful tests
  double overhead = 0;      ///< what recording one call takes; measured from time to time
  unsigned calls = 0;
};
RecordingThread &recordingThread();

/// When and where a call was made.
struct CallTimes {
  const void *caller = nullptr;
  sendwright_site *site = nullptr;            ///< null for an unmarked call
  const sendwright_caller *wrapped = nullptr; ///< where the function that makes the call is called
  double begin = 0, end = 0;
};

/// A message to be received by Mrecv: what its probe asked for.
struct ProbedMessage {
  int peer, tag;
  MPI_Comm communicator;
};

class Recorder final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::Recording;

  Recorder(int threadLevel, std::size_t memoryLimit);

  /// Whether several threads may call MPI at the same time.
  bool isThreaded() const { return threaded; }

  /// Must be held around everything below.
  class Lock {
  public:
    explicit Lock(Recorder &recorder) : mutex(recorder.threaded ? &recorder.mutex : nullptr) {
      if (mutex)
        mutex->lock();
    }
    ~Lock() {
      if (mutex)
        mutex->unlock();
    }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;

  private:
    std::mutex *mutex;
  };

  /// Adds a call; `content` lacks site, call and address.
  void add(EventContent content, const CallTimes &times);
  /// Adds a completing call. Successive calls with `anyOrder` become one event, because the program
  /// does not decide the order in which messages complete.
  void addCompletion(MpiFunctionId function, bool anyOrder, std::span<const int> completed,
                     std::span<const WildcardMatch> matches, const CallTimes &times);
  /// Whether a call may be recorded with its blocks: one of the first lists of blocks of the
  /// function on the communicator. A program whose blocks change in every call would make every
  /// call an event of its own.
  bool mayKeepBlocks(MpiFunctionId function, int communicator,
                     const std::vector<MovedMessage> &blocks);
  static constexpr std::size_t distinctBlockLists = 64;
  /// Notes a test that found nothing: it is no event, but its time is not computation.
  static void addFruitlessTest(const CallTimes &times);

  /// A marked loop was executed without communication. Profiles have such executions of loops that
  /// communicate in others, but not in templates, nor if several threads call MPI.
  void skip(const MarkedScopes::Scope &scope);
  /// Leaves the innermost scopes of this thread down to `depth`.
  void leaveScopes(int depth, double now);

  /// The time outside MPI ended at `begin`; returns its length since the last event.
  static double takeBefore(RecordingThread &thread, double begin);
  /// Notes the end of recording a call: the program goes on.
  void callEnds(RecordingThread &thread, double end);

  /// Adds what is held back for coalescing; this process's part of the profile is then complete.
  void complete();
  /// It, once, without its events: recordedEvents() gives these, as long as the recorder exists.
  RankProfile takeProfile();
  EventSource recordedEvents() const;

  RecordedRequests requests;
  RecordedCommunicators communicators;
  RecordedRedistributions redistributions;
  RecordedLoads loads;
  HandleTable<MessageHandle, ProbedMessage> probed;
  std::vector<SiteIdentity> sites, callSites;
  std::vector<ProfiledUnit> units;
  std::uint32_t lastPlace = 0; ///< placeOf() the last call
  bool truncated = false;
  std::string folder; ///< in which the run began; a relative name of the profile is below it

private:
  struct Pending {
    bool active = false;
    MpiFunctionId function{};
    int site = noSite, call = noSite;
    std::uint64_t address = 0;
    double before = 0, inside = 0;
    std::vector<int> requests;
    std::vector<WildcardMatch> matches;
  };

  void append(const EventContent &content, double before, double inside);
  void leaveOut(const EventContent &content, bool isUncounted);
  void addPending();
  bool announceScopes(RecordingThread &thread, double before);
  void addSkips(int site, std::uint64_t count);
  void endQuiet(int site);
  void locate(EventContent &content, RecordingThread &thread, const CallTimes &times);
  /// The sites of one kind that the profile has, and their indices in its list.
  using SiteNumbers =
      std::map<std::tuple<std::string, std::string, std::uint64_t, unsigned, std::string>, int>;

  int siteNumber(const MarkedScopes::Scope &scope);
  int callNumber(sendwright_site &site);
  static int addSite(std::vector<SiteIdentity> &list, SiteNumbers &numbers,
                     const sendwright_site &site, std::string instantiation);
  /// `place`: in the source; null if only the address is known.
  std::uint64_t callerNumber(const void *address, const sendwright_caller *place);
  void addSiteEvent(EventKind kind, int site, double before);
  void checkMemory();

  const bool threaded;
  const std::size_t memoryLimit;
  std::mutex mutex;
  EventTable events;
  GrammarBuilder sequence;
  Pending pending;
  std::uint64_t appended = 0, skips = 0;
  std::map<std::pair<int, std::uint64_t>, LeftOutCalls> leftOut; // by site and address
  double begin;
  std::unordered_map<const void *, std::uint64_t> callers;
  struct KnownCaller {
    const void *address;
    std::string place; ///< in the source, or ""
  };
  std::vector<KnownCaller> callerList;
  SiteNumbers siteNumbers, callNumbers;
  std::unordered_map<int, std::uint64_t> quietLoops; ///< executions of send loops by site, while
                                                     ///< they have not communicated
  std::unordered_map<const sendwright_site *, InstantiationCache<int>> instances; // for templates
  std::map<std::pair<MpiFunctionId, int>, std::set<std::uint64_t>> blockLists;    // their digests
};

/// The recorder while a profile is recorded; null otherwise.
inline Recorder *recorder() { return fortranCalls ? nullptr : process.find<Recorder>(); }

/// Runs `record` with the recorder locked. If memory runs out, recording ends and prints a line.
template <typename Action> void withRecorder(Action &&record) noexcept;

/// Ends recording and drops what was recorded, because it is incomplete.
void abandonRecording() noexcept;

template <typename Action> void withRecorder(Action &&record) noexcept {
  Recorder *current = recorder();
  if (!current)
    return;
  try {
    const Recorder::Lock lock(*current);
    record(*current);
  } catch (...) {
    abandonRecording();
  }
}

/// After PMPI_Init: sets interceptRecording if a unit asks for it. `threadLevel` is the level that
/// MPI provides. In the round of messages in which the ranks agree on recording, they also agree on
/// learning: `learningObstacle` is why this rank cannot learn, or null (findJobSettings()).
void startRecording(int threadLevel, const char *learningObstacle);
/// A unit was registered after MPI_Init (a shared library loaded late).
void startRecordingOf(sendwright_unit *unit);
/// Before PMPI_Finalize: gathers and writes the profile.
void endRecording();

} // namespace sendwright

#endif
