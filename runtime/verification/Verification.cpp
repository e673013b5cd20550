// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/verification/Verification.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/OutputFile.h"
#include "analysis/verification/ExecutionTurns.h"
#include "analysis/verification/VerifiedGains.h"
#include "runtime/base/Interception.h"
#include "runtime/base/PlanAgreement.h"
#include "runtime/base/Units.h"
#include "runtime/base/Waiting.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/PlanSites.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <vector>

namespace sendwright {

namespace {

class MeasuredSite final : public SiteTurns {
public:
  MeasuredSite(std::uint32_t site, std::size_t transformation, TurnsEnd end, std::uint64_t length)
      : site(site), transformation(transformation), end(end), length(length),
        turns(keyOf(site, end), length) {}

  /// What decides the kinds of a site's turns.
  static std::uint64_t keyOf(std::uint32_t site, TurnsEnd end) {
    return end == TurnsEnd::WhenTold ? ExecutionTurns::endedFromOutside : site;
  }

  /// A turn that cannot be noted is not measured: the run goes on.
  bool begin() noexcept override {
    try {
      return turns.begin(PMPI_Wtime());
    } catch (const std::bad_alloc &) {
      return true;
    }
  }

  bool isAsPlanned() const noexcept override { return turns.isAsPlanned(); }
  bool isNextAsPlanned() const noexcept override { return turns.isNextAsPlanned(); }
  std::uint64_t executionsOfTurn() const noexcept override { return turns.executionsInTurn(); }
  std::uint64_t lengthOfTurn() const noexcept override { return length + 4; }
  void nextTurn() noexcept override {
    try {
      turns.end();
    } catch (const std::bad_alloc &) {
      return;
    }
  }

  const std::uint32_t site;         ///< in the plan
  const std::size_t transformation; ///< in the list of transformations
  const TurnsEnd end;
  const std::uint64_t length;
  ExecutionTurns turns;
};

/// What the ranks know of a site together.
struct SiteTotals {
  /// The first in the list, as a rank without sends at the site has turns of its chain alone. `end`
  /// is the same on all ranks that measure the site.
  std::size_t transformation = 0;
  TurnsEnd end = TurnsEnd::AfterExecutions;
  int leastTurns = 0, measuringRanks = 0;
  unsigned long long mostExecutions = 0, leastExecutions = 0;
};

class Verification final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::Verification;

  Verification(std::string file, std::uint64_t length, const RankCountPlan &plan,
               RunTransformations transformations)
      : file(std::move(file)), length(length), plan(plan), transformations(transformations) {}

  SiteTurns *add(std::uint32_t site, std::size_t transformation, TurnsEnd end) {
    return &sites.emplace_back(site, transformation, end, length);
  }

  /// What a transformation verifies beside its sites: numbers behind those of the sites. Returns
  /// the first.
  std::uint32_t addBesideSites(const RunTransformation &transformation) {
    const auto first = static_cast<std::uint32_t>(subjects());
    const std::size_t count = transformation.besideSites.count(plan);
    for (std::size_t number = 0; number < count; ++number)
      beside.push_back(transformation.besideSites.identify(plan, number));
    return first;
  }

  /// All ranks are in MPI_Finalize, and the layers above have finished.
  void finish() override {
    try {
      const VerifiedGains gains = gather();
      if (rankIn(MPI_COMM_WORLD) == 0)
        report(gains);
    } catch (const std::bad_alloc &) {
      std::fprintf(stderr, "sendwright: no memory for what SENDWRIGHT_VERIFY has measured\n");
    }
    process.leave(place);
  }

private:
  /// Sites of the plan, and what else is verified.
  std::size_t subjects() const { return plan.sites.size() + beside.size(); }

  /// Null if this rank has not executed the site.
  const MeasuredSite *ownSite(std::uint32_t site) const {
    const auto found = std::ranges::find(sites, site, &MeasuredSite::site);
    return found == sites.end() || found->turns.executions() == 0 ? nullptr : &*found;
  }

