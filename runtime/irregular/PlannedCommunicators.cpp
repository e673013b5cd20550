// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/irregular/PlannedCommunicators.h"

#include "runtime/base/Interception.h"
#include "runtime/base/Neighbors.h"
#include "runtime/base/PrivateCommunicator.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Batch.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/batch/RunTransformation.h"
#include "runtime/irregular/IrregularCollectives.h"
#include "runtime/irregular/LearnedCollectives.h"
#include "runtime/irregular/OwnCommunicator.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace sendwright::irregular {

namespace {

/// Tags for learned routes in a whole run: for hundreds of communicators.
constexpr int learnedTags = 4096;

/// Whether all members, which create the communicator, find this of their own neighbours.
bool allFind(bool own, MPI_Comm communicator, MpiFunctionId function) {
  if (exchange::on())
    return exchange::allAgree(communicator, own, std::string(mpiFunction(function).name).c_str());
  int all = own;
  return PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, communicator) == MPI_SUCCESS &&
         all != 0;
}

std::uint64_t tagsFor(const IrregularCollectives &plan) {
  std::uint64_t tags = 0;
  for (const ReplacedIrregular &replaced : plan.replaced)
    tags += tagsBeside + replaced.stages;
  return tags;
}

/// False if MPI must do the calls: all members find the same.
bool findPartners(PlannedCalls &planned, MPI_Comm communicator) {
  if (planned.isOfNeighbors()) {
    const Neighbors found = neighborsIn(communicator);
    planned.sources = {found.sources, 0};
    planned.destinations = {found.destinations, 0};
    return allFind(found.eachOnce, communicator, planned.calls->function);
  }
  std::vector<int> everyone(planned.members().size());
  std::iota(everyone.begin(), everyone.end(), 0);
  const std::size_t next = (static_cast<std::size_t>(planned.rank) + 1) % everyone.size();
  planned.sources = planned.destinations = {std::move(everyone), next};
  return true;
}

} // namespace

PlannedCommunicators::PlannedCommunicators(const IrregularCollectives &plan, MPI_Comm world,
                                           int firstTag)
    : world(world) {
  const int self = rankIn(MPI_COMM_WORLD);
  int tag = firstTag;
  for (const ReplacedIrregular &replaced : plan.replaced) {
    PlannedCalls &made = planned.emplace_back();
    made.calls = &replaced.calls;
    made.tag = tag;
    tag += tagsBeside + static_cast<int>(replaced.stages);
    for (const RankExchange &part : ownEntry(plan.routes))
      if (part.exchange == planned.size() - 1)
        made.routes = std::make_unique<BlockRoutes>(part, self, replaced.calls.function,
                                                    replaced.largest, made.tag + tagsBeside);
    const auto found = std::ranges::find(made.members(), self);
    if (found != made.members().end())
      made.rank = static_cast<int>(found - made.members().begin());
  }
}

PlannedCommunicators::~PlannedCommunicators() = default;

void PlannedCommunicators::learn(const Machine &machine, int firstTag, int tags) {
  learned = std::make_unique<LearnedCollectives>(machine, *this, firstTag, tags);
}

void PlannedCommunicators::begin(OwnCommunicator &own) {
  self = own.release();
  bind(MPI_COMM_WORLD);
  sendwright_interception |= interceptIrregular;
}

void PlannedCommunicators::finish() {
  sendwright_interception &= ~interceptIrregular;
  PMPI_Comm_free(&self);
  process.leave(place);
}

const PlannedCalls *PlannedCommunicators::find(MpiFunctionId function,
                                               MPI_Comm communicator) const {
  for (const PlannedCalls &one : planned)
    if (one.handle == communicator && one.calls->function == function &&
        communicator != MPI_COMM_NULL)
      return &one;
  return nullptr;
}

LearnedCalls *PlannedCommunicators::findLearned(MpiFunctionId function, MPI_Comm communicator) {
  return learned ? learned->find(function, communicator) : nullptr;
}

