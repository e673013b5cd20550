// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for something outside MPI: whose condition depends on a volatile or atomic
// object or an answer of the system, or on nothing that the loop itself changes. A loop that waits
// for MPI is no such loop: the call that it makes issues what was deferred.

#ifndef SENDWRIGHT_TOOL_LEGALITY_SPINLOOPS_H
#define SENDWRIGHT_TOOL_LEGALITY_SPINLOOPS_H

#include "tool/legality/Legality.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <functional>
#include <vector>

namespace sendwright {

/// What the search needs to know of a function of the program that a loop calls.
struct CalleeEffects {
  std::optional<std::string> sharedRead;
  bool writesMemory = false;  ///< may store what others read
  bool changesMemory = false; ///< is known to do so: a loop that calls it makes progress
  bool reachesMpi = false;
};
struct CalleeOracle {
  std::function<CalleeEffects(const clang::FunctionDecl &definition)> effects;
  /// Where a call through a pointer leads, or null (PassedFunctions.h).
  std::function<const std::vector<const clang::FunctionDecl *> *(const clang::CallExpr &)> targets;
};

/// Searches `loops` (for, while and do statements of `body`) for the first that may spin; `body` is
/// the whole function's, where the values of a loop's condition come from. Linear in the body.
std::optional<Refusal> findSpinLoop(const std::vector<const clang::Stmt *> &loops,
                                    const clang::Stmt &body, clang::ASTContext &context,
                                    const CalleeOracle &oracle);

/// True where a function changes memory that its caller may look at: by stores of its own, by
/// library functions known to do so, or by its callees. A barrier or fence changes nothing. Linear.
bool changesMemory(const clang::FunctionDecl &definition, clang::ASTContext &context,
                   const CalleeOracle &oracle);

} // namespace sendwright

#endif
