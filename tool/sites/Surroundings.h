// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How sites of all kinds are found in a function's body, and what around a site prevents editing
// its text.

#ifndef SENDWRIGHT_TOOL_SITES_SURROUNDINGS_H
#define SENDWRIGHT_TOOL_SITES_SURROUNDINGS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace sendwright {

/// Visits the direct children of a statement. Skips bodies of lambdas, which are functions of their
/// own, and clauses of OpenMP directives.
void forEachChild(const clang::Stmt *statement,
                  llvm::function_ref<void(const clang::Stmt *)> visit);

/// Whether `inner` is the statement or a part of it, by the same children. Linear in the statement.
bool contains(const clang::Stmt &outer, const clang::Stmt *inner);

/// Why nothing in the function can be edited, or "".
std::string functionObstacle(const clang::FunctionDecl *function);

/// Why nothing in an OpenMP region may be edited to name an object of the file, or "". `what` names
/// the site in the sentence: "the loop".
std::string regionObstacle(const clang::OMPExecutableDirective *directive, const std::string &what);

} // namespace sendwright

#endif