  /// One entry for each site of the plan, and for what else is verified. Collective.
  std::vector<SiteTotals> gatherTotals() const {
    const std::size_t count = subjects();
    std::vector<unsigned long long> most(4 * count, 0), presence(count, 0);
    for (std::size_t site = 0; site < count; ++site)
      if (const MeasuredSite *own = ownSite(static_cast<std::uint32_t>(site))) {
        presence[site] = 1;
        most[4 * site] = reversed(own->transformation);
        most[4 * site + 1] = own->turns.executions();
        most[4 * site + 2] = reversed(own->turns.executions());
        most[4 * site + 3] = own->end == TurnsEnd::WhenTold;
      }
    std::vector<unsigned long long> turns(count, ExecutionTurns::mostTurns);
    for (std::uint32_t site = 0; site < count; ++site)
      if (const MeasuredSite *own = ownSite(site))
        turns[site] = own->turns.turns().size();
    reduce(most, MPI_MAX);
    reduce(presence, MPI_SUM);
    reduce(turns, MPI_MIN);
    std::vector<SiteTotals> totals(count);
    for (std::size_t site = 0; site < count; ++site)
      totals[site] = {static_cast<std::size_t>(reversed(most[4 * site])),
                      most[4 * site + 3] ? TurnsEnd::WhenTold : TurnsEnd::AfterExecutions,
                      static_cast<int>(turns[site]),
                      static_cast<int>(presence[site]),
                      most[4 * site + 1],
                      reversed(most[4 * site + 2])};
    return totals;
  }

  /// So that the largest is the least. Not a complement: MPICH 4.0 takes numbers of this type with
  /// the highest bit for negative.
  static unsigned long long reversed(unsigned long long number) { return (1ULL << 62) - number; }

  static void reduce(std::vector<unsigned long long> &numbers, MPI_Op operation) {
    PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()),
                   MPI_UNSIGNED_LONG_LONG, operation, MPI_COMM_WORLD);
  }

  /// The means over ranks of the first `count` turns; at rank 0. Collective.
  std::vector<double> gatherTurns(std::uint32_t site, const SiteTotals &totals) const {
    const auto count = static_cast<std::size_t>(totals.leastTurns);
    std::vector<double> own(count, 0.0), sums(count, 0.0);
    if (const MeasuredSite *measured = ownSite(site))
      std::copy_n(measured->turns.turns().begin(), count, own.begin());
    PMPI_Reduce(own.data(), sums.data(), totals.leastTurns, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (double &sum : sums)
      sum /= totals.measuringRanks;
    return sums;
  }

  VerifiedGains gather() const {
    VerifiedGains gains;
    gains.ranks = ranksIn(MPI_COMM_WORLD);
    const std::vector<SiteTotals> totals = gatherTotals();
    for (std::uint32_t site = 0; site < totals.size(); ++site)
      if (totals[site].measuringRanks > 0)
        gains.sites.push_back(judge(site, totals[site], gatherTurns(site, totals[site])));
    return gains;
  }

  VerifiedSite judge(std::uint32_t site, const SiteTotals &totals,
                     const std::vector<double> &turns) const {
    VerifiedSite verified;
    if (site < plan.sites.size())
      verified.site = plan.sites[site].site;
    else
      verified = beside[site - plan.sites.size()];
    verified.transformation = transformations[totals.transformation]->stem;
    verified.executions = totals.mostExecutions;
    std::vector<double> asWritten, asPlanned;
    for (std::size_t turn = 0; turn + 1 < turns.size(); turn += 2) {
      const bool plannedFirst =
          ExecutionTurns::isMeasuredAsPlanned(MeasuredSite::keyOf(site, totals.end), turn);
      if (!(turns[turn] > 0 && turns[turn + 1] > 0))
        continue; // nothing was measured, or the clock is too coarse
      asPlanned.push_back(turns[plannedFirst ? turn : turn + 1]);
      asWritten.push_back(turns[plannedFirst ? turn + 1 : turn]);
    }
    if (totals.end == TurnsEnd::AfterExecutions && totals.mostExecutions != totals.leastExecutions)
      verified.problem = "ranks executed it unequally often";
    else if (asWritten.size() < fewestPairs)
      verified.problem = tooFew(totals.end);
    else
      verified.gain = measuredGain(asWritten, asPlanned);
    return verified;
  }

  std::string tooFew(TurnsEnd end) const {
    if (end == TurnsEnd::WhenTold)
      return "sharing paused in too few pairs of turns: it pauses at collective calls of all ranks "
             "at which no receive is open and no persistent request exists";
    return "too few executions, expected " + std::to_string((fewestPairs + 1) * 2 * length + 1) +
           " or more";
  }

  void report(const VerifiedGains &gains) const {
    std::string written;
    try {
      writeWholeFile(file, encodeVerifiedGains(gains));
      written = "written to " + file;
    } catch (const FormatError &error) {
      written = error.what();
    }
    std::fprintf(stderr,
                 "sendwright: executions took turns as written and as planned (time from one to "
                 "the next, mean of the ranks):\n%ssendwright: %s\n",
                 tableOf(gains).c_str(), written.c_str());
  }

  const std::string file;
  const std::uint64_t length; ///< executions of a turn
  const RankCountPlan &plan;
  const RunTransformations transformations;
  std::deque<MeasuredSite> sites;   ///< what this rank has of the subjects
  std::vector<VerifiedSite> beside; ///< what is verified beside sites
};

