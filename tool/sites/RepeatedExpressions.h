// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that are to be written a second time, elsewhere: what a message loop's calls are
// given becomes the arguments of one call in front of the loop.

#ifndef SENDWRIGHT_TOOL_SITES_REPEATEDEXPRESSIONS_H
#define SENDWRIGHT_TOOL_SITES_REPEATEDEXPRESSIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The characters of the file that tokens come from, also as arguments of macros; nothing where a
/// macro's own text has a part of them.
std::optional<clang::CharSourceRange> fileRange(clang::SourceRange tokens,
                                                const clang::ASTContext &context);

/// Whether evaluating it once more changes nothing and reaches no function of the program's: no
/// stores, no calls but those that hand out what a container holds, nothing volatile.
bool mayBeRepeated(const clang::Expr &expression, const clang::ASTContext &context);

/// Whether the code names the variable.
bool mentions(const clang::Stmt &code, const clang::VarDecl &variable);

/// Whether both are the same words, but for brackets, or the same constant number.
bool areSame(const clang::Expr &left, const clang::Expr &right, const clang::ASTContext &context);

/// The expression's text on one line, as an argument of a macro. Nothing where macros or directives
/// of the preprocessor tear it.
std::optional<std::string> repeatedText(const clang::Expr &expression,
                                        const clang::ASTContext &context);

/// A stretch of a file: offsets of its first character, and past the last.
struct FileText {
  clang::FileID file;
  unsigned begin = 0, end = 0;
};

/// The text of statements on one line, with `words` in the place of each of `calls` in it. Nothing
/// where directives tear it, a macro hides a call, or it may not stand twice (labels, static
/// variables).
std::optional<std::string> textWith(const std::string &words,
                                    const std::vector<const clang::CallExpr *> &calls,
                                    const std::vector<const clang::Stmt *> &statements,
                                    const FileText &place, const clang::ASTContext &context);

/// The same of a pointer, with `number` of the variable's type in place of the variable.
std::optional<std::string> addressFor(const clang::Expr &pointer, const clang::VarDecl &variable,
                                      unsigned number, const clang::ASTContext &context);

/// Whether the address that it points to grows by the same number of bytes whenever the variable
/// grows by one, and addressFor() gives two such addresses, whatever the variable's values.
bool growsEvenly(const clang::Expr &pointer, const clang::VarDecl &variable,
                 const clang::ASTContext &context);

/// The variable whose elements a pointer or lvalue designates: of `&v[i]`, `v + i`, `v.data()`;
/// null where there is none.
const clang::VarDecl *designatedVariable(const clang::Expr &expression);

} // namespace sendwright

#endif
