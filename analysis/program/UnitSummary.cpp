// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/program/UnitSummary.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/JsonNesting.h"
#include "analysis/file/Limits.h"
#include "analysis/program/UnitText.h"

#include <nlohmann/json.hpp>

namespace sendwright {

std::string encodeUnitSummary(const UnitSummary &summary) {
  const auto textOf = [](const nlohmann::json &json) {
    return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  };
  return "{\"functions\":" + textOf(functionsJson(summary.functions)) +
         ",\"collectives\":" + textOf(collectivesJson(summary.collectives)) +
         ",\"loops\":" + textOf(loopsJson(summary.loops)) + "}";
}

UnitSummary decodeUnitSummary(const std::string &text, const std::string &name) {
  if (findDeepNesting(text, limits::jsonNesting) != std::string::npos)
    throw FormatError(name + ": a unit's description nests deeply, expected at most " +
                      std::to_string(limits::jsonNesting) + " levels of lists and objects");
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("functions") || !json.contains("collectives"))
    throw FormatError(name + ": a unit's description is not a JSON object with "
                             "\"functions\" and \"collectives\", expected what the plugin wrote");
  UnitSummary summary;
  summary.functions = readFunctions(json["functions"], name);
  summary.collectives = readCollectives(json["collectives"], name);
  if (json.contains("loops")) // otherwise from an older plugin
    summary.loops = readLoops(json["loops"], name);
  return summary;
}

} // namespace sendwright
