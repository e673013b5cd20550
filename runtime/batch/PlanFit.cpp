// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When MPI begins, the plans in the program's object files are read, each once and only this rank's
// part, and sendwright_site.state of every site with an order points to the order. Beginning a
// scope then reads one pointer, and in a template also a table of instantiations. Sites without an
// order keep a null pointer and run as written. So do sites that rely on functions of other units
// which have changed.

#include "analysis/file/Container.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Hashing.h"
#include "runtime/base/Interception.h"
#include "runtime/base/Units.h"
#include "runtime/base/Watchdog.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Batch.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/batch/Reliances.h"
#include "runtime/batch/RunTransformation.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace sendwright {

namespace {

bool hasPlan(const sendwright_unit &unit) { return unit.mode == SENDWRIGHT_UNIT_USE && unit.plan; }

/// A plan embedded in the program; many units carry the same plan.
struct EmbeddedPlan {
  std::string header; ///< with its size, it tells the plan from others
  std::size_t size = 0;
  RankPlan content;
  std::deque<PlannedLoop> loops; ///< those with an order for this rank, or that learn
  int learnedSites = 0;          ///< if it is for other numbers of ranks
  int orderedSites = 0;          ///< likewise: with an order that needs no plan
  std::string whyLearned;        ///< the words that say so
  bool isSaid = false;           ///< what becomes of these sites
};

std::mutex plansMutex; // shared libraries may be loaded by any thread
struct EmbeddedPlans {
  std::deque<EmbeddedPlan> plans;
  RunTransformations transformations; ///< that add sites
};
EmbeddedPlans &embedded() {
  static auto *all = new EmbeddedPlans; // sites point into it until the process ends
  return *all;
}

Reliances &reliances() {
  static auto *all = new Reliances; // shared libraries may be loaded until the process ends
  return *all;
}

/// "the plan in halo.c is for 27 ranks, but this run has 64": the plan lacks this run's number.
std::string describeRankCounts(const sendwright_unit &unit, const RankPlan &content) {
  std::string counts;
  for (std::size_t index = 0; index < content.rankCounts.size(); ++index)
    counts += (index == 0                              ? ""
               : index + 1 < content.rankCounts.size() ? ", "
                                                       : " and ") +
              std::to_string(content.rankCounts[index]);
  return "the plan in " + std::string(unit.file) + " is for " + counts +
         " ranks, but this run has " + std::to_string(ranksIn(MPI_COMM_WORLD));
}

PlannedLoop *findLoop(EmbeddedPlan &plan, const SiteIdentity &identity) {
  for (PlannedLoop &loop : plan.loops)
    if (loop.identity.hash == identity.hash && loop.identity.sameLoopAs(identity))
      return &loop;
  return nullptr;
}

PlannedSite &plannedSite(EmbeddedPlan &plan, const SiteIdentity &identity, IssueOrders orders) {
  PlannedLoop *loop = findLoop(plan, identity);
  if (!loop) {
    loop = &plan.loops.emplace_back();
    loop->identity = identity;
  }
  return loop->instances
      .try_emplace(
          identity.instantiation,
          PlannedSite{identity.display(), std::move(orders), {}, nullptr, nullptr, 0, nullptr})
      .first->second;
}

void makePlannedLoops(EmbeddedPlan &plan) {
  const RankCountPlan &own = plan.content.own;
  for (const RunTransformation *transformation : embedded().transformations)
    if (transformation->addSites)
      transformation->addSites(own, [&](std::uint32_t site, IssueOrders orders) {
        return &plannedSite(plan, own.sites[site].site, std::move(orders));
      });
}

bool isLearned(const SitePlan &site) {
  return site.decision == Decision::Rewrite &&
         std::ranges::any_of(embedded().transformations, [&](const RunTransformation *known) {
           return known->isLearnedByOtherRuns && site.transformation == known->stem;
         });
}

/// The order of a site in runs of other numbers of ranks, if its transformation has one.
std::optional<IssueOrders> orderOfOtherRuns(const SitePlan &site, int rank, int ranks) {
  for (const RunTransformation *known : embedded().transformations)
    if (site.decision == Decision::Rewrite && site.transformation == known->stem &&
        known->ordersOfOtherRuns)
      return known->ordersOfOtherRuns(site, rank, ranks);
  return std::nullopt;
}

/// The plan is for other numbers of ranks: the loops that can learn have scopes, and those whose
/// order needs no plan.
void makeLoopsOfOtherRuns(EmbeddedPlan &plan, int rank, int ranks) {
  for (const SitePlan &site : plan.content.other.sites)
    if (isLearned(site)) {
      plannedSite(plan, site.site, IssueOrders()).learnedAs = digestOf(site.site);
      ++plan.learnedSites;
    } else if (std::optional<IssueOrders> orders = orderOfOtherRuns(site, rank, ranks)) {
      plannedSite(plan, site.site, std::move(*orders));
      ++plan.orderedSites;
    }
}

/// What becomes of the loops of a plan for other numbers of ranks; loops that learn are spoken of
/// when they begin.
void sayWhatOtherRunsDo(const EmbeddedPlan &plan) {
  const char *rest = plan.learnedSites == 0 ? ", and the others run as written" : "";
  if (plan.orderedSites > 0)
    sayOnce("%s: its loops with large messages (%d) send to the next rank first%s",
            plan.whyLearned.c_str(), plan.orderedSites, rest);
  else if (plan.learnedSites == 0)
    sayOnce("%s: loops run as written", plan.whyLearned.c_str());
}

/// The unit's plan, read unless another unit had the same; a plan that cannot be used is empty.
EmbeddedPlan &planOf(const sendwright_unit &unit) {
  const std::string_view header =
      containerHeader({reinterpret_cast<const char *>(unit.plan), unit.plan_size});
  for (EmbeddedPlan &known : embedded().plans)
    if (known.size == unit.plan_size && known.header == header)
      return known;
  EmbeddedPlan &plan = embedded().plans.emplace_back();
  plan.header = header;
  plan.size = unit.plan_size;
  const int ranks = ranksIn(MPI_COMM_WORLD), rank = rankIn(MPI_COMM_WORLD);
  try {
    plan.content = decodeRankPlan(unit.plan, unit.plan_size,
                                  "the plan in " + std::string(unit.file), ranks, rank);
    if (plan.content.found && plan.content.hasUnknownSections)
      sayOnce("the plan in %s has parts that this version of Sendwright does not know: the loops "
              "that they are for run as written",
              unit.file);
    if (plan.content.found) {
      makePlannedLoops(plan);
    } else {
      makeLoopsOfOtherRuns(plan, rank, ranks);
      plan.whyLearned = describeRankCounts(unit, plan.content);
      sayWhatOtherRunsDo(plan);
    }
  } catch (const FormatError &error) {
    plan.content = {};
    plan.loops.clear();
    plan.learnedSites = plan.orderedSites = 0;
    sayOnce("%s: loops run as written", error.what());
  } catch (const std::bad_alloc &) {
    plan.content = {};
    plan.loops.clear();
    plan.learnedSites = plan.orderedSites = 0;
    sayOnce("no memory for the plan in %s: loops run as written", unit.file);
  }
  return plan;
}

/// Gives a site its orders, if this rank has any. Returns true if the plan knows the site: whether
/// the site is watched must not depend on the rank, since only rank 0 reports problems.
bool planSite(sendwright_site &site, EmbeddedPlan &plan) {
  const SiteIdentity identity = identityOf(site);
  if (PlannedLoop *loop = findLoop(plan, identity))
    site.state = loop;
  return site.state ||
         std::any_of(plan.content.own.sites.begin(), plan.content.own.sites.end(),
                     [&](const SitePlan &planned) {
                       return planned.site.hash == site.hash && planned.site.sameLoopAs(identity);
                     });
}

void readSitesOf(const sendwright_unit &unit, std::vector<SiteReliance> &&relied) {
  EmbeddedPlan &plan = planOf(unit);
  for (unsigned long index = 0; index < unit.site_count; ++index)
    if (planSite(*unit.sites[index], plan))
      reliances().watch(unit.sites[index], std::move(relied[index]));
}

void giveUpSitesOf(const sendwright_unit &unit) {
  for (unsigned long index = 0; index < unit.site_count; ++index)
    reliances().giveUp(unit.sites[index]);
}

void readUnit(const sendwright_unit &unit) {
  if (unit.mode != SENDWRIGHT_UNIT_USE)
    return;
  try {
    std::vector<SiteReliance> relied = reliances().addUnit(unit);
    if (hasPlan(unit))
      readSitesOf(unit, std::move(relied));
  } catch (const FormatError &error) {
    giveUpSitesOf(unit);
    sayOnce("%s: loops that need them run as written", error.what());
  } catch (const std::bad_alloc &) {
    currentBatch()->accepting = false;
    sayOnce("no memory for the facts about functions in %s: loops run as written", unit.file);
  }
}

std::size_t copyLimitFromEnvironment() {
  constexpr std::size_t standard = std::size_t(64) << 20;
  const char *text = std::getenv("SENDWRIGHT_COPY_LIMIT");
  if (!text || !*text)
    return standard;
  char *end = nullptr;
  const unsigned long long bytes = std::strtoull(text, &end, 10);
  if (*end == '\0' && *text != '-')
    return bytes;
  sayOnce("SENDWRIGHT_COPY_LIMIT=%s is ignored, expected a number of bytes", text);
  return standard;
}

/// Whether this MPI accepts buffers in device memory, which the processor must not read.
bool mpiTakesDeviceMemory() {
  for (const char *name : {"MPIX_Query_cuda_support", "MPIX_Query_rocm_support",
                           "MPIX_Query_hip_support", "MPIX_Query_ze_support"})
    if (void *query = dlsym(RTLD_DEFAULT, name); query && reinterpret_cast<int (*)()>(query)() != 0)
      return true;
  return false;
}

void readUnits(int threadLevel) {
  if (disabled() || !firstUnitWithPlan() || !callsReachRuntime())
    return;
  if (threadLevel > MPI_THREAD_FUNNELED) {
    sayOnce("this run may call MPI from several threads: loops run as written");
    return;
  }
  const std::lock_guard lock(plansMutex);
  makeBatchWithoutPlan();
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
    readUnit(*unit);
}

void checkReliances() {
  const std::lock_guard lock(plansMutex);
  currentBatch()->harmlessCall = nullptr;
  try {
    reliances().check();
  } catch (const std::bad_alloc &) {
    currentBatch()->accepting = false;
    sayOnce("no memory for the facts about functions: loops run as written");
  }
}

} // namespace

