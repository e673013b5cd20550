// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of a report: each turns the data into one JSON object, which a module of the same
// name in page/sections/ shows. A new section is a file for each, and a line in the list
// (ReportSections.cpp).

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_REPORTSECTIONS_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_REPORTSECTIONS_H

#include "tool/command/report/ReportData.h"

#include <nlohmann/json.hpp>

namespace sendwright {

/// All sections, by name. A section that has nothing to show is {"absent": the reason}.
nlohmann::ordered_json reportSections(const ReportData &data);

nlohmann::ordered_json storySection(const ReportData &data);           // StorySection.cpp
nlohmann::ordered_json sitesSection(const ReportData &data);           // SitesSection.cpp
nlohmann::ordered_json matrixSection(const ReportData &data);          // MatrixSection.cpp
nlohmann::ordered_json timeSection(const ReportData &data);            // TimeSection.cpp
nlohmann::ordered_json buffersSection(const ReportData &data);         // BuffersSection.cpp
nlohmann::ordered_json redistributionsSection(const ReportData &data); // RedistributionsSection.cpp
nlohmann::ordered_json scalingSection(const ReportData &data);         // ScalingSection.cpp

} // namespace sendwright

#endif
