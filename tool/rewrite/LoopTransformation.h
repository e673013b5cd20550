// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transformation of send loops that puts a scope around the loop (runtime/batch/) and leaves its
// text as it is. The plan that the program carries says what happens in the scope; this interface
// gives what the user is told. Each has a folder below tool/transformations/ and a line in
// tool/unit/Transformations.def; nothing else names it.

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
  /// The remark at a loop that the transformation rewrites: the figures, without the site.
  std::string (*describe)(const SitePlan &site);
  /// Adds lines to the comment above the loop.
  void (*explain)(const PlannedLoop &planned, std::vector<std::string> &lines);
  /// The end of the remark at a loop that stays as written or that another transformation rewrites:
  /// "; not shared because REASON", or "". Null: there is never anything to add.
  std::string (*explainMissed)(const SitePlan &site) = nullptr;
  /// Whether sends in the scope leave later than as written: then the loop must end without waiting
  /// for other ranks, which is judged before it gets a scope.
  bool holdsBack = true;
};

} // namespace sendwright

#endif