SiteIdentity identityOf(const sendwright_site &site) {
  SiteIdentity identity;
  identity.file = site.file;
  identity.function = site.function;
  identity.line = site.line;
  identity.ordinal = site.ordinal;
  identity.hash = site.hash;
  return identity;
}

std::uint64_t digestOf(const SiteIdentity &identity) {
  const std::string text = identity.file + '\0' + identity.function + '\0' +
                           std::to_string(identity.hash) + '\0' + std::to_string(identity.ordinal) +
                           '\0' + identity.instantiation;
  return XXH64(text.data(), text.size(), 0);
}

void makeBatchWithoutPlan() {
  Batch &made = process.begin(std::make_unique<Batch>(copyLimitFromEnvironment()));
  made.tagLimit = tagUpperBound();
  made.deviceMemory = mpiTakesDeviceMemory();
  watchdogSettings(); // reports what is wrong with them
}

const RankCountPlan *planOfUnit(const sendwright_unit &unit) {
  if (!currentBatch())
    return nullptr;
  const std::lock_guard lock(plansMutex);
  const RankPlan &content = planOf(unit).content;
  return content.found ? &content.own : nullptr;
}

LearnedLoops learnedLoopsOf(const sendwright_unit &unit) {
  if (!currentBatch())
    return {};
  const std::lock_guard lock(plansMutex);
  const EmbeddedPlan &plan = planOf(unit);
  return {plan.learnedSites, plan.whyLearned, plan.content.machine};
}

