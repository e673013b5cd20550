// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that the rewriter writes a second time elsewhere: the arguments of a message loop's
// calls become the arguments of one call in front of the loop.

#ifndef SENDWRIGHT_TOOL_SITES_REPEATEDEXPRESSIONS_H
#define SENDWRIGHT_TOOL_SITES_REPEATEDEXPRESSIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The characters of the file that the tokens come from, also as arguments of macros; nothing where
/// some of them are in a macro's own text.
std::optional<clang::CharSourceRange> fileRange(clang::SourceRange tokens,
                                                const clang::ASTContext &context);

/// Whether a second evaluation changes nothing and reaches no function of the program: no stores,
/// nothing volatile, and no calls except those that return what a container holds.
bool mayBeRepeated(const clang::Expr &expression, const clang::ASTContext &context);

/// Whether the code names the variable.
bool mentions(const clang::Stmt &code, const clang::VarDecl &variable);

/// Whether both are the same tokens apart from brackets, or the same constant number.
bool areSame(const clang::Expr &left, const clang::Expr &right, const clang::ASTContext &context);

/// The expression's text on one line, as an argument of a macro. Nothing where macros or
/// preprocessor directives cut into it.
std::optional<std::string> repeatedText(const clang::Expr &expression,
                                        const clang::ASTContext &context);

/// A stretch of a file: offsets of its first character, and past the last.
struct FileText {
  clang::FileID file;
  unsigned begin = 0, end = 0;
};

/// The text of statements on one line, with `words` in place of each of `calls`. Nothing where
/// directives cut into it, a macro hides a call, or the text may not stand twice (labels, static
/// variables).
std::optional<std::string> textWith(const std::string &words,
                                    const std::vector<const clang::CallExpr *> &calls,
                                    const std::vector<const clang::Stmt *> &statements,
                                    const FileText &place, const clang::ASTContext &context);

/// The text of a pointer, with `number` of the variable's type in place of the variable.
std::optional<std::string> addressFor(const clang::Expr &pointer, const clang::VarDecl &variable,
                                      unsigned number, const clang::ASTContext &context);

/// Whether the pointer's address grows by the same number of bytes whenever the variable grows by
/// one, so that addressFor() can give two such addresses for any values of the variable.
bool growsEvenly(const clang::Expr &pointer, const clang::VarDecl &variable,
                 const clang::ASTContext &context);

/// The variable whose elements a pointer or lvalue designates: `v` in `&v[i]`, `v + i`, `v.data()`;
/// null where there is none.
const clang::VarDecl *designatedVariable(const clang::Expr &expression);

} // namespace sendwright

#endif
