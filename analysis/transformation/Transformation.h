// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transformation, as the planner sees it: it looks at a run, proposes what to do at each site,
// and says why. Each is one class in its own folder, listed in analysis/plan/Transformations.def.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_TRANSFORMATION_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_TRANSFORMATION_H

#include "analysis/program/ProgramSummary.h"
#include "analysis/run/SendLoops.h"
#include "analysis/run/SharingWaits.h"
#include "analysis/run/Timeline.h"
#include "analysis/transformation/Candidate.h"
#include "analysis/transformation/LeaveReason.h"
#include "analysis/transformation/PlannerOptions.h"
#include "analysis/transformation/RefusalText.h"
#include "analysis/transformation/RunBehaviour.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// The run that a plan is made for. References last as long as the planner.
struct StudiedRun {
  const Profile &profile;
  const ProgramSummary &program;
  const std::string &name; ///< of the profile, for messages
  const PlannerOptions &options;
  const Timeline &timeline;
  const SendLoops &loops;
  std::uint64_t collectives = 0; ///< blocking collective calls, of the rank with the most
  /// Where ranks would wait for one another if everything proposed were done; complete once every
  /// transformation has studied the run.
  std::vector<ExchangeInstance> meetings = {};
  std::vector<EventPosition> stuck = {}; ///< where ranks wait forever
  /// Whether some transformation does all such calls on the communicator itself, so that no rank
  /// makes them in MPI. Complete once sites are decided.
  std::function<bool(MpiFunctionId, const Communicator &)> isServed = {};

  bool isChosenByReplay() const { return options.replay == RunReplay::Choose; }
  /// Percent. If the whole run decides, a site's own model only says what may help.
  double ownThreshold() const { return isChosenByReplay() ? 0 : options.thresholdPercent; }
};

/// A site's entry in the making. Each transformation, in the order of the list, adds to it.
struct SiteDraft {
  static constexpr std::size_t none = SIZE_MAX;

  int site = 0;                   ///< index into Profile::sites
  SitePlan plan;                  ///< with its figures, whatever is decided
  std::optional<Verdict> verdict; ///< why it is left alone: from the first transformation that
                                  ///< gives a verdict
  std::vector<Candidate> candidates;
  std::size_t taken = none; ///< the best candidate by the models of single sites
  double overlapLost = 0;   ///< seconds of computation between its sends in one execution, which
                            ///< would delay the sends
  double takenGain() const { return taken == none ? 0 : candidates[taken].gain; }
};

class Transformation {
public:
  Transformation() = default;
  Transformation(const Transformation &) = delete;
  Transformation &operator=(const Transformation &) = delete;
  virtual ~Transformation() = default;

  /// Its name in plans and remarks.
  virtual std::string_view stem() const = 0;

  /// Loops in templates to be planned as one in all instantiations. If the plan then does not
  /// rewrite them, their instantiations are planned separately.
  virtual std::vector<SiteIdentity> sitesAsOne(const Profile &, const ProgramSummary &,
                                               const PlannerOptions &) const {
    return {};
  }
  /// Looks at the run, which outlives the transformation. Called once, before propose().
  virtual void study(StudiedRun &run) = 0;
  /// Whether the site belongs in the plan although it sends nothing.
  virtual bool concerns(int /*site*/) const { return false; }
  /// Adds its figures and its candidates to the draft, and takes a candidate that gains more, by
  /// its own model, than what is taken so far.
  virtual void propose(SiteDraft &) {}
  /// Says in the site's plan that its candidate is not taken, and why. Nothing: it is taken in the
  /// end.
  virtual void explainMissed(SitePlan &, const std::optional<RefusalText> & /*refusal*/) const {}
  /// What explainMissed() or propose() said.
  virtual std::optional<RefusalText> missedReason(const SitePlan &) const { return {}; }
  /// How a simulated run goes under the transformation's part of the plan; null if as written.
  /// Needs no study().
  virtual std::unique_ptr<RunBehaviour> behave(const SimulatedPlan &) const { return nullptr; }
  /// How calls that the simulation itself does not know go in a simulated run as written; null if
  /// there are no such calls. With a plan, behave() says so, too.
  virtual std::unique_ptr<RunBehaviour> behaveAsWritten(const Timeline &) const { return nullptr; }
  /// Whether finish() adds something that changes how a simulated run goes.
  virtual bool actsElsewhere() const { return false; }
  /// Whether ranks do such collective calls on the communicator by messages of their own.
  virtual bool servesCalls(MpiFunctionId, const Communicator &) const { return false; }
  /// Adds parts of the plan that belong to no site, to a plan that has none yet. Called once sites
  /// are decided; if actsElsewhere(), also before.
  virtual void finish(RankCountPlan &) {}
};

} // namespace sendwright

#endif
