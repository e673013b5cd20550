// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownLongWaits.h"

#include "analysis/completion/LongWaits.h"
#include "analysis/file/FigureText.h"

#include <vector>

namespace sendwright {

nlohmann::ordered_json longWaitsJson(const RankCountPlan &plan) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const LongWait &wait : plan.of<LongWaits>().waits)
    json.push_back({{"call", wait.site.display()},
                    {"function", wait.site.function},
                    {"seconds", wait.seconds},
                    {"percent", wait.percent}});
  return json;
}

void printLongWaits(std::FILE *out, const RankCountPlan &plan) {
  const std::vector<LongWait> &waits = plan.of<LongWaits>().waits;
  if (!waits.empty())
    std::fprintf(
        out, "\n  long waits; the compiler moves each behind what does not need it, or says why "
             "not:\n");
  for (const LongWait &wait : waits)
    std::fprintf(out, "    %s in %s: %s of one rank's run (%s)\n", wait.site.display().c_str(),
                 wait.site.displayFunction().c_str(), timeText(wait.seconds).c_str(),
                 percentText(wait.percent).c_str());
}

} // namespace sendwright
