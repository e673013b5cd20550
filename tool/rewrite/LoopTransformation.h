// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transformation of send loops that takes a scope around the loop (runtime/batch/), whose text
// stays as it is. The plan that the program carries says what happens in the scope; here is what
// the user is told. Each has a folder below tool/transformations/ and a line in
// tool/unit/LoopTransformations.cpp; nothing else names it.

#ifndef SENDWRIGHT_TOOL_REWRITE_LOOPTRANSFORMATION_H
#define SENDWRIGHT_TOOL_REWRITE_LOOPTRANSFORMATION_H

#include "tool/rewrite/PlannedLoop.h"

#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

struct LoopTransformation {
  std::string_view stem; ///< its name in plans and remarks
  std::string_view done; ///< what has become of the loop: "reordered"
  /// The remark at a loop that it rewrites: the figures, without the site.
  std::string (*describe)(const SitePlan &site);
  /// Adds lines to the comment above the loop.
  void (*explain)(const PlannedLoop &planned, std::vector<std::string> &lines);
  /// The end of the remark at a loop that another transformation rewrites, or that is left: "; not
  /// shared because REASON", or "". Null: nothing is ever said.
  std::string (*explainMissed)(const SitePlan &site) = nullptr;
};

} // namespace sendwright

#endif
