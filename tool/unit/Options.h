// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user asked the plugin (or `sendwright rewrite`) to do. Every argument of the plugin is
// one line of a table in Options.cpp.

#ifndef SENDWRIGHT_TOOL_UNIT_OPTIONS_H
#define SENDWRIGHT_TOOL_UNIT_OPTIONS_H

#include "tool/source/RemarkLevel.h"

#include <string>
#include <vector>

namespace sendwright {

struct Options {
  bool generate = false;       ///< mark loops, so that a run records a profile
  std::string plan;            ///< the plan file to rewrite by; empty: no plan
  std::string outputDirectory; ///< where rewritten sources are written for reading; empty: nowhere
  RemarkLevel remarks = RemarkLevel::Applied;
  std::vector<std::string> noCommunication, leaveOut; ///< patterns, see ProjectRules.h
  bool overlapExchanges = false; ///< lets exchanges of a chain be under way at the same time
  bool reassociate = false; ///< lets sums change their order, for transformations that combine data
};

/// Reads what followed -fplugin-arg-sendwright- on the command line. Returns the error to report, a
/// sentence that lists the known arguments, or "" if there is none.
std::string parseArguments(const std::vector<std::string> &arguments, Options &options);

/// Reads "all", "applied" or "none". Returns false for anything else.
bool parseRemarkLevel(const std::string &text, RemarkLevel &level);

} // namespace sendwright

#endif
