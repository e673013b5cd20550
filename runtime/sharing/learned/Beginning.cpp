// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When learning begins: with SENDWRIGHT_ADAPT, or in a program whose plan is for other runs; and
// the scopes of loops that learn.

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/FormatError.h"
#include "runtime/base/LearningSetting.h"
#include "runtime/base/PlanAgreement.h"
#include "runtime/base/PrivateCommunicator.h"
#include "runtime/base/ServingOthers.h"
#include "runtime/base/Units.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/recording/Marks.h"
#include "runtime/sharing/learned/Learning.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <pthread.h>

#include <cstdlib>
#include <cstring>
#include <optional>

namespace sendwright::adaptation {

namespace {

/// The machine that SENDWRIGHT_ADAPT names, or nothing: `problem` then says what is wrong.
std::optional<Machine> machineOf(const char *name, std::string &problem) {
  if (!name || std::strcmp(name, "1") == 0)
    return defaultMachine();
  try {
    return readMachine(name);
  } catch (const FormatError &error) {
    problem = error.what();
    return std::nullopt;
  }
}

/// Why this rank cannot learn, or null.
const char *learningObstacle(int threadLevel, const std::string &problem) {
  if (!problem.empty())
    return problem.c_str();
  if (threadLevel > MPI_THREAD_FUNNELED)
    return "this run may call MPI from several threads";
  if (sendwright_interception & interceptStrict)
    return "message buffers are limited";
  if (startedByFortran())
    return "MPI was started by Fortran";
  return nullptr;
}

constexpr const char *turnedOff = "SENDWRIGHT_ADAPT is 0";

bool isTurnedOff() {
  const char *setting = std::getenv("SENDWRIGHT_ADAPT");
  return setting && std::strcmp(setting, "0") == 0;
}

/// The machine by which the loops of a plan learn: the one that SENDWRIGHT_ADAPT names, or the
/// plan's.
Machine machineToLearnBy(const Machine &ofPlan, std::string &problem) {
  const char *name = learningSetting();
  return name && std::strcmp(name, "1") != 0 ? machineOf(name, problem).value_or(defaultMachine())
                                             : ofPlan;
}

/// Why the loops of a plan for other numbers of ranks do not learn, or null. A unit may have a plan
/// of its own.
const char *obstacleToOtherRuns() {
  if (isTurnedOff())
    return turnedOff;
  if (sendwright_interception & interceptRecording)
    return "a profile is being recorded";
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
    if (unit->mode == SENDWRIGHT_UNIT_USE && unit->plan && planOfUnit(*unit))
      return "another plan of the program is for this number of ranks";
  return nullptr;
}

/// Reads what the plan says of loops that learn. Returns why this rank's do not, or null; the
/// reason may be in `problem`.
const char *readLearned(const sendwright_unit &unit, int threadLevel, LearnedLoops &loops,
                        std::string &problem) {
  try {
    loops = learnedLoopsOf(unit);
    loops.machine = machineToLearnBy(loops.machine, problem);
    if (const char *own = learningObstacle(threadLevel, problem))
      return own;
    return loops.sites > 0 ? obstacleToOtherRuns() : "a rank cannot read the plan";
  } catch (const std::bad_alloc &) {
    return "there is no memory to read the plan";
  }
}

void leaveLearnedScope(sendwright_scope *scope) noexcept {
  if (!pthread_equal(pthread_self(), currentBatch()->thread))
    return;
  if (scope->state != 0)
    currentBatch()->end(scope);
  if (const int place = learning()->marks.find(scope); place >= 0)
    learning()->leaveTo(place); // the scopes inside it were left without a call of their end
}

/// All ranks can learn, and have agreed to. Returns why nothing is learned all the same, or null.
const char *beginTogether(const Machine &machine) {
  PrivateCommunicator *communicator = privateCommunicator();
  if (!communicator) // on no rank
    return "MPI cannot create a communicator";
  if (!currentBatch())
    makeBatchWithoutPlan();
  static const RankCountPlan none;
  exchange::MessageSharing &sharing =
      process.begin(std::make_unique<exchange::MessageSharing>(none, true));
  if (!sharing.begin(*communicator))
    return "MPI has too few tags";
  Learning &begun = process.begin(std::make_unique<Learning>(sharing, machine));
  sharing.follow(&begun);
  serveOthersBy(&exchange::serviceWhileSharing());
  begun.listen();
  sharing.listen();
  sendwright_interception |= interceptExchange;
  if (watchesFirst())
    sharing.watch();
  return nullptr;
}

/// The same if all ranks can: `own` is the reason why this rank cannot, or null.
const char *begin(unsigned long long digest, const char *own, const Machine &machine) {
  const char *reason = disagreement(digest ^ (watchesFirst() ? 0 : 1), own);
  return reason ? reason : beginTogether(machine);
}

} // namespace

void ScopesOfProfiledUnits::enter(sendwright_scope *scope, const char *function,
                                  const void *frame) noexcept {
  if (!pthread_equal(pthread_self(), currentBatch()->thread))
    return;
  try {
    learning()->enter(scope, function, frame);
  } catch (const std::bad_alloc &) {
    return; // the loop is ignored
  }
}

void ScopesOfProfiledUnits::leave(sendwright_scope *scope) noexcept { leaveLearnedScope(scope); }

void ScopesOfPlannedUnits::enter(sendwright_scope *scope, const PlannedSite &site,
                                 const void *frame) noexcept {
  try {
    learning()->enter(scope, site, frame);
  } catch (const std::bad_alloc &) {
    return; // the loop is ignored
  }
}

void ScopesOfPlannedUnits::leave(sendwright_scope *scope) noexcept { leaveLearnedScope(scope); }

OwnStart::OwnStart(int threadLevel)
    : machine(machineOf(learningSetting(), problem)), own(learningObstacle(threadLevel, problem)) {
  if (!own && firstUnitWithPlan())
    own = "the program follows a plan";
}

const Machine *OwnStart::begin() {
  if (!callsReachRuntime())
    return nullptr; // all ranks do so
  const char *reason = obstacleToLearning();
  if (!reason)
    reason = beginTogether(machine.value_or(defaultMachine()));
  if (reason) {
    sayOnce("%s: no messages are shared", reason);
    return nullptr;
  }
  process.use<ScopeListener>(learning()->ofProfiledUnits);
  return &learning()->machine;
}

void startFromPlan(int threadLevel, const sendwright_unit &unit) {
  LearnedLoops loops;
  std::string problem;
  const char *reason = jobObstacle();
  if (!reason) {
    const char *own = disabled() ? disabledHere : readLearned(unit, threadLevel, loops, problem);
    reason = begin(agreementDigest(unit), own, loops.machine);
  }
  if (reason)
    return sayWhatDoesNotLearn(reason);
  process.use<LearnedScopeListener>(learning()->ofPlannedUnits);
  sayWhatDoesNotLearn();
  sayOnce("%s: its loops that share messages (%d) learn what they send, and share from then on; "
          "SENDWRIGHT_ADAPT=0 leaves them as written",
          loops.why.c_str(), loops.sites);
}

void replacePlanThatDoesNotFit(int threadLevel, const sendwright_unit &unit) {
  exchange::MessageSharing *planned = exchange::messageSharing();
  if (!planned)
    return;
  planned->setWhenPlanIsLeft([threadLevel, &unit](bool isAtRest) {
    const char *reason = isAtRest ? nullptr : "messages that MPI carries may still be under way";
    std::string problem;
    Machine machine = defaultMachine();
    if (!reason) {
      machine = machineToLearnBy(learnedLoopsOf(unit).machine, problem);
      const char *own = learningObstacle(threadLevel, problem);
      if (!own && isTurnedOff())
        own = turnedOff;
      if (!own && (sendwright_interception & (interceptCollectives | interceptIrregular)))
        own = "the plan also replaces collective operations";
      reason = begin(agreementDigest(unit, 1), own, machine);
    }
    const std::string what =
        "no loop's messages are those of the plan in " + std::string(unit.file);
    if (reason) {
      sayOnce("%s: they go directly from here on, and the loops do not learn (%s)", what.c_str(),
              reason);
      return;
    }
    process.use<LearnedScopeListener>(learning()->ofPlannedUnits);
    sayOnce("%s: from here on these loops learn what they send; SENDWRIGHT_ADAPT=0 leaves them as "
            "written",
            what.c_str());
  });
}

} // namespace sendwright::adaptation
