// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownIrregularCollectives.h"

#include "analysis/file/Escaping.h"
#include "analysis/irregular/IrregularCollectives.h"

#include <cinttypes>
#include <string>

namespace sendwright {

namespace {

std::string placesOf(const IrregularDecision &decision) {
  std::string text;
  for (const SiteIdentity &site : decision.sites)
    text += (text.empty() ? " at " : ", ") + site.display();
  return text;
}

} // namespace

nlohmann::ordered_json irregularCollectivesJson(const RankCountPlan &plan) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const IrregularDecision &decision : plan.of<IrregularCollectives>().decisions) {
    nlohmann::ordered_json sites = nlohmann::ordered_json::array();
    for (const SiteIdentity &site : decision.sites)
      sites.push_back(site.display());
    json.push_back({{"function", mpiFunction(decision.calls.function).name},
                    {"members", decision.calls.communicator.members.vector()},
                    {"instance", decision.calls.communicator.instance},
                    {"calls", decision.count},
                    {"sites", sites},
                    {"replaced", decision.replaced},
                    {"written_seconds", decision.written},
                    {"planned_seconds", decision.planned},
                    {"reason", decision.reason}});
  }
  return json;
}

void printIrregularCollectives(std::FILE *out, const RankCountPlan &plan) {
  for (const IrregularDecision &decision : plan.of<IrregularCollectives>().decisions)
    std::fprintf(
        out, "\n  %s%s: %s\n    %s\n    %" PRIu64 " calls on a communicator of %zu ranks\n",
        std::string(mpiFunction(decision.calls.function).name).c_str(), placesOf(decision).c_str(),
        decision.replaced ? "replace" : "leave", printable(decision.reason).c_str(), decision.count,
        decision.calls.communicator.members.size());
}

} // namespace sendwright
