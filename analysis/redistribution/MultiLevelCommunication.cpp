// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/MultiLevelCommunication.h"

#include <algorithm>
#include <utility>

namespace sendwright {

StepSchedule scheduleInLevels(const std::vector<Message> &messages,
                              const std::vector<double> &costs, PaperReading reading) {
  StepSchedule schedule = reduceDegrees(messages, costs, false, reading);
  std::vector<std::uint32_t> local;
  for (std::uint32_t i = 0; i < messages.size(); ++i)
    if (messages[i].local())
      local.push_back(i);
  if (!local.empty())
    schedule.steps.push_back(std::move(local));
  schedule.cost = scheduleCost(schedule.steps, costs);
  return schedule;
}

double localStepCost(const std::vector<Message> &messages, const std::vector<double> &costs) {
  double longest = 0;
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (messages[i].local())
      longest = std::max(longest, costs[i]);
  return longest;
}

} // namespace sendwright
