// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Irregular collectives: remarks at their calls. The text stays as it is, since the runtime
// replaces all calls of the function on a communicator, also those that no plugin ever saw.

#include "analysis/irregular/IrregularCollectives.h"
#include "tool/rewrite/UnitTransformation.h"

#include "llvm/ADT/STLExtras.h"

namespace sendwright {

namespace {

bool concerns(const IrregularDecision &decision, const CallSite &site) {
  return llvm::any_of(decision.sites, [&](const SiteIdentity &planned) {
    return planned.sameLoopAs(site.identity);
  });
}

void explainDecision(Rewrite &rewrite, const CallSite &site, int ranks,
                     const IrregularDecision &decision) {
  const std::string function(mpiFunction(decision.calls.function).name);
  const std::string where = " for " + std::to_string(ranks) + " ranks";
  if (decision.replaced)
    rewrite.remarks.applied(site.location, function + " done by 'irregular-collectives'" + where +
                                               ": " + decision.reason);
  else
    rewrite.remarks.callLeft(site.location, function, decision.reason + where);
}

class UnitIrregularCollectives final : public UnitTransformation {
public:
  bool needsCalls(const UnitRequest &request) const override {
    return request.plan && llvm::any_of(request.plan->rankCounts, [](const auto &rankCount) {
             return !rankCount.second.template of<IrregularCollectives>().decisions.empty();
           });
  }

  void rewrite(Rewrite &rewrite, const Plan &plan, Unit & /*unit*/) override {
    for (const CallSite &site : rewrite.sites.calls)
      for (const auto &[ranks, rankCount] : plan.rankCounts)
        for (const IrregularDecision &decision : rankCount.of<IrregularCollectives>().decisions)
          if (concerns(decision, site))
            explainDecision(rewrite, site, ranks, decision);
  }
};

} // namespace

std::unique_ptr<UnitTransformation> makeUnitIrregularCollectives();
std::unique_ptr<UnitTransformation> makeUnitIrregularCollectives() {
  return std::make_unique<UnitIrregularCollectives>();
}

} // namespace sendwright
