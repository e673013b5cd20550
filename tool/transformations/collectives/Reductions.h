// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element loops that combine what was received with what is there: the inner half of a reduction
// that a program spells itself.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_REDUCTIONS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_REDUCTIONS_H

#include "tool/sites/MessageLoops.h"

#include <optional>
#include <string>

namespace sendwright {

struct Combination {
  std::string reduction;  ///< as CollectiveInSource names it
  std::string result;     ///< text: the address of the first element
  std::string afterwards; ///< text: a statement for what the element loop leaves behind, or ""
  std::string problem;    ///< why it may not be done in another order; "" where it may
};

/// What the statement behind a receive combines, element by element, with a result elsewhere; all
/// elements of the message, which are where it was received. Nothing for other statements.
std::optional<Combination> combinationOf(const MessageLoop &receives,
                                         const clang::FunctionDecl &function, bool reassociate,
                                         const clang::ASTContext &context);

} // namespace sendwright

#endif
