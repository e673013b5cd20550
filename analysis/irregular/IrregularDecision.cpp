// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Irregular collectives: calls of MPI_Alltoallv in which most ranks have nothing for one another,
// and collectives of neighbours or with a root, whose blocks differ. They are no loops, and one
// call in the source says nothing of the others that it may meet; so nothing is proposed at sites,
// and the decision is one for each communicator.

#include "analysis/irregular/IrregularPrediction.h"
#include "analysis/irregular/IrregularRun.h"
#include "analysis/simulation/StartCost.h"
#include "analysis/transformation/Transformation.h"

#include <algorithm>

namespace sendwright {

namespace {

class IrregularTransformation final : public Transformation {
public:
  std::string_view stem() const override { return irregularStem; }

  void study(StudiedRun &run) override {
    if (!run.options.uses(irregularStem))
      return;
    const Machine &machine = run.options.machine;
    const std::size_t ranks = run.timeline.ranks.size();
    const double start = planStartSeconds(machine, static_cast<std::uint32_t>(ranks));
    const IrregularPlaces places(run.timeline);
    const IrregularOptions options{run.options.thresholdPercent, start,
                                   run.options.uses("message-sharing"), run.options.lost};
    for (const IrregularCalls &calls : places.all()) {
      DecidedIrregular decided = decideIrregular(calls, ranks, machine, options);
      for (const int site : calls.sites)
        decided.decision.sites.push_back(run.profile.callSites[static_cast<std::size_t>(site)]);
      add(std::move(decided), ranks);
    }
  }

  std::unique_ptr<RunBehaviour> behave(const SimulatedPlan &run) const override {
    return irregularRun(run);
  }

  std::unique_ptr<RunBehaviour> behaveAsWritten(const Timeline &timeline) const override {
    return irregularRunAsWritten(timeline);
  }

  bool servesCalls(MpiFunctionId function, const Communicator &communicator) const override {
    return std::ranges::any_of(made.replaced, [&](const ReplacedIrregular &replaced) {
      return replaced.calls.function == function && replaced.calls.communicator == communicator;
    });
  }

  bool actsElsewhere() const override { return !made.replaced.empty(); }

  void finish(RankCountPlan &plan) override { plan.of<IrregularCollectives>() = made; }

private:
  void add(DecidedIrregular &&decided, std::size_t ranks) {
    if (decided.decision.replaced) {
      if (!decided.routes.empty())
        made.routes.resize(ranks);
      for (std::size_t rank = 0; rank < decided.routes.size(); ++rank)
        if (RankExchange &part = decided.routes[rank]; !part.messages.empty()) {
          part.exchange = static_cast<std::uint32_t>(made.replaced.size());
          made.routes[rank].push_back(std::move(part));
        }
      made.replaced.push_back(std::move(decided.replaced));
    }
    made.decisions.push_back(std::move(decided.decision));
  }

  IrregularCollectives made;
};

} // namespace

std::unique_ptr<Transformation> makeIrregularCollectives();
std::unique_ptr<Transformation> makeIrregularCollectives() {
  return std::make_unique<IrregularTransformation>();
}

} // namespace sendwright
