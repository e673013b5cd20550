// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the program scales, where there are several profiles: what `report-scaling` prints.

#include "analysis/file/Activity.h"
#include "tool/command/report/ReportSections.h"
#include "tool/command/show/ShownScaling.h"

#include <string>
#include <utility>
#include <vector>

namespace sendwright {

nlohmann::ordered_json scalingSection(const ReportData &data) {
  const std::vector<std::string> &names = data.files.profiles;
  if (names.size() < 2)
    return {{"absent", "Scaling needs profiles of runs with several numbers of ranks."}};
  std::vector<ScalingRun> runs = {scalingRunOf(data.profile, data.name())};
  for (std::size_t index = 1; index < names.size(); ++index) {
    const Activity activity("reading", names[index]);
    runs.push_back(scalingRunOf(readProfile(names[index]), names[index]));
  }
  return scalingJson(shownScaling(analyzeScaling(std::move(runs))));
}

} // namespace sendwright
