// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Irregular collectives: remarks at their calls. The text stays as it is, since the runtime
// replaces all calls of the function on a communicator, also those that no plugin ever saw.
// Persistent forms are in no profile, so the text alone says where they are.

#include "analysis/irregular/IrregularCollectives.h"
#include "tool/rewrite/UnitTransformation.h"
#include "tool/source/SyntaxWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <utility>

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

/// The collective whose persistent form a function makes: MPI_Alltoallv of MPI_Alltoallv_init_c.
/// Open MPI had such functions before MPI 4, as MPIX_Alltoallv_init.
const MpiFunction *persistentForm(llvm::StringRef name) {
  if (!name.consume_front("MPI_") && !name.consume_front("MPIX_"))
    return nullptr;
  name.consume_back("_c");
  return name.consume_back("_init") ? findMpiFunction(("MPI_" + name).str()) : nullptr;
}

/// Calls `visit` for each call in the unit that makes a persistent irregular collective.
class PersistentCalls final : public SyntaxWalk {
public:
  using Visit = std::function<void(const clang::CallExpr &, llvm::StringRef name)>;
  explicit PersistentCalls(Visit visit) : visit(std::move(visit)) {}

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !callee->getDeclName().isIdentifier())
      return true;
    const MpiFunction *function = persistentForm(callee->getName());
    if (function && isIrregular(function->id))
      visit(*call, callee->getName());
    return true;
  }

private:
  Visit visit;
};

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
    PersistentCalls([&](const clang::CallExpr &call, llvm::StringRef name) {
      rewrite.remarks.callLeft(call.getBeginLoc(), name.str(),
                               "persistent calls are not recorded, and a rank that has started one "
                               "would not pass on blocks of others");
    }).TraverseDecl(rewrite.context.getTranslationUnitDecl());
  }
};

} // namespace

std::unique_ptr<UnitTransformation> makeUnitIrregularCollectives();
std::unique_ptr<UnitTransformation> makeUnitIrregularCollectives() {
  return std::make_unique<UnitIrregularCollectives>();
}

} // namespace sendwright