void sayWhatDoesNotLearn(const char *reason) {
  const std::lock_guard lock(plansMutex);
  for (EmbeddedPlan &plan : embedded().plans)
    if (plan.learnedSites > 0 && !std::exchange(plan.isSaid, true) && !learnedScopeListener())
      sayOnce("%s%s%s%s: loops run as written", plan.whyLearned.c_str(), reason ? " (" : "",
              reason ? reason : "", reason ? ")" : "");
}

PlannedSite &plannedSiteOf(const sendwright_unit &unit, std::uint32_t site) {
  const std::lock_guard lock(plansMutex);
  EmbeddedPlan &plan = planOf(unit);
  return plannedSite(plan, plan.content.own.sites[site].site, IssueOrders());
}

SiteTurns *turnsOf(const sendwright_unit &unit, std::uint32_t site) {
  const std::lock_guard lock(plansMutex);
  EmbeddedPlan &plan = planOf(unit);
  const SiteIdentity &identity = plan.content.own.sites[site].site;
  const PlannedLoop *loop = findLoop(plan, identity);
  if (!loop)
    return nullptr;
  const auto instance = loop->instances.find(identity.instantiation);
  return instance == loop->instances.end() ? nullptr : instance->second.turns;
}

bool isUsable(const sendwright_unit &unit, std::uint32_t site) {
  const std::lock_guard lock(plansMutex);
  EmbeddedPlan &plan = planOf(unit);
  const PlannedLoop *loop = findLoop(plan, plan.content.own.sites[site].site);
  for (const sendwright_unit *known = registeredUnits(); known; known = known->next)
    for (unsigned long index = 0; index < known->site_count && hasPlan(*known); ++index)
      if (loop && known->sites[index]->state == loop)
        return true;
  return false;
}