/// All members bind a communicator in the same way: they count alike which of the live
/// communicators with these members it is. A communicator whose creation was not seen is not
/// planned.
void PlannedCommunicators::bind(MPI_Comm communicator) {
  if (learned)
    return learned->note(communicator);
  drop(communicator); // an earlier one was freed unseen
  const Communicator &identity =
      recorded.communicators()[static_cast<std::size_t>(recorded.index(communicator))];
  for (PlannedCalls &one : planned)
    if (one.rank >= 0 && one.calls->communicator == identity && findPartners(one, communicator))
      one.handle = communicator;
}

void PlannedCommunicators::drop(MPI_Comm communicator) {
  if (learned)
    return learned->drop(communicator);
  for (PlannedCalls &one : planned)
    if (one.handle == communicator)
      one.handle = MPI_COMM_NULL;
  if (communicator != MPI_COMM_WORLD)
    recorded.drop(communicator);
}

/// All members make these calls equally often.
void PlannedCommunicators::takeTurns(const MakeSiteTurns &make) {
  for (std::size_t number = 0; number < planned.size(); ++number)
    if (planned[number].rank >= 0)
      planned[number].turns = make(static_cast<std::uint32_t>(number), TurnsEnd::AfterExecutions);
}

void noteCommunicator(MPI_Comm communicator) {
  if (PlannedCommunicators *all = plannedCommunicators(); all && communicator != MPI_COMM_NULL)
    all->bind(communicator);
}

void dropCommunicator(MPI_Comm communicator) {
  if (PlannedCommunicators *all = plannedCommunicators())
    all->drop(communicator);
}

void learn(const Machine &machine, OwnCommunicator &own) {
  PrivateCommunicator &communicator = *privateCommunicator();
  const int firstTag = communicator.takeTags(learnedTags);
  if (firstTag < 0)
    return; // on all ranks
  static const IrregularCollectives none;
  auto made = std::make_unique<PlannedCommunicators>(none, communicator.handle(), firstTag);
  made->learn(machine, firstTag, learnedTags);
  made->begin(own);
  process.begin(std::move(made));
}

namespace {

const char *obstacle(const sendwright_unit &unit) {
  const RankCountPlan *plan = planOfUnit(unit);
  if (!plan)
    return "a rank cannot read its part of the plan";
  if (tagsFor(plan->of<IrregularCollectives>()) >
      static_cast<std::uint64_t>(currentBatch()->tagLimit))
    return "the plan has more irregular collectives than MPI has tags";
  return nullptr;
}

const char *begin(const sendwright_unit &unit) {
  const IrregularCollectives &plan = planOfUnit(unit)->of<IrregularCollectives>();
  PrivateCommunicator &communicator = *privateCommunicator();
  const int firstTag = communicator.takeTags(tagsFor(plan));
  if (firstTag < 0)
    return "MPI has too few tags";
  OwnCommunicator own;
  if (own.obstacle())
    return own.obstacle();
  auto made = std::make_unique<PlannedCommunicators>(plan, communicator.handle(), firstTag);
  made->begin(own);
  process.begin(std::move(made));
  return nullptr;
}

std::size_t countPlanned(const RankCountPlan &own) {
  return own.of<IrregularCollectives>().replaced.size();
}

void takeTurns(const MakeSiteTurns &make) {
  if (PlannedCommunicators *begun = plannedCommunicators())
    begun->takeTurns(make);
}

VerifiedSite identify(const RankCountPlan &own, std::size_t number) {
  const IrregularCollective &calls = own.of<IrregularCollectives>().replaced[number].calls;
  VerifiedSite entry;
  entry.function = mpiFunction(calls.function).name;
  entry.callers = static_cast<int>(calls.communicator.members.size());
  entry.digest = digestOf(calls);
  return entry;
}

} // namespace

} // namespace sendwright::irregular

namespace sendwright {

extern const RunTransformation runTransformationIrregularCollectives;
const RunTransformation runTransformationIrregularCollectives = {
    .stem = irregularStem,
    .besideSites = {.count = irregular::countPlanned,
                    .takeTurns = irregular::takeTurns,
                    .identify = irregular::identify},
    .together = {.isPlanned = plansIrregularCollectives,
                 .obstacle = irregular::obstacle,
                 .begin = irregular::begin,
                 .otherwise = "irregular collectives run as written"}};

} // namespace sendwright
