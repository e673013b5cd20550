// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a plan that need all ranks, because none may begin alone
// (RunTransformation::Together). The ranks agree on all of them together, and print a reason if
// they cannot.

#include "runtime/start/JointPlans.h"
#include "analysis/plan/Plan.h"
#include "analysis/sharing/ExchangesInPlan.h"
#include "runtime/base/Interception.h"
#include "runtime/base/LearningSetting.h"
#include "runtime/base/PlanAgreement.h"
#include "runtime/base/Units.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/irregular/IrregularCollectives.h"
#include "runtime/start/Transformations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace sendwright {

namespace {

/// Why none of them is possible in this run, or null.
const char *obstacleOfRun(int threadLevel) {
  if (disabled())
    return disabledHere;
  if (threadLevel > MPI_THREAD_FUNNELED)
    return "this run may call MPI from several threads";
  if (sendwright_interception & interceptStrict)
    return "message buffers are limited";
  if (sendwright_interception & interceptRecording)
    return "a profile is being recorded";
  if (sendwright_interception & interceptSynchronization)
    return "the plan also synchronises";
  return nullptr;
}

/// Says the same on all ranks, whatever memory they have.
bool isLearnedFrom(const sendwright_unit &unit, int ranks) {
  return !hasRankCount(unit.plan, unit.plan_size, ranks) &&
         sharesMessages(unit.plan, unit.plan_size);
}

using Sum = std::array<unsigned long long, 2>;

/// Sets this rank's share of a sum that is zero if the ranks' parts fit together. Returns why it
/// has none, or null.
const char *setShare(const sendwright_unit &unit, Sum &sum) {
  try {
    const RankCountPlan *own = planOfUnit(unit);
    if (!own)
      return "a rank cannot read its part of the plan";
    std::ranges::copy(jointSumOf(*own, ranksIn(MPI_COMM_WORLD), rankIn(MPI_COMM_WORLD)).words(),
                      sum.begin());
    return nullptr;
  } catch (const std::bad_alloc &) {
    return "there is no memory to check the plan";
  }
}

/// Finds for each use why the ranks cannot begin it, or null: in `reasons`, which may point into
/// `contradiction`. `ofRun`: why this rank can begin none. Collective.
void agree(const sendwright_unit &unit, std::span<const RunTransformation::Together> uses,
           const char *ofRun, std::span<const char *> reasons, std::string &contradiction) {
  // Whatever this rank finds, others wait for its answer.
  Sum sum{};
  if (!ofRun)
    ofRun = obstacleOfPlan(unit, contradictionInPartsWithoutSum, contradiction);
  if (!ofRun)
    ofRun = setShare(unit, sum);
  for (std::size_t index = 0; index < uses.size(); ++index)
    reasons[index] = ofRun ? ofRun : uses[index].obstacle(unit);
  disagreements(agreementDigest(unit), reasons, sum);
  if (std::ranges::find(reasons, nullptr) == reasons.end() || sum == Sum{})
    return;
  const char *why = obstacleOfPlan(unit, contradictionInJointParts, contradiction);
  std::ranges::replace(reasons, static_cast<const char *>(nullptr),
                       why ? why : "the ranks' parts of the plan do not fit together");
}

} // namespace

LearningStart::LearningStart(int threadLevel) {
  bool isProfiled = false;
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
    isProfiled |= (unit->mode & SENDWRIGHT_UNIT_GENERATE) != 0;
  if (!isProfiled || !learningSetting() || jobObstacle())
    return;
  own.emplace();
  exchanges.emplace(threadLevel);
}

const char *LearningStart::obstacle() const {
  const char *ofExchanges = exchanges ? exchanges->obstacle() : nullptr;
  return ofExchanges || !own ? ofExchanges : own->obstacle();
}

void LearningStart::begin() {
  if (!own || !exchanges) // not set on this rank, so on none
    return;
  if (const Machine *machine = exchanges->begin())
    irregular::learn(*machine, *own);
}

void startJointPlans(int threadLevel, LearningStart &learning) {
  const bool learns = isToLearn();
  if (learns)
    learning.begin();
  const sendwright_unit *unit = firstUnitWithPlan();
  if (!unit || !callsReachRuntime())
    return;
  int ranks = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!learns && isLearnedFrom(*unit, ranks))
    return adaptation::startFromPlan(threadLevel, *unit);
  sayWhatDoesNotLearn();
  std::vector<RunTransformation::Together> uses;
  for (const RunTransformation *transformation : runTransformations())
    if (const RunTransformation::Together &use = transformation->together;
        use.isPlanned && use.isPlanned(unit->plan, unit->plan_size, ranks) &&
        !(learns && use.isLeftWhileLearning))
      uses.push_back(use);
  if (uses.empty())
    return;
  std::vector<const char *> reasons(uses.size(), jobObstacle());
  std::string contradiction;
  if (!reasons.front())
    agree(*unit, uses, obstacleOfRun(threadLevel), reasons, contradiction);
  for (std::size_t index = 0; index < uses.size(); ++index) {
    if (!reasons[index])
      reasons[index] = uses[index].begin(*unit);
    if (reasons[index])
      sayGivenUp(reasons[index], uses[index].otherwise);
  }
  if (!learns)
    adaptation::replacePlanThatDoesNotFit(threadLevel, *unit);
}

} // namespace sendwright