/// The name of the file to write; null if nothing is to be verified.
const char *verificationFile() {
  const char *text = std::getenv("SENDWRIGHT_VERIFY");
  if (!text || !*text || std::strcmp(text, "0") == 0)
    return nullptr;
  return std::strcmp(text, "1") == 0 ? "sendwright-verified.json" : text;
}

/// SENDWRIGHT_VERIFY_TURN: executions of a turn.
std::uint64_t lengthFromEnvironment() {
  const char *text = std::getenv("SENDWRIGHT_VERIFY_TURN");
  if (!text || !*text)
    return ExecutionTurns::standardLength;
  char *end = nullptr;
  const unsigned long long length = std::strtoull(text, &end, 10);
  if (*end == '\0' && *text != '-' && length >= 1 && length <= 1000)
    return length;
  sayOnce("SENDWRIGHT_VERIFY_TURN=%s is ignored, expected a number from 1 to 1000", text);
  return ExecutionTurns::standardLength;
}

/// Why nothing can be verified in this run, or null.
const char *verificationObstacle(int threadLevel, const RankCountPlan *plan) {
  if (disabled())
    return disabledHere;
  if (threadLevel > MPI_THREAD_FUNNELED)
    return "this run may call MPI from several threads";
  if (sendwright_interception & interceptRecording)
    return "a profile is being recorded";
  if (sendwright_interception & interceptStrict)
    return "message buffers are limited";
  if (!plan)
    return "a rank has no plan";
  return nullptr;
}

/// Ranks on which the variable is not set never come: a line then says what is awaited.
void awaitAllRanks() {
  if (isSimulated)
    return;
  MPI_Request all = MPI_REQUEST_NULL;
  PMPI_Ibarrier(MPI_COMM_WORLD, &all);
  serveUntilComplete(&all, MPI_STATUS_IGNORE, [] {
    return std::string("in MPI_Init for ranks on which SENDWRIGHT_VERIFY is not set");
  });
}

} // namespace

void startVerification(int threadLevel, RunTransformations transformations) {
  const char *file = verificationFile();
  if (!file || !callsReachRuntime())
    return;
  const sendwright_unit *unit = firstUnitWithPlan();
  const RankCountPlan *plan = unit && !disabled() ? planOfUnit(*unit) : nullptr;
  const std::uint64_t length = lengthFromEnvironment();
  const char *reason = jobObstacle();
  if (!reason) {
    awaitAllRanks();
    reason = disagreement(unit ? agreementDigest(*unit, length) : 0,
                          verificationObstacle(threadLevel, plan));
  }
  if (reason || !plan) { // without a plan there is a reason
    sayGivenUp(reason, "nothing is verified");
    return;
  }
  Verification &verification =
      process.begin(std::make_unique<Verification>(file, length, *plan, transformations));
  for (std::size_t index = 0; index < transformations.size(); ++index) {
    const RunTransformation &one = *transformations[index];
    if (one.takeTurns)
      one.takeTurns(*unit, *plan, [&](std::uint32_t site, TurnsEnd end) {
        return verification.add(site, index, end);
      });
    if (one.besideSites.count) {
      const std::uint32_t first = verification.addBesideSites(one);
      one.besideSites.takeTurns([&](std::uint32_t number, TurnsEnd end) {
        return verification.add(first + number, index, end);
      });
    }
  }
}

} // namespace sendwright
