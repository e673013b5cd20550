// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that names what a loop calls through pointers, or the objects whose virtual functions it
// calls. The edit puts a check around this text, because the target is known only at run time.

#ifndef SENDWRIGHT_TOOL_SITES_INDIRECTCALLEES_H
#define SENDWRIGHT_TOOL_SITES_INDIRECTCALLEES_H

#include "tool/sites/LoopSites.h"

#include "clang/AST/Expr.h"

#include <string>
#include <vector>

namespace sendwright {

/// A callee, or the object of one, that the runtime is to see.
struct CalleeText {
  unsigned begin = 0; ///< offset of its first character
  unsigned end = 0;   ///< offset past its last one
  std::string call;   ///< what it becomes the last argument of: "name(", or "name(1, "
};

struct IndirectCallees {
  std::vector<CalleeText> texts; ///< within the loop's own text, each once
  std::string obstacle;          ///< why one of them cannot be checked; "" where all can
};

/// Finds the text of the callees of `calls`, the calls through pointers in the instances of the
/// loop; for a virtual function, the text of the object. All instances of a template must need the
/// same check. Linear in the loop and its instances.
IndirectCallees indirectCallees(const LoopSite &site,
                                const std::vector<const clang::CallExpr *> &calls,
                                clang::ASTContext &context);

} // namespace sendwright

#endif
