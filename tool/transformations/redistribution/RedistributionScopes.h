// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What surrounds a directive: the block that its call is to stand in, and the variables that names
// mean there. The preprocessor knows neither, so both are found by the directive's location.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONSCOPES_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONSCOPES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sendwright {

/// The place of one directive.
struct DirectivePlace {
  clang::SourceLocation location;
  /// The functions and lambdas whose bodies it stands in (of a template the pattern), innermost
  /// last; none: outside of functions.
  std::vector<const clang::FunctionDecl *> functions;
  /// From the outermost function's body to the innermost block: all statements around it.
  std::vector<const clang::Stmt *> around;
  /// Outside of functions: the namespace or unit.
  const clang::DeclContext *context = nullptr;
  std::string obstacle; ///< why no call can stand here; empty where it can

  const clang::CompoundStmt *block() const; ///< the innermost one, or null
  /// Whether it stands in the rest of the block from an earlier directive on.
  bool isInScopeOf(const DirectivePlace &earlier) const;
  /// The lambdas around it that do not stand around `outer`, too.
  std::vector<const clang::LambdaExpr *> lambdasWithin(const DirectivePlace &outer) const;
  /// The lambdas between a variable's declaration and the place; none for one that is not local.
  std::vector<const clang::LambdaExpr *> lambdasFrom(const clang::VarDecl &variable,
                                                     const clang::SourceManager &sources) const;
};

/// Whether what is named in the lambda is the variable itself and no copy of it; null: something
/// that only a default can capture.
bool capturesByReference(const clang::LambdaExpr &lambda, const clang::VarDecl *variable);

/// Finds where each of the locations, which are in files, stands. Linear in the unit.
std::vector<DirectivePlace> placesOf(const std::vector<clang::SourceLocation> &locations,
                                     clang::ASTContext &context);

/// What a name means at a place, without regard to templates and using directives; null: nothing of
/// that name is declared before.
const clang::NamedDecl *lookUp(llvm::StringRef name, const DirectivePlace &place,
                               clang::ASTContext &context);

/// A label behind the place, in its block, that can be reached without passing the place: an object
/// declared there would be without a value. Invalid: there is none.
clang::SourceLocation jumpPast(const DirectivePlace &place, clang::ASTContext &context);

} // namespace sendwright

#endif
