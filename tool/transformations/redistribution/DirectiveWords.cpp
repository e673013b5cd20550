// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/redistribution/DirectiveWords.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/Token.h"

namespace sendwright {

using namespace clang;

std::vector<DirectiveWord> directiveWordsOf(llvm::StringRef text, unsigned begin, unsigned end,
                                            const LangOptions &language) {
  const std::string terminated = text.substr(begin, end - begin).str();
  const char *start = terminated.data();
  Lexer lexer(SourceLocation(), language, start, start, start + terminated.size());
  std::vector<DirectiveWord> words;
  Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token)) {
    const auto past = static_cast<unsigned>(lexer.getBufferLocation() - start);
    std::string spelling = terminated.substr(past - token.getLength(), token.getLength());
    if (token.needsCleaning()) // a continued line splits it
      for (const llvm::StringRef splice : {"\\\r\n", "\\\n"})
        for (std::size_t at; (at = spelling.find(splice.data())) != std::string::npos;)
          spelling.erase(at, splice.size());
    words.push_back(
        {token.getKind(), std::move(spelling), begin + past - token.getLength(), begin + past});
  }
  return words;
}

bool DirectiveWords::atEnd() const { return next >= words.size(); }

bool DirectiveWords::is(tok::TokenKind kind) const { return !atEnd() && words[next].kind == kind; }

bool DirectiveWords::isWord(llvm::StringRef word) const {
  return is(tok::raw_identifier) && word.equals_insensitive(words[next].text);
}

unsigned DirectiveWords::offset() const { return atEnd() ? end : words[next].offset; }

std::string DirectiveWords::found() const {
  return atEnd() ? "the end of the line" : "'" + words[next].text + "'";
}

bool DirectiveWords::fail(const std::string &expected) {
  problem = {offset(), "found " + found() + ", " + expected};
  return false;
}

bool DirectiveWords::take(tok::TokenKind kind) {
  const bool there = is(kind);
  next += there;
  return there;
}

bool DirectiveWords::expect(tok::TokenKind kind, const char *what) {
  return take(kind) || fail(std::string("expected ") + what);
}

bool DirectiveWords::takeColons() {
  if (take(tok::coloncolon))
    return true;
  if (is(tok::colon) && next + 1 < words.size() && words[next + 1].kind == tok::colon) {
    next += 2;
    return true;
  }
  return false;
}

bool DirectiveWords::readName(const char *what, DirectiveText &name) {
  if (!is(tok::raw_identifier))
    return fail(std::string("expected ") + what);
  name = {words[next].text, words[next].offset};
  ++next;
  return true;
}

bool DirectiveWords::readExpression(DirectiveText &expression, bool inRange) {
  const std::size_t first = next;
  int depth = 0;
  for (; !atEnd(); ++next) {
    if (is(tok::l_paren) || is(tok::l_square) || is(tok::l_brace))
      ++depth;
    else if (depth == 0 && (is(tok::comma) || is(tok::r_paren) || (inRange && is(tok::colon))))
      break;
    else if (is(tok::r_paren) || is(tok::r_square) || is(tok::r_brace))
      --depth;
  }
  if (next == first)
    return fail("expected an expression");
  expression = {textOf(first, next), words[first].offset};
  return true;
}

bool DirectiveWords::readExpressions(std::vector<DirectiveText> &expressions, std::size_t most) {
  if (!expect(tok::l_paren, "'('"))
    return false;
  do {
    DirectiveText expression;
    if (expressions.size() == most)
      return fail(most == 1 ? "expected one expression" : "expected at most seven dimensions");
    if (!readExpression(expression))
      return false;
    expressions.push_back(std::move(expression));
  } while (take(tok::comma));
  return expect(tok::r_paren, "')'");
}

bool DirectiveWords::readOne(std::optional<DirectiveText> &expression) {
  std::vector<DirectiveText> expressions;
  if (expression)
    return --next, fail("expected it once");
  if (!readExpressions(expressions, 1))
    return false;
  expression = std::move(expressions.front());
  return true;
}

std::string DirectiveWords::textOf(std::size_t first, std::size_t past) const {
  std::string text = words[first].text;
  for (std::size_t number = first + 1; number < past; ++number)
    text += (words[number].offset > words[number - 1].end ? " " : "") + words[number].text;
  return text;
}

} // namespace sendwright
