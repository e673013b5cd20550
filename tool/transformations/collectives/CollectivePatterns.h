// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective operations that a program spells with sends and receives: a loop in which one rank
// sends to all others, or receives from them, beside the call by which these receive or send; and
// two loops in which each rank sends to all others and receives from them. What the ranks do in
// them can then be one call in front of each piece, which does the whole operation.
//
// Conditions: what the pieces are given may be worked out once, in front of the loop, and the ranks
// that take part, where others do; nobody misses what a loop leaves behind; requests are waited for
// there and nowhere else. What falls short in one of them is a near miss, with the reason in the
// source's own words.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_COLLECTIVEPATTERNS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_COLLECTIVEPATTERNS_H

#include "analysis/program/CollectiveSummary.h"
#include "tool/legality/Legality.h"
#include "tool/sites/LoopSites.h"

#include "clang/AST/ASTContext.h"

#include <string>
#include <vector>

namespace sendwright {

/// Statements that are left out where a call (runtime/include/sendwright/collectives.h) takes their
/// place.
struct GuardedStatements {
  clang::FileID file;
  unsigned begin = 0, end = 0;        ///< offsets of the first character, and past the last
  std::string word;                   ///< the call: "sendwright_broadcast"
  std::vector<std::string> arguments; ///< texts, without the site
  std::string otherwise;   ///< statements for what the loop would have left behind, or ""
  bool carriesOut = false; ///< the operation, and not only makes room for it
};

struct CollectivePattern {
  CollectiveInSource inSource;
  const LoopSite *site = nullptr;         ///< inSource.loop; null in a macro
  clang::SourceLocation location;         ///< of the loop
  std::vector<GuardedStatements> guarded; ///< empty where there is a problem
  /// Then, where there is a root: text for its rank, the loop's first rank and the one past its
  /// last, as the other ranks work them out.
  std::vector<std::string> boundsOfOthers;
};

/// The patterns of a unit whose sites were found with their calls. Floating-point reductions take
/// part with `reassociate`. Linear in the user's code, times the size of the functions that hold
/// patterns.
std::vector<CollectivePattern> findCollectives(clang::ASTContext &context, const UnitSites &sites,
                                               Legality &legality, bool reassociate);

} // namespace sendwright

#endif
