// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function may store to, seen from its callers. A send that is deferred reads its buffer
// later than the program says; a function does it no harm when it stores only to its own variables,
// and no send can read these variables after their life.

#ifndef SENDWRIGHT_TOOL_LEGALITY_MEMORYEFFECTS_H
#define SENDWRIGHT_TOOL_LEGALITY_MEMORYEFFECTS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace sendwright {

struct MemoryEffects {
  bool storesOutside = false; ///< stores to something other than its own automatic variables
  bool exposesLocals = false; ///< a send may read an object or exception that ends in it
};

/// The effects of a function's own text, without its calls of functions with visible bodies or of
/// other units. Linear in its size.
MemoryEffects memoryEffects(const clang::FunctionDecl &definition, clang::ASTContext &context);

} // namespace sendwright

#endif
