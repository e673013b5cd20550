// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What surrounds a directive: the block in which its call must stand, and the variables that names
// mean there. The preprocessor knows neither, so both are found from the directive's location.

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
  /// The functions and lambdas whose bodies contain it (of a template the pattern), innermost last;
  /// empty: outside of functions.
  std::vector<const clang::FunctionDecl *> functions;
  /// All statements around it, from the outermost function's body to the innermost block.
  std::vector<const clang::Stmt *> around;
  /// Outside of functions: the namespace or unit.
  const clang::DeclContext *context = nullptr;
  std::string obstacle; ///< why no call can stand here; empty where it can

  const clang::CompoundStmt *block() const; ///< the innermost one, or null
  /// Whether it stands after an earlier directive in the same block, or in a block inside.
  bool isInScopeOf(const DirectivePlace &earlier) const;
  /// The lambdas around this place that are not around `outer`.
  std::vector<const clang::LambdaExpr *> lambdasWithin(const DirectivePlace &outer) const;
  /// The lambdas between a variable's declaration and the place; empty for a variable that is not
  /// local.
  std::vector<const clang::LambdaExpr *> lambdasFrom(const clang::VarDecl &variable,
                                                     const clang::SourceManager &sources) const;
};

/// Whether a name in the lambda means the variable itself and not a copy; null: something that only
/// a default can capture.
bool capturesByReference(const clang::LambdaExpr &lambda, const clang::VarDecl *variable);

/// Finds where each of the locations stands, which must be in files. Linear in the unit.
std::vector<DirectivePlace> placesOf(const std::vector<clang::SourceLocation> &locations,
                                     clang::ASTContext &context);

/// What a name means at a place, ignoring templates and using directives; null: nothing with that
/// name is declared before.
const clang::NamedDecl *lookUp(llvm::StringRef name, const DirectivePlace &place,
                               clang::ASTContext &context);

/// A label behind the place, in its block, that can be reached without passing the place: an object
/// declared at the place would then have no value. Invalid: there is no such label.
clang::SourceLocation jumpPast(const DirectivePlace &place, clang::ASTContext &context);

} // namespace sendwright

#endif
