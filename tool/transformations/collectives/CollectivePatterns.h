// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective operations that a program spells out as sends and receives. In one form, a loop in
// which one rank sends to all others, or receives from them, stands beside the call by which the
// others receive or send. In the other, two loops let each rank send to all others and receive from
// them. The rewriting puts a call in front of each part; together, the calls carry out the whole
// operation.
//
// Conditions: the arguments of the parts may be computed once, in front of the loop, and the
// participating ranks in front of the other parts; nothing reads what a loop leaves behind;
// requests are waited for in the pattern and nowhere else. A pattern that fails one condition is a
// near miss; its reason uses the names in the source.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_COLLECTIVEPATTERNS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_COLLECTIVEPATTERNS_H

#include "analysis/program/CollectiveSummary.h"
#include "tool/legality/Legality.h"
#include "tool/sites/LoopSites.h"

#include "clang/AST/ASTContext.h"

#include <string>
#include <vector>

namespace sendwright {

/// Statements that are skipped where a call (runtime/include/sendwright/collectives.h) takes their
/// place.
struct GuardedStatements {
  clang::FileID file;
  unsigned begin = 0, end = 0;        ///< offsets of the first character, and past the last
  std::string word;                   ///< the call: "sendwright_broadcast"
  std::vector<std::string> arguments; ///< texts of the arguments without the site
  std::string otherwise;   ///< statements that set what the loop would have left behind, or ""
  bool carriesOut = false; ///< carries out the operation, instead of only making room for it
};

struct CollectivePattern {
  CollectiveInSource inSource;
  const LoopSite *site = nullptr;         ///< inSource.loop; null in a macro
  clang::SourceLocation location;         ///< of the loop
  std::vector<GuardedStatements> guarded; ///< empty if there is a problem
  /// With a root: text for the root's rank, the first rank of its loop, and the rank past its last,
  /// as the other ranks compute them.
  std::vector<std::string> boundsOfOthers;
};

/// Finds the patterns of a unit whose sites were found with their calls. Includes floating-point
/// reductions with `reassociate`. Linear in the user's code, times the size of the functions that
/// hold patterns.
std::vector<CollectivePattern> findCollectives(clang::ASTContext &context, const UnitSites &sites,
                                               Legality &legality, bool reassociate);

} // namespace sendwright

#endif
