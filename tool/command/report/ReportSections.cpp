// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/report/ReportSections.h"

#include "analysis/file/Progress.h"

#include <iterator>

namespace sendwright {

namespace {

struct ReportSection {
  const char *name;
  nlohmann::ordered_json (*make)(const ReportData &data);
};

constexpr ReportSection sections[] = {
    {"story", storySection},     {"sites", sitesSection},
    {"matrix", matrixSection},   {"time", timeSection},
    {"buffers", buffersSection}, {"redistributions", redistributionsSection},
    {"scaling", scalingSection},
};

} // namespace

nlohmann::ordered_json reportSections(const ReportData &data) {
  nlohmann::ordered_json json;
  Progress steps("steps", std::size(sections), Progress::Total::Steps);
  for (const ReportSection &section : sections) {
    json[section.name] = section.make(data);
    steps.advance();
  }
  return json;
}

} // namespace sendwright
