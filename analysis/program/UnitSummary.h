// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that one translation unit says about itself for the planner: one text in the object
// file, kept in the profile (ProfiledUnit::functions).

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_UNITSUMMARY_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_UNITSUMMARY_H

#include "analysis/program/CollectiveSummary.h"
#include "analysis/program/FunctionSummary.h"
#include "analysis/program/LoopSummary.h"

#include <map>
#include <string>
#include <vector>

namespace sendwright {

struct UnitSummary {
  std::map<std::string, FunctionFacts> functions; ///< by symbol
  std::vector<CollectiveInSource> collectives;
  std::vector<LoopInSource> loops; ///< all marked loops; empty in older profiles
};

/// JSON: {"functions": {...}, "collectives": [...], "loops": [...]?}, as in UnitText.h.
std::string encodeUnitSummary(const UnitSummary &summary);

/// Reads it back. Throws FormatError with `name` for other text. Linear in the text.
UnitSummary decodeUnitSummary(const std::string &text, const std::string &name);

} // namespace sendwright

#endif