void startBatches(int threadLevel, RunTransformations transformations) {
  embedded().transformations = transformations;
  readUnits(threadLevel);
  checkReliancesOfLateUnits();
}

void checkReliancesOfLateUnits() {
  if (currentBatch() && reliances().outdated())
    checkReliances();
}

void addCallsOfProfiledUnits(std::map<std::string, FunctionFacts> functions) {
  const std::lock_guard lock(plansMutex);
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
    if (unit->mode & SENDWRIGHT_UNIT_GENERATE)
      reliances().addUnit(*unit);
  reliances().addFunctions(std::move(functions));
}

std::string problemOfCall(sendwright_function function) {
  const std::lock_guard lock(plansMutex);
  return reliances().problemOfCall(function);
}

// The units of a library come one after another, so whether a unit relies on a later one is checked
// when a scope begins.
void startBatchesOf(sendwright_unit *unit, RunTransformations transformations) {
  {
    const std::lock_guard lock(plansMutex);
    embedded().transformations = transformations; // MPI may have begun without a unit
  }
  if (!currentBatch()) { // perhaps this program's first plan
    if (!hasPlan(*unit))
      return;
    int mainThread = 0, threadLevel = MPI_THREAD_MULTIPLE;
    PMPI_Is_thread_main(&mainThread);
    PMPI_Query_thread(&threadLevel);
    if (mainThread)
      readUnits(threadLevel);
  } else {
    const std::lock_guard lock(plansMutex);
    if (currentBatch()->accepting)
      readUnit(*unit);
  }
  sayWhatDoesNotLearn();
}

void endBatches() {
  if (Batch *batch = currentBatch())
    batch->endAll();
}

} // namespace sendwright
