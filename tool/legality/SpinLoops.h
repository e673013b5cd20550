// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for something outside MPI: their condition depends on a volatile or atomic
// object, on an answer of the operating system, or on nothing that the loop itself changes. A loop
// that waits for MPI does not count: the call that it makes issues the deferred sends.

#ifndef SENDWRIGHT_TOOL_LEGALITY_SPINLOOPS_H
#define SENDWRIGHT_TOOL_LEGALITY_SPINLOOPS_H

#include "tool/legality/Legality.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <functional>
#include <vector>

namespace sendwright {

/// What the search needs to know about a function of the program that a loop calls.
struct CalleeEffects {
  std::optional<std::string> sharedRead;
  bool writesMemory = false;  ///< may store to memory that other functions read
  bool changesMemory = false; ///< certainly does so: a loop that calls it makes progress
  bool reachesMpi = false;
};
struct CalleeOracle {
  std::function<CalleeEffects(const clang::FunctionDecl &definition)> effects;
  /// Where a call through a pointer leads, or null (PassedFunctions.h).
  std::function<const std::vector<const clang::FunctionDecl *> *(const clang::CallExpr &)> targets;
};

/// Searches `loops` (for, while and do statements of `body`) for the first that may spin. `body` is
/// the body of the whole function, which sets the values of a loop's condition. Linear in the body.
std::optional<Refusal> findSpinLoop(const std::vector<const clang::Stmt *> &loops,
                                    const clang::Stmt &body, clang::ASTContext &context,
                                    const CalleeOracle &oracle);

/// Whether a function changes memory that its caller may read: by its own stores, by library
/// functions known to do so, or through its callees. A barrier or fence changes nothing. Linear.
bool changesMemory(const clang::FunctionDecl &definition, clang::ASTContext &context,
                   const CalleeOracle &oracle);

} // namespace sendwright

#endif
