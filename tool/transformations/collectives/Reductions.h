// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element loops that combine received values with present ones: the inner half of a reduction that
// a program spells out.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_REDUCTIONS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_REDUCTIONS_H

#include "tool/sites/MessageLoops.h"

#include <optional>
#include <string>

namespace sendwright {

struct Combination {
  std::string reduction;  ///< named as in CollectiveInSource
  std::string result;     ///< text of the address of the first element
  std::string afterwards; ///< text of a statement for what the element loop leaves behind, or ""
  std::string problem;    ///< why the order may not be changed; "" where it may
};

/// What the statement behind a receive combines with a result elsewhere: all elements of the
/// message, where they were received. Nothing for other statements.
std::optional<Combination> combinationOf(const MessageLoop &receives,
                                         const clang::FunctionDecl &function, bool reassociate,
                                         const clang::ASTContext &context);

} // namespace sendwright

#endif
