// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution: the most frequent sizes of each directive, for which the plugin makes tables. It
// proposes nothing at sites: directives themselves say what to do.

#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/transformation/Transformation.h"

namespace sendwright {

namespace {

class RedistributionDecision final : public Transformation {
public:
  std::string_view stem() const override { return "redistribution"; }
  void study(StudiedRun &studied) override { run = &studied; }
  void finish(RankCountPlan &plan) override {
    plan.of<PlannedRedistributions>().frequent = frequentRedistributions(run->profile);
  }

private:
  const StudiedRun *run = nullptr;
};

} // namespace

std::unique_ptr<Transformation> makeRedistribution() {
  return std::make_unique<RedistributionDecision>();
}

} // namespace sendwright
