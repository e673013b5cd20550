// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Early completion: a loop whose blocking sends leave from copies. The scope around the loop
// (LoopTransformation.h) holds nothing back; this file gives the text about it.

#include "analysis/completion/EarlyCompletion.h"
#include "analysis/file/FigureText.h"
#include "tool/rewrite/LoopTransformation.h"

namespace sendwright {

namespace {

std::string describeEarly(const SitePlan &site) {
  const SiteCompletion &completion = site.of<SiteCompletion>();
  std::string text = "sends of up to " + bytesText(completion.largest) + " leave from copies";
  if (completion.waiting > 0)
    text += ", ranks wait up to " + timeText(completion.waiting) + " in them per execution";
  return text;
}

void explainEarly(const PlannedLoop &planned, std::vector<std::string> &lines) {
  const EarlyCompletions &early = planned.plan->of<EarlyCompletions>();
  if (!planned.site().reason.empty())
    lines.push_back(planned.site().reason);
  lines.push_back("MPI_Send of " + bytesText(early.least) +
                  " and more returns at once; copies of " + bytesText(early.most) +
                  " at a time at most");
}

std::string explainLate(const SitePlan &site) {
  const std::optional<RefusalText> &refusal = site.of<SiteCompletion>().refusal;
  return refusal ? "; sends not completed early because " + refusal->sentence() : "";
}

} // namespace

extern const LoopTransformation loopTransformationEarlyCompletion;
const LoopTransformation loopTransformationEarlyCompletion = {.stem = earlyCompletionStem,
                                                              .done =
                                                                  "freed of waits for receivers",
                                                              .describe = describeEarly,
                                                              .explain = explainEarly,
                                                              .explainMissed = explainLate,
                                                              .holdsBack = false};

} // namespace sendwright
