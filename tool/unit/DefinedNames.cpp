// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/unit/DefinedNames.h"

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace sendwright {

namespace {

/// The words of statements whose braces hold no body of a function.
bool beginsStatement(llvm::StringRef word) {
  static constexpr llvm::StringLiteral words[] = {"if",        "else",   "for",  "while",
                                                  "do",        "switch", "case", "return",
                                                  "co_return", "throw",  "catch"};
  return llvm::is_contained(words, word);
}

bool beginsDeclarations(llvm::StringRef word) {
  static constexpr llvm::StringLiteral words[] = {"namespace", "class", "struct", "union",
                                                  "extern"};
  return llvm::is_contained(words, word);
}

/// What stands before a brace or a semicolon.
struct Head {
  unsigned tokens = 0;
  unsigned parentheses = 0;     ///< that are open
  bool hasName = false;         ///< one of those searched for, not as a member of an object
  bool isStatement = false;     ///< begins with if, for, ...
  bool hadParentheses = false;  ///< so its braces do not hold declarations
  bool hasDeclarations = false; ///< begins a class or a namespace
  bool isCall = false;          ///< begins as a call or as the use of a macro: WORD(
  bool isDefaulted = false;     ///< "= default"
};

class DefinitionSearch {
public:
  DefinitionSearch(llvm::StringRef text, const clang::LangOptions &language,
                   const llvm::StringSet<> &names)
      : names(names),
        lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end()) {}

  bool find() {
    while (!found && next())
      if (token.is(clang::tok::hash) && token.isAtStartOfLine())
        readDirective();
      else
        read();
    return found;
  }

private:
  /// A head that goes on behind a pair of braces, and what the braces hold.
  struct Braces {
    Head around;
    bool holdDeclarations = false;
  };

  const llvm::StringSet<> &names;
  clang::Lexer lexer;
  clang::Token token;
  clang::tok::TokenKind before = clang::tok::unknown; ///< the kind of the token before
  bool isAhead = false;                               ///< the token is to be read again
  Head head;
  llvm::SmallVector<Braces, 16> open;
  bool found = false;

  bool next() {
    if (isAhead)
      isAhead = false;
    else
      lexer.LexFromRawLexer(token);
    return token.isNot(clang::tok::eof);
  }

  bool isAmongDeclarations() const { return open.empty() || open.back().holdDeclarations; }

  /// A macro may stand for the name, or define functions whose name it is given elsewhere.
  void readDirective() {
    bool isFirst = true, defines = false;
    for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof) && !token.isAtStartOfLine();
         lexer.LexFromRawLexer(token)) {
      if (token.isNot(clang::tok::raw_identifier))
        continue;
      defines |= isFirst && token.getRawIdentifier() == "define";
      isFirst = false;
      found |= defines && names.contains(token.getRawIdentifier());
    }
    isAhead = true;
  }

  void read() {
    switch (token.getKind()) {
    case clang::tok::l_brace:
      openBraces();
      break;
    case clang::tok::r_brace:
      closeBraces();
      break;
    case clang::tok::semi:
      if (head.parentheses == 0)
        endStatement();
      break;
    case clang::tok::colon: // behind a label, or behind "public"
      if (head.tokens == 1 && !head.hasDeclarations)
        head = Head();
      else
        ++head.tokens;
      break;
    case clang::tok::l_paren:
      head.isCall |= head.tokens == 1 && before == clang::tok::raw_identifier;
      head.hadParentheses = true;
      ++head.parentheses;
      ++head.tokens;
      break;
    case clang::tok::r_paren:
      head.parentheses -= head.parentheses > 0 ? 1 : 0;
      ++head.tokens;
      break;
    case clang::tok::raw_identifier:
      readWord(token.getRawIdentifier());
      break;
    default:
      ++head.tokens;
    }
    before = token.getKind();
  }

  void readWord(llvm::StringRef word) {
    const bool isMember = before == clang::tok::period || before == clang::tok::arrow;
    head.hasName |= !isMember && names.contains(word);
    head.isStatement |= head.tokens == 0 && beginsStatement(word);
    head.hasDeclarations |= beginsDeclarations(word);
    head.isDefaulted |= before == clang::tok::equal && word == "default";
    ++head.tokens;
  }

  /// Directives may leave a parenthesis open: such a head may be anything.
  void openBraces() {
    found |= head.hasName && !(head.isStatement && head.parentheses == 0);
    open.push_back({head, isAmongDeclarations() && head.hasDeclarations && !head.hadParentheses});
    head = Head();
  }

  void closeBraces() {
    const Head around = open.empty() ? Head() : open.back().around;
    if (!open.empty())
      open.pop_back();
    head = around.parentheses > 0 ? around : Head();
  }

  void endStatement() {
    found |= head.hasName && (head.isDefaulted || (head.isCall && isAmongDeclarations()));
    head = Head();
  }
};

} // namespace

bool mayDefine(llvm::StringRef text, const clang::LangOptions &language,
               const llvm::StringSet<> &names) {
  return !names.empty() && DefinitionSearch(text, language, names).find();
}

} // namespace sendwright
