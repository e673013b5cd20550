// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a plan that need all ranks, because none may begin alone: shared messages, and
// collectives. The ranks agree on both in one reduction, and print a reason if they cannot.

#include "runtime/start/JointPlans.h"
#include "analysis/collectives/CollectivesInPlan.h"
#include "analysis/file/Hashing.h"
#include "analysis/plan/Plan.h"
#include "analysis/sharing/ExchangesInPlan.h"
#include "runtime/base/Interception.h"
#include "runtime/base/LearningSetting.h"
#include "runtime/base/PlanAgreement.h"
#include "runtime/base/Units.h"
#include "runtime/collectives/Collectives.h"
#include "runtime/sharing/learned/Adaptation.h"
#include "runtime/sharing/planned/Exchange.h"

#include <vector>

namespace sendwright {

namespace {

struct JointUse {
  /// Whether the plan asks for it: if so, it does on all ranks, unless they run different programs.
  bool (*isPlanned)(const void *plan, std::size_t size, int ranks) noexcept;
  /// Why this rank cannot begin it, or null.
  const char *(*obstacle)(const sendwright_unit &unit);
  /// Called when all ranks can begin it. Returns why MPI cannot, or null.
  const char *(*begin)(const sendwright_unit &unit);
  const char *otherwise; ///< what happens otherwise
};

constexpr JointUse sharing{sharesMessages, exchange::obstacle, exchange::begin,
                           "no messages are shared"};
constexpr JointUse schedules{plansCollectives, collectives::obstacle, collectives::begin,
                             "collectives run as written"};

/// Why neither is possible in this run, or null.
const char *obstacleOfRun(int threadLevel) {
  if (threadLevel > MPI_THREAD_FUNNELED)
    return "this run may call MPI from several threads";
  if (sendwright_interception & interceptStrict)
    return "message buffers are limited";
  if (sendwright_interception & interceptRecording)
    return "a profile is being recorded";
  if (sendwright_interception & interceptSynchronization)
    return "the plan synchronises, too";
  return nullptr;
}

const sendwright_unit *firstUnitWithPlan() {
  const sendwright_unit *unit = registeredUnits();
  while (unit && (unit->mode != SENDWRIGHT_UNIT_USE || !unit->plan))
    unit = unit->next;
  return unit;
}

} // namespace

void startJointPlans(int threadLevel) {
  const bool learns = isToLearn();
  if (learns)
    adaptation::start(threadLevel);
  const sendwright_unit *unit = firstUnitWithPlan();
  if (!unit || !callsReachRuntime())
    return;
  int ranks = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<JointUse> uses;
  for (const JointUse &use : {sharing, schedules})
    if (use.isPlanned(unit->plan, unit->plan_size, ranks) &&
        !(learns && use.begin == exchange::begin))
      uses.push_back(use);
  if (uses.empty())
    return;
  std::vector<const char *> reasons(uses.size(), jobObstacle());
  std::string contradiction;
  if (!reasons.front()) { // other ranks wait for this rank's answer
    const char *ofRun = obstacleOfRun(threadLevel);
    if (!ofRun)
      ofRun = obstacleOfPlan(*unit, contradictionInJointParts, contradiction);
    for (std::size_t index = 0; index < uses.size(); ++index)
      reasons[index] = ofRun ? ofRun : uses[index].obstacle(*unit);
    disagreements(XXH64(unit->plan, unit->plan_size, 0), reasons);
  }
  for (std::size_t index = 0; index < uses.size(); ++index) {
    if (!reasons[index])
      reasons[index] = uses[index].begin(*unit);
    if (reasons[index])
      sayOnce("%s: %s", reasons[index], uses[index].otherwise);
  }
}

} // namespace sendwright
