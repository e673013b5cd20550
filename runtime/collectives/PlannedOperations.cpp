// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When collectives by plan begin and finish, and which operation of the plan a call is.

#include "runtime/collectives/PlannedOperations.h"

#include "analysis/collectives/CollectivesInPlan.h"
#include "analysis/schedules/Collectives.h"
#include "runtime/base/Interception.h"
#include "runtime/base/LoopBounds.h"
#include "runtime/base/Waiting.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/batch/RunTransformation.h"
#include "runtime/collectives/Collectives.h"

#include <algorithm>
#include <memory>

namespace sendwright::collectives {

PlannedOperations::PlannedOperations(const RankCountPlan &plan)
    : sites(plan.sites), planned(plan.of<PlannedCollectives>()) {
  const int self = rankIn(MPI_COMM_WORLD);
  for (const RankCollective &part : ownEntry(planned.rankCollectives)) {
    PlannedOperation &made = operations.emplace_back();
    made.collective = &planned.collectives[part.collective];
    made.part = &part;
    made.site = &sites[made.collective->site].site;
    const std::vector<int> &members = made.collective->communicator.members;
    made.rank = static_cast<std::uint32_t>(std::find(members.begin(), members.end(), self) -
                                           members.begin());
  }
}

/// Creates the communicator of an operation that MPI's own function carries out. Collective over
/// its members, which all come to these operations in one order.
bool PlannedOperations::makeLibraryCommunicator(PlannedOperation &operation) {
  const std::vector<int> &members = operation.collective->communicator.members;
  MPI_Group all = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  PMPI_Comm_group(world, &all);
  PMPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &group);
  const int made = PMPI_Comm_create_group(
      world, group, static_cast<int>(operation.part->collective), &operation.library);
  PMPI_Group_free(&group);
  PMPI_Group_free(&all);
  return made == MPI_SUCCESS &&
         PMPI_Comm_set_errhandler(operation.library, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

bool PlannedOperations::begin(PrivateCommunicator &communicator) {
  world = communicator.handle();
  firstTag = communicator.takeTags(planned.collectives.size() * messageParts);
  if (firstTag < 0 || PMPI_Comm_dup(MPI_COMM_SELF, &self) != MPI_SUCCESS)
    return false;
  PMPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
  for (PlannedOperation &operation : operations)
    if (callsLibrary(*operation.collective) && !makeLibraryCommunicator(operation))
      return false;
  bind(MPI_COMM_WORLD);
  for (const PlannedCollective &collective : planned.collectives)
    if (collective.communicator != recorded.communicators().front())
      sendwright_interception |= interceptCollectives;
  return true;
}

void PlannedOperations::finish() {
  sendwright_interception &= ~interceptCollectives;
  if (isSimulated) // only large messages wait there, and they are not copied
    while (!copied.takeBack())
      serveOthers();
  else
    serveUntil(
        [this] { return copied.takeBack(); },
        [] { return std::string("in MPI_Finalize for the messages of collectives to be sent"); });
  for (PlannedOperation &operation : operations)
    if (operation.library != MPI_COMM_NULL)
      PMPI_Comm_free(&operation.library);
  PMPI_Comm_free(&self);
  process.leave(place);
}

/// All ranks of the communicator come to the operation equally often.
void PlannedOperations::takeTurns(const MakeSiteTurns &make) {
  for (PlannedOperation &operation : operations)
    operation.turns = make(operation.collective->site, TurnsEnd::AfterExecutions);
}

/// All members of a communicator bind it in the same way: they all count which of the live
/// communicators with these members it is. A communicator whose creation was not seen belongs to no
/// operation of the plan.
void PlannedOperations::bind(MPI_Comm communicator) {
  drop(communicator); // an earlier one was freed unseen
  const Communicator &identity =
      recorded.communicators()[static_cast<std::size_t>(recorded.index(communicator))];
  for (PlannedOperation &operation : operations)
    if (operation.collective->communicator == identity)
      operation.handle = communicator;
}

void PlannedOperations::drop(MPI_Comm communicator) {
  for (PlannedOperation &operation : operations)
    if (operation.handle == communicator)
      operation.handle = MPI_COMM_NULL;
  if (communicator != MPI_COMM_WORLD)
    recorded.drop(communicator);
}

PlannedOperation *PlannedOperations::operationOf(const sendwright_site &site) {
  const auto [place, isNew] = known.try_emplace(&site, nullptr);
  if (isNew) {
    const SiteIdentity identity = identityOf(site);
    for (PlannedOperation &operation : operations)
      if (operation.site->hash == site.hash && operation.site->sameLoopAs(identity))
        place->second = &operation;
  }
  return place->second;
}

PlannedOperation *PlannedOperations::find(const sendwright_site &site, MPI_Comm communicator,
                                          int root, long long first, long long end) {
  PlannedOperation *operation = operationOf(site);
  if (!operation || communicator == MPI_COMM_NULL || operation->handle != communicator)
    return nullptr;
  const PlannedCollective &collective = *operation->collective;
  const auto ranks = static_cast<long long>(collective.communicator.members.size());
  const bool rooted =
      collective.operation != Collective::Allgather && collective.operation != Collective::AllToAll;
  if (root != (rooted ? static_cast<int>(collective.root) : -1))
    return nullptr;
  if (!coversOthers({root, first, end}, ranks))
    return nullptr;
  if (!operation->hasSchedule) {
    operation->schedule = localSchedule(
        collective,
        callsLibrary(collective) ? libraryPart(collective, operation->rank) : *operation->part,
        operation->rank);
    operation->hasSchedule = true;
  }
  return operation;
}

void PlannedOperations::followCall(PlannedOperation &operation, Collective called) {
  auto other = std::make_unique<PlannedCollective>(*operation.collective);
  other->operation = called;
  other->algorithm = algorithmsOf(called).front().name;
  other->slots =
      static_cast<std::uint32_t>(slotsOf(called, other->communicator.members.size(), false));
  operation.schedule = localSchedule(*other, libraryPart(*other, operation.rank), operation.rank);
  sayOnce("the plan has %s at %s, where the program has %s: each rank sends to every other",
          withArticle(operation.collective->operation).c_str(), operation.site->display().c_str(),
          withArticle(called).c_str());
  operation.calledCollective = std::move(other);
  operation.collective = operation.calledCollective.get();
}

void noteCommunicator(MPI_Comm communicator) {
  if (PlannedOperations *operations = plannedOperations();
      operations && communicator != MPI_COMM_NULL)
    operations->bind(communicator);
}

void dropCommunicator(MPI_Comm communicator) {
  if (PlannedOperations *operations = plannedOperations())
    operations->drop(communicator);
}

namespace {

const char *obstacle(const sendwright_unit &unit) {
  const RankCountPlan *plan = planOfUnit(unit);
  if (!plan)
    return "a rank cannot read its part of the plan";
  if (plan->of<PlannedCollectives>().collectives.size() >=
      static_cast<std::size_t>(currentBatch()->tagLimit / messageParts))
    return "the plan has more collectives than MPI has tags";
  return nullptr;
}

const char *begin(const sendwright_unit &unit) {
  auto made = std::make_unique<PlannedOperations>(*planOfUnit(unit));
  if (!made->begin(*privateCommunicator()))
    return "MPI cannot create a communicator, or has too few tags";
  process.begin(std::move(made));
  return nullptr;
}

void takeTurns(const sendwright_unit &, const RankCountPlan &, const MakeSiteTurns &make) {
  if (PlannedOperations *begun = plannedOperations())
    begun->takeTurns(make);
}

} // namespace

} // namespace sendwright::collectives

namespace sendwright {

extern const RunTransformation runTransformationCollectives;
const RunTransformation runTransformationCollectives = {
    .stem = "collectives",
    .takeTurns = collectives::takeTurns,
    .together = {.isPlanned = plansCollectives,
                 .obstacle = collectives::obstacle,
                 .begin = collectives::begin,
                 .otherwise = "collectives run as written"}};

} // namespace sendwright
