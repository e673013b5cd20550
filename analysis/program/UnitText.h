// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON text by which a translation unit describes itself to the planner (UnitSummary.h), part
// by part. Readers of a part throw FormatError, beginning with `where`, for anything else.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_UNITTEXT_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_UNITTEXT_H

#include "analysis/program/CollectiveSummary.h"
#include "analysis/program/FunctionFacts.h"
#include "analysis/program/LoopSummary.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace sendwright {

/// {"file", "function", "line", "ordinal", "hash"}: the loop or call in all instantiations.
nlohmann::json siteJson(const SiteIdentity &site);
SiteIdentity readSite(const nlohmann::json &json, const std::string &where);

/// {"symbol": {"waits": "reason"?, "writes": bool, "mpi": bool, "calls": ["symbol", ...]}}. Only
/// functions that other units can call are listed; their callees within the unit are folded in.
nlohmann::json functionsJson(const std::map<std::string, FunctionFacts> &functions);
std::map<std::string, FunctionFacts> readFunctions(const nlohmann::json &json,
                                                   const std::string &where);

/// [{"operation": "broadcast", "loop": {...}, "sends": [{...}], "receives": [{...}],
/// "own": true?, "reduction": "sum"?, "problem": "reason"?}, ...]
nlohmann::json collectivesJson(const std::vector<CollectiveInSource> &collectives);
std::vector<CollectiveInSource> readCollectives(const nlohmann::json &json,
                                                const std::string &where);

/// [{"loop": {...}, "refused": "reason"?, "calls": ["symbol", ...]}, ...]
nlohmann::json loopsJson(const std::vector<LoopInSource> &loops);
std::vector<LoopInSource> readLoops(const nlohmann::json &json, const std::string &where);

} // namespace sendwright

#endif
