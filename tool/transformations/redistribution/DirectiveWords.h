// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of one directive, and a place among them: what every directive is read with. Every
// function that can fail returns false after it has stored the reason.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_DIRECTIVEWORDS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_DIRECTIVEWORDS_H

#include "tool/transformations/redistribution/RedistributionDirectives.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

/// A token of a directive.
struct DirectiveWord {
  clang::tok::TokenKind kind;
  std::string text;
  unsigned offset, end;
};

/// The words of a directive in [begin, end) of a file's text, without macros expanded. Linear.
std::vector<DirectiveWord> directiveWordsOf(llvm::StringRef text, unsigned begin, unsigned end,
                                            const clang::LangOptions &language);

/// The words of one directive, up to an offset past it.
class DirectiveWords {
public:
  DirectiveWords(std::vector<DirectiveWord> words, unsigned end)
      : words(std::move(words)), end(end) {}

  DirectiveProblem problem;

protected:
  const std::vector<DirectiveWord> words;
  const unsigned end;
  std::size_t next = 0;

  // Questions about the next word.
  bool atEnd() const;
  bool is(clang::tok::TokenKind kind) const;
  bool isWord(llvm::StringRef word) const;
  unsigned offset() const;
  std::string found() const;

  bool fail(const std::string &expected);
  /// Takes the next word if it is of this kind; false and no problem if it is not.
  bool take(clang::tok::TokenKind kind);
  bool expect(clang::tok::TokenKind kind, const char *what);
  /// Takes two colons: one token or two, depending on the language.
  bool takeColons();

  bool readName(const char *what, DirectiveText &name);
  /// Reads the user's text up to a comma, the closing bracket or, in a range, a colon, which it
  /// does not take.
  bool readExpression(DirectiveText &expression, bool inRange = false);
  /// (EXPRESSION[, EXPRESSION])
  bool readExpressions(std::vector<DirectiveText> &expressions, std::size_t most);
  bool readOne(std::optional<DirectiveText> &expression);

  /// The text of some words.
  std::string textOf(std::size_t first, std::size_t past) const;
};

} // namespace sendwright

#endif
