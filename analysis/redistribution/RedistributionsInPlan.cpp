// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution in the plan file: the most frequent sizes of each directive, for which the plugin
// makes tables. A running program needs none of them.

#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/trace/ProfileCodec.h"
#include "analysis/transformation/PlanSections.h"

namespace sendwright {

namespace {

bool hasRedistributions(const RankCountPlan &plan) {
  return !plan.of<PlannedRedistributions>().frequent.empty();
}

std::optional<std::string> encodeRedistributionsOf(const RankCountPlan &plan,
                                                   std::size_t /*rank*/) {
  ByteWriter out;
  encodeRedistributions(out, plan.of<PlannedRedistributions>().frequent);
  return out.take();
}

void decodeRedistributionsOf(ByteReader &in, RankCountPlan &plan, int rankCount, int /*rank*/) {
  plan.of<PlannedRedistributions>().frequent =
      decodeRedistributions(in, static_cast<std::size_t>(rankCount));
}

class RedistributionsInPlan final : public PlanSections {
public:
  std::string_view stem() const override { return "redistribution"; }
  std::vector<PlanSection> sections() const override {
    return {{.tag = 10,
             .optional = true,
             .isDue = hasRedistributions,
             .encode = encodeRedistributionsOf,
             .decode = decodeRedistributionsOf}};
  }
};

} // namespace

const PlanSections &sectionsOfRedistribution() {
  static const RedistributionsInPlan content;
  return content;
}

} // namespace sendwright
