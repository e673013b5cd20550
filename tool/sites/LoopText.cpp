// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statement ends for Clang at its last token, before the semicolon, and tokens from macros have
// locations in the macro. Text can be inserted around a loop that begins in the file, or with the
// first token of a macro (a FOR_EACH), and that ends in the file or with the last token of a macro
// (an error check around its only call).

#include "tool/sites/LoopText.h"

#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <optional>

namespace sendwright {

namespace {

using namespace clang;

const char inMacro[] = "the loop is written in a macro";

struct LastToken {
  SourceLocation location;
  bool semicolonFollows = true; // not part of Clang's range for the statement
};

/// The last token of a statement, as far as Clang keeps it.
LastToken lastToken(const Stmt *statement) {
  if (const auto *loop = dyn_cast<ForStmt>(statement))
    return lastToken(loop->getBody());
  if (const auto *loop = dyn_cast<CXXForRangeStmt>(statement))
    return lastToken(loop->getBody());
  if (const auto *loop = dyn_cast<WhileStmt>(statement))
    return lastToken(loop->getBody());
  if (const auto *branch = dyn_cast<IfStmt>(statement))
    return lastToken(branch->getElse() ? branch->getElse() : branch->getThen());
  if (const auto *branch = dyn_cast<SwitchStmt>(statement))
    return lastToken(branch->getBody());
  if (const auto *label = dyn_cast<SwitchCase>(statement))
    return lastToken(label->getSubStmt());
  if (const auto *label = dyn_cast<LabelStmt>(statement))
    return lastToken(label->getSubStmt());
  if (const auto *attributed = dyn_cast<AttributedStmt>(statement))
    return lastToken(attributed->getSubStmt());
  const bool complete = isa<CompoundStmt, NullStmt, DeclStmt, CXXTryStmt>(statement);
  return {statement->getEndLoc(), !complete};
}

/// Follows a loop's end out of a macro to the file.
class EndFinder {
public:
  explicit EndFinder(const ASTContext &context)
      : sources(context.getSourceManager()), language(context.getLangOpts()) {}

  /// Past the loop's last character; nothing where the loop ends in the middle of a macro.
  std::optional<SourceLocation> pastEnd(LastToken last) const {
    if (last.location.isMacroID()) {
      SourceLocation macroEnd;
      if (Lexer::isAtEndOfMacroExpansion(last.location, sources, language, &macroEnd))
        last.location = macroEnd;
      else if (last.semicolonFollows && semicolonEndsMacro(last.location, macroEnd))
        last = {macroEnd, false};
      else
        return std::nullopt;
    }
    if (!last.semicolonFollows)
      return Lexer::getLocForEndOfToken(last.location, 0, sources, language);
    const SourceLocation end =
        Lexer::findLocationAfterToken(last.location, tok::semi, sources, language, false);
    return end.isValid() ? std::optional(end) : std::nullopt;
  }

private:
  const SourceManager &sources;
  const LangOptions &language;

  /// Whether a semicolon follows in the macro and is its last token.
  bool semicolonEndsMacro(SourceLocation location, SourceLocation &macroEnd) const {
    while (sources.isMacroArgExpansion(location)) { // to the parameter's place in the macro's body
      const SourceLocation past = location.getLocWithOffset(static_cast<int>(
          Lexer::MeasureTokenLength(sources.getSpellingLoc(location), sources, language)));
      if (!sources.isAtEndOfImmediateMacroExpansion(past, &location) || location.isFileID())
        return false;
    }
    const SourceLocation spelled = sources.getSpellingLoc(location);
    const auto next = Lexer::findNextToken(spelled, sources, language);
    if (!next || next->isNot(tok::semi))
      return false;
    const int distance = static_cast<int>(sources.getFileOffset(next->getLocation())) -
                         static_cast<int>(sources.getFileOffset(spelled));
    return Lexer::isAtEndOfMacroExpansion(location.getLocWithOffset(distance), sources, language,
                                          &macroEnd);
  }
};

bool isHarmless(llvm::StringRef pragma) {
  for (const char *name : {"once", "message", "region", "endregion", "mark", "pack", "push_macro",
                           "pop_macro", "GCC diagnostic", "clang diagnostic", "GCC system_header",
                           "GCC poison", "GCC warning", "GCC error", "STDC", "weak"})
    if (pragma.starts_with(name))
      return true;
  return pragma.empty() || pragma.starts_with_insensitive("hpf "); // the directive becomes a call
}

} // namespace

LoopText textOf(const Stmt *loop, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  const SourceLocation begin = loop->getBeginLoc();
  const LastToken last = lastToken(loop);

  LoopText text;
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(begin));
  text.file = file;
  text.begin = offset;

  std::optional<SourceLocation> end = EndFinder(context).pastEnd(last);
  const bool beginsInFile =
      begin.isFileID() || Lexer::isAtStartOfMacroExpansion(begin, sources, context.getLangOpts());
  const bool whollyInMacro =
      begin.isMacroID() && last.location.isMacroID() &&
      sources.getExpansionLoc(begin) == sources.getExpansionLoc(last.location);
  if (!beginsInFile || !end || whollyInMacro)
    text.obstacle = inMacro;
  text.isMacroUse = beginsInFile && end && whollyInMacro;
  if (!end)
    end = Lexer::getLocForEndOfToken(sources.getExpansionRange(last.location).getEnd(), 0, sources,
                                     context.getLangOpts());

  const auto [endFile, endOffset] = sources.getDecomposedLoc(*end);
  text.end = endFile == file && endOffset > offset ? endOffset : offset;
  if (endFile != file)
    text.obstacle = "the loop begins in one file and ends in another";
  return text;
}

Pragmas::Pragmas(llvm::StringRef text, const LangOptions &language) {
  const std::string terminated = text.str(); // the lexer wants a null character at the end
  const char *start = terminated.data();
  Lexer lexer(SourceLocation(), language, start, start, start + terminated.size());
  const auto spelling = [&](const Token &token) {
    const auto end = static_cast<std::size_t>(lexer.getBufferLocation() - start);
    return terminated.substr(end - token.getLength(), token.getLength());
  };

  Token token;
  std::string pending; // waits for the token that it applies to
  lexer.LexFromRawLexer(token);
  while (token.isNot(tok::eof)) {
    const bool directive = token.is(tok::hash) && token.isAtStartOfLine();
    const bool operatorForm = token.is(tok::raw_identifier) && spelling(token) == "_Pragma";
    if (!directive && !operatorForm) {
      if (!pending.empty())
        beforeToken[static_cast<unsigned>(lexer.getBufferLocation() - start) - token.getLength()] =
            std::move(pending);
      pending.clear();
      lexer.LexFromRawLexer(token);
      continue;
    }
    std::string words; // of a directive up to its line's end, of an operator up to the bracket
    for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token)) {
      if (directive ? token.isAtStartOfLine() : token.is(tok::r_paren))
        break;
      if (!token.is(tok::l_paren) || directive)
        words += (words.empty() ? "" : " ") + spelling(token);
    }
    if (operatorForm) {
      lexer.LexFromRawLexer(token);
      pending = words;
    } else if (llvm::StringRef(words).starts_with("pragma ") && !isHarmless(words.substr(7)))
      pending = words.substr(7);
  }
}

std::string Pragmas::before(unsigned offset) const {
  const auto found = beforeToken.find(offset);
  return found == beforeToken.end() ? "" : found->second;
}

} // namespace sendwright
