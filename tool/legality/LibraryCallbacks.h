// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the program's functions a library function may call back: a function or lambda that is
// passed to an algorithm, and the constructors, destructor and operators of the program's own
// classes among the template arguments. Bodies in the library are not read.

#ifndef SENDWRIGHT_TOOL_LEGALITY_LIBRARYCALLBACKS_H
#define SENDWRIGHT_TOOL_LEGALITY_LIBRARYCALLBACKS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

struct LibraryCallbacks {
  std::vector<const clang::FunctionDecl *> functions;
  std::optional<std::string> unknown; ///< the reason, where some callback cannot be told
};

/// What a call of the library function `callee` may call back. `site` is the call or construction,
/// or null for a destructor. Linear in the arguments and in the classes that they name.
LibraryCallbacks libraryCallbacks(const clang::FunctionDecl &callee, const clang::Expr *site,
                                  const clang::ASTContext &context);

} // namespace sendwright

#endif
