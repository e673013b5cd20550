// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites in the text by which a translation unit describes itself to the planner (UnitSummary.h).

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_SITETEXT_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_SITETEXT_H

#include "analysis/trace/Profile.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sendwright {

/// {"file", "function", "line", "ordinal", "hash"}: the loop or call in all instantiations.
nlohmann::json siteJson(const SiteIdentity &site);

/// Reads it back. Throws FormatError, beginning with `where`, for anything else.
SiteIdentity readSite(const nlohmann::json &json, const std::string &where);

} // namespace sendwright

#endif
