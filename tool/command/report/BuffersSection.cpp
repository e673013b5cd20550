// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many message buffers each rank needs, without and with synchronisation, and the lines that
// need them.

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Limits.h"
#include "analysis/trace/RunSize.h"
#include "tool/command/report/ReportSections.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sendwright {

namespace {

constexpr std::size_t mostPlaces = 200;

} // namespace

nlohmann::ordered_json buffersSection(const ReportData &data) {
  try {
    limits::followedCalls.check(data.name(), runCost(data.profile));
    const TraceLocation locate(data.name(), data.profile);
    const EpochAnalysis result = analyzeEpochs(data.profile, locate);
    nlohmann::ordered_json json = {{"messages", result.graph.messages},
                                   {"epochs", result.figures.epochs},
                                   {"complex_epochs", result.figures.complexEpochs},
                                   {"super_epochs", result.superEpochs.count},
                                   {"buffers", result.figures.buffers},
                                   {"whole_program_buffers", result.figures.wholeProgramBuffers},
                                   {"synchronizations",
                                    {{"full", result.superEpochs.full},
                                     {"partial", result.superEpochs.partial},
                                     {"component", result.superEpochs.component}}},
                                   {"safe_without_buffers", result.safeWithoutBuffers()},
                                   {"places", nlohmann::ordered_json::array()}};
    std::vector<PlaceCount> places = placesInNeed(data.profile, result);
    places.resize(std::min(places.size(), mostPlaces));
    for (const PlaceCount &place : places)
      json["places"].push_back({{"place", place.name}, {"messages", place.count}});
    return json;
  } catch (const FormatError &error) {
    return {{"absent", std::string("The run's epochs cannot be found. ") + error.what()}};
  }
}

} // namespace sendwright
