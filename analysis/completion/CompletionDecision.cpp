// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Early completion: which loops wait in their sends for receivers, and whether the run ends sooner
// if they do not. A wait that ends may only move to another rank or to a later receive, so the
// waits of a loop say nothing of the run: only a replay on a named machine decides.

#include "analysis/completion/EarlyCompletion.h"
#include "analysis/completion/EarlyRun.h"
#include "analysis/completion/LongWaits.h"
#include "analysis/completion/WaitingSends.h"
#include "analysis/file/FigureText.h"
#include "analysis/transformation/Transformation.h"

#include <utility>

namespace sendwright {

namespace {

std::string whyEarly(const WaitingSends &found) {
  std::string text = "sends of up to " + bytesText(found.largest) +
                     " leave from copies, so that ranks do not wait for their receivers";
  if (found.measured)
    text += formatted(" (up to %s of the run)", percentText(found.percent).c_str());
  return text;
}

class CompletionDecision final : public Transformation {
public:
  std::string_view stem() const override { return earlyCompletionStem; }

  void study(StudiedRun &studied) override {
    run = &studied;
    if (!studied.options.uses(earlyCompletionStem) || !studied.isChosenByReplay())
      return;
    least = leastWaitingBytes(studied.options.machine);
    sites = findWaitingSends(studied.profile, studied.timeline, studied.options.machine,
                             standardEarlyBytes);
  }

  void propose(SiteDraft &draft) override {
    const auto site = static_cast<std::size_t>(draft.site);
    if (site >= sites.size())
      return;
    const WaitingSends &found = sites[site];
    const std::optional<CompletionRefusal> refusal =
        whyNotEarly(found, run->loops.loops[site], draft.site, least, standardEarlyBytes,
                    run->options.thresholdPercent);
    if (refusal && refusal->obstacle != CompletionObstacle::TooLarge)
      return; // nothing to say of a loop that does not wait
    SiteCompletion &completion = draft.plan.of<SiteCompletion>();
    completion.waiting = found.waiting;
    completion.percent = found.percent;
    completion.largest = refusal ? found.tooLarge : found.largest;
    if (refusal) {
      completion.refusal = RefusalText(*refusal);
      return;
    }
    if (found.waiting > draft.takenGain())
      draft.taken = draft.candidates.size();
    draft.candidates.push_back(candidateOf(found));
  }

  void explainMissed(SitePlan &plan, const std::optional<RefusalText> &reason) const override {
    plan.of<SiteCompletion>().refusal = reason;
  }
  std::optional<RefusalText> missedReason(const SitePlan &plan) const override {
    return plan.of<SiteCompletion>().refusal;
  }

  std::unique_ptr<RunBehaviour> behave(const SimulatedPlan &simulated) const override {
    return earlyRun(simulated);
  }

  void finish(RankCountPlan &plan) override {
    if (run->options.uses(earlyCompletionStem) && run->isChosenByReplay())
      plan.of<LongWaits>().waits = findLongWaits(run->profile, run->options.thresholdPercent);
  }

private:
  Candidate candidateOf(const WaitingSends &found) const {
    Candidate candidate;
    candidate.stem = earlyCompletionStem;
    candidate.name = "early completion";
    candidate.means = "early completion";
    candidate.gain = found.waiting;
    candidate.gainPercent = found.percent;
    candidate.reason = whyEarly(found);
    candidate.addTo = [smallest = least](RankCountPlan &plan, std::uint32_t site) {
      EarlyCompletions &early = plan.of<EarlyCompletions>();
      early.sites.push_back(site);
      early.least = smallest;
      early.most = standardEarlyBytes;
    };
    return candidate;
  }

  const StudiedRun *run = nullptr;
  std::uint64_t least = 0;         // bytes
  std::vector<WaitingSends> sites; // by site of the profile; empty: nothing is proposed
};

} // namespace

std::unique_ptr<Transformation> makeEarlyCompletion();
std::unique_ptr<Transformation> makeEarlyCompletion() {
  return std::make_unique<CompletionDecision>();
}

} // namespace sendwright
