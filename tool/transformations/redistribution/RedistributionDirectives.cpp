// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The preprocessor says where directives stand. Their text is lexed again, without expanding
// macros, so that it enters the calls as the user wrote it.

#include "tool/transformations/redistribution/RedistributionDirectives.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Pragma.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <functional>

namespace sendwright {

namespace {

using namespace clang;

/// A token of a directive.
struct Word {
  tok::TokenKind kind;
  std::string text;
  unsigned offset, end;
};

/// The text between two offsets, on one line.
std::string onOneLine(const std::vector<Word> &words, std::size_t first, std::size_t last) {
  std::string text = words[first].text;
  for (std::size_t number = first + 1; number < last; ++number)
    text += (words[number].offset > words[number - 1].end ? " " : "") + words[number].text;
  return text;
}

std::vector<Word> wordsOf(llvm::StringRef text, unsigned begin, unsigned end,
                          const LangOptions &language) {
  const std::string terminated = text.substr(begin, end - begin).str();
  const char *start = terminated.data();
  Lexer lexer(SourceLocation(), language, start, start, start + terminated.size());
  std::vector<Word> words;
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

/// Reads one directive from its words. Every function that can fail returns false after it has
/// stored the reason.
class DirectiveReader {
public:
  DirectiveReader(std::vector<Word> words, unsigned end) : words(std::move(words)), end(end) {}

  bool read() {
    next = 3; // # pragma hpf
    const bool known = readKeyword();
    return known && (atEnd() || fail("expected the end of the directive"));
  }

  Directive directive;
  DirectiveProblem problem;

private:
  const std::vector<Word> words;
  const unsigned end;
  std::size_t next = 0;

  bool atEnd() const { return next >= words.size(); }
  bool is(tok::TokenKind kind) const { return !atEnd() && words[next].kind == kind; }
  bool isWord(llvm::StringRef word) const {
    return is(tok::raw_identifier) && word.equals_insensitive(words[next].text);
  }
  unsigned offset() const { return atEnd() ? end : words[next].offset; }
  std::string found() const {
    return atEnd() ? "the end of the line" : "'" + words[next].text + "'";
  }

  bool fail(const std::string &expected) {
    problem = {offset(), "found " + found() + ", " + expected};
    return false;
  }

  bool take(tok::TokenKind kind) {
    const bool there = is(kind);
    next += there;
    return there;
  }

  bool expect(tok::TokenKind kind, const char *what) {
    return take(kind) || fail(std::string("expected ") + what);
  }

  bool readKeyword() {
    if (isWord("processors"))
      return ++next, directive.kind = Directive::Processors, readProcessors();
    if (isWord("distribute"))
      return ++next, directive.kind = Directive::Distribute, readDistribution();
    if (isWord("redistribute"))
      return ++next, directive.kind = Directive::Redistribute, readDistribution();
    if (isWord("template"))
      return ++next, directive.kind = Directive::Template, readTemplate();
    if (isWord("align"))
      return ++next, directive.kind = Directive::Align, readAlignment();
    if (isWord("realign"))
      return ++next, directive.kind = Directive::Realign, readAlignment();
    if (isWord("dynamic"))
      return ++next, directive.kind = Directive::Dynamic, takeColons(), atEnd() || readNames();
    if (isWord("shadow"))
      return ++next, directive.kind = Directive::Shadow, readShadow();
    if (isWord("reflect"))
      return ++next, directive.kind = Directive::Reflect, readReflect();
    if (isWord("reflect_begin"))
      return ++next, directive.kind = Directive::ReflectBegin, readReflect();
    if (isWord("reflect_end"))
      return ++next, directive.kind = Directive::ReflectEnd, readNames();
    return fail("expected processors, template, distribute, dynamic, align, redistribute, realign, "
                "shadow or reflect");
  }

  bool readName(const char *what, DirectiveText &name) {
    if (!is(tok::raw_identifier))
      return fail(std::string("expected ") + what);
    name = {words[next].text, words[next].offset};
    ++next;
    return true;
  }

  bool readNames() {
    do {
      DirectiveText name;
      if (!readName("the name of an array", name))
        return false;
      for (const DirectiveText &known : directive.names)
        if (known.text == name.text) {
          problem = {name.offset, "'" + name.text + "' is named twice, expected different arrays"};
          return false;
        }
      directive.names.push_back(std::move(name));
    } while (take(tok::comma));
    return true;
  }

  /// Takes two colons: one token or two, depending on the language.
  bool takeColons() {
    if (take(tok::coloncolon))
      return true;
    if (is(tok::colon) && next + 1 < words.size() && words[next + 1].kind == tok::colon) {
      next += 2;
      return true;
    }
    return false;
  }

  /// Reads the user's text up to a comma, the closing bracket or, in a range, a colon, which it
  /// does not take.
  bool readExpression(DirectiveText &expression, bool inRange = false) {
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
    expression = {onOneLine(words, first, next), words[first].offset};
    return true;
  }

  /// (EXPRESSION[, EXPRESSION])
  bool readExpressions(std::vector<DirectiveText> &expressions, std::size_t most) {
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

  bool readOne(std::optional<DirectiveText> &expression) {
    std::vector<DirectiveText> expressions;
    if (expression)
      return --next, fail("expected it once");
    if (!readExpressions(expressions, 1))
      return false;
    expression = std::move(expressions.front());
    return true;
  }

  bool readProcessors() {
    DirectiveText name;
    if (!readName("the name of the processors", name))
      return false;
    directive.names.push_back(std::move(name));
    if (!readExpressions(directive.extents, mostDirectiveDimensions))
      return false;
    while (!atEnd())
      if (isWord("comm")) {
        if (++next, !readOne(directive.communicator))
          return false;
      } else if (isWord("ranks")) {
        if (!readRanks())
          return false;
      } else
        return fail("expected comm(COMMUNICATOR), ranks(FIRST:LAST) or the end of the directive");
    return true;
  }

  /// ranks(FIRST:LAST[:STRIDE])
  bool readRanks() {
    if (!directive.ranks.empty())
      return fail("expected it once");
    ++next;
    if (!expect(tok::l_paren, "'('"))
      return false;
    do {
      DirectiveText bound;
      if (!readExpression(bound, true))
        return false;
      directive.ranks.push_back(std::move(bound));
    } while (directive.ranks.size() < 3 && take(tok::colon));
    if (directive.ranks.size() == 1)
      return fail("expected ':' and the last rank");
    return expect(tok::r_paren, "')'");
  }

  bool readFormat(DirectiveFormat &format) {
    format.offset = offset();
    if (take(tok::star))
      return true;
    if (isWord("gen_block"))
      format.kind = DirectiveFormat::GenBlock;
    else if (isWord("indirect"))
      format.kind = DirectiveFormat::Indirect;
    else if (isWord("balance") && directive.kind == Directive::Redistribute)
      format.kind = DirectiveFormat::Balance;
    else if (isWord("balance"))
      return fail("which needs loads that are known, expected it in redistribute");
    else if (isWord("block"))
      format.kind = DirectiveFormat::Block;
    else if (isWord("cyclic"))
      format.kind = DirectiveFormat::Cyclic;
    else
      return fail(
          "expected gen_block(SIZES), indirect(MAP), block, block(N), cyclic, cyclic(K) or *");
    ++next;
    if (format.kind == DirectiveFormat::Balance)
      return readBalance(format);
    const bool mayStandAlone =
        format.kind == DirectiveFormat::Block || format.kind == DirectiveFormat::Cyclic;
    if (!mayStandAlone || is(tok::l_paren))
      return readOne(format.argument);
    return true;
  }

  /// (COSTS[, SIZES]) or (measured[, SIZES])
  bool readBalance(DirectiveFormat &format) {
    DirectiveText costs, sizes;
    if (!expect(tok::l_paren, "'('"))
      return false;
    format.measured = isWord("measured") && next + 1 < words.size() &&
                      (words[next + 1].kind == tok::comma || words[next + 1].kind == tok::r_paren);
    if (!readExpression(costs))
      return false;
    format.argument = std::move(costs);
    if (take(tok::comma)) {
      if (!readExpression(sizes))
        return false;
      format.chosen = std::move(sizes);
    }
    return expect(tok::r_paren, "')'");
  }

  bool readFormats() {
    if (!expect(tok::l_paren, "'('"))
      return false;
    do {
      DirectiveFormat format;
      if (directive.formats.size() == mostDirectiveDimensions)
        return fail("expected at most seven dimensions");
      if (!readFormat(format))
        return false;
      directive.formats.push_back(std::move(format));
    } while (take(tok::comma));
    return expect(tok::r_paren, "')' or ','");
  }

  /// A(LOWER:UPPER, ...); one width stands for both.
  bool readShadow() {
    DirectiveText name;
    if (!readName("the name of an array", name))
      return false;
    directive.names.push_back(std::move(name));
    if (!expect(tok::l_paren, "'('"))
      return false;
    do {
      DirectiveText lower;
      if (directive.widths.size() == 2 * mostDirectiveDimensions)
        return fail("expected at most seven dimensions");
      if (!readExpression(lower, true))
        return false;
      DirectiveText upper = lower;
      if (take(tok::colon) && !readExpression(upper, true))
        return false;
      directive.widths.push_back(std::move(lower));
      directive.widths.push_back(std::move(upper));
    } while (take(tok::comma));
    return expect(tok::r_paren, "')' or ','");
  }

  bool readTemplate() {
    DirectiveText name;
    if (!readName("the name of the template", name))
      return false;
    directive.names.push_back(std::move(name));
    return readExpressions(directive.extents, mostDirectiveDimensions);
  }

  /// B(i, *, ...) with A(i, ...), or (i, *, ...) with A(i, ...) :: B, C
  bool readAlignment() {
    const bool namesFollow = is(tok::l_paren);
    DirectiveText name;
    if (!namesFollow && !readName("the name of an array, or '('", name))
      return false;
    if (!namesFollow)
      directive.names.push_back(name);
    std::vector<DirectiveText> subscripts;
    if (!readOwnSubscripts(subscripts))
      return false;
    if (!isWord("with"))
      return fail("expected with ARRAY(...) or with TEMPLATE(...)");
    ++next;
    DirectiveText with;
    if (!readName("the name of an array or template", with))
      return false;
    directive.with = std::move(with);
    if (!readTargetSubscripts(subscripts))
      return false;
    while (!atEnd()) {
      if (namesFollow && directive.names.empty() && takeColons()) {
        if (!readNames())
          return false;
      } else if (!readAlignmentClause())
        return false;
    }
    return !directive.names.empty() || fail("expected ':: ' and the names of arrays");
  }

  bool readAlignmentClause() {
    const bool isAlign = directive.kind == Directive::Align;
    if (!isAlign || !isWord("extent"))
      return fail(isAlign ? "expected extent(N), :: ARRAYS or the end of the directive"
                          : "expected :: ARRAYS or the end of the directive");
    if (!directive.extents.empty())
      return fail("expected it once");
    return ++next, readExpressions(directive.extents, mostDirectiveDimensions);
  }

  /// The aligned array's own: (NAME or *, ...)
  bool readOwnSubscripts(std::vector<DirectiveText> &subscripts) {
    if (!expect(tok::l_paren, "'('"))
      return false;
    do {
      if (subscripts.size() == mostDirectiveDimensions)
        return fail("expected at most seven dimensions");
      DirectiveText subscript{"*", offset()};
      if (!take(tok::star) && !readName("a name for the index, such as i, or *", subscript))
        return false;
      for (const DirectiveText &known : subscripts)
        if (subscript.text != "*" && known.text == subscript.text)
          return --next, fail("expected another name for each index");
      directive.alignments.emplace_back();
      directive.alignments.back().offset = subscript.offset;
      subscripts.push_back(std::move(subscript));
    } while (take(tok::comma));
    return expect(tok::r_paren, "')' or ','");
  }

  /// Those of the other array: (NAME, NAME + SHIFT or *, ...)
  bool readTargetSubscripts(const std::vector<DirectiveText> &subscripts) {
    if (!expect(tok::l_paren, "'('"))
      return false;
    do {
      if (directive.targetOffsets.size() == mostDirectiveDimensions)
        return fail("expected at most seven dimensions");
      directive.targetOffsets.push_back(offset());
      if (!take(tok::star) && !readTargetSubscript(subscripts))
        return false;
    } while (take(tok::comma));
    if (!expect(tok::r_paren, "')' or ','"))
      return false;
    for (std::size_t at = 0; at < subscripts.size(); ++at)
      if (subscripts[at].text != "*" && !directive.alignments[at].along) {
        problem = {subscripts[at].offset, "'" + subscripts[at].text +
                                              "' lies along no dimension of '" +
                                              directive.with->text + "', expected *"};
        return false;
      }
    return true;
  }

  bool readTargetSubscript(const std::vector<DirectiveText> &subscripts) {
    const std::size_t first = next;
    DirectiveText whole;
    if (!readExpression(whole))
      return false;
    const std::size_t past = next;
    const Word &name = words[first];
    std::size_t own = 0;
    while (own < subscripts.size() && subscripts[own].text != name.text)
      ++own;
    const bool isShifted = past > first + 2 && words[first + 1].kind == tok::plus;
    if (name.kind != tok::raw_identifier || own == subscripts.size() ||
        (past > first + 1 && !isShifted)) {
      problem = {whole.offset, "found '" + whole.text +
                                   "', expected an index of the aligned array, an index + a shift, "
                                   "or *"};
      return false;
    }
    DirectiveAlignment &alignment = directive.alignments[own];
    if (alignment.along) {
      problem = {whole.offset, "'" + name.text + "' stands here a second time, expected it once"};
      return false;
    }
    alignment.along = directive.targetOffsets.size() - 1;
    if (isShifted)
      alignment.shift = {onOneLine(words, first + 2, past), words[first + 2].offset};
    return true;
  }

  bool readReflect() {
    if (!readNames())
      return false;
    while (!atEnd())
      if (isWord("corners") && !directive.corners) {
        ++next;
        directive.corners = true;
      } else if (isWord("periodic") && !directive.periodic) {
        ++next;
        directive.periodic = true;
        if (is(tok::l_paren) && !readExpressions(directive.periods, mostDirectiveDimensions))
          return false;
      } else
        return fail("expected periodic, periodic(P, ...), corners or the end of the directive");
    return true;
  }

  /// distribute and redistribute: the arrays stand in front of the format, or behind two colons.
  bool readDistribution() {
    const bool namesFollow = is(tok::l_paren);
    if (!namesFollow) {
      DirectiveText name;
      if (!readName("the name of an array, or '('", name))
        return false;
      directive.names.push_back(std::move(name));
    }
    if (!readFormats())
      return false;
    while (!atEnd()) {
      if (namesFollow && directive.names.empty() && takeColons()) {
        if (!readNames())
          return false;
      } else if (!readClause())
        return false;
    }
    return !directive.names.empty() || fail("expected ':: ' and the names of arrays");
  }

  bool readClause() {
    const bool distribute = directive.kind == Directive::Distribute;
    if (isWord("onto")) {
      ++next;
      DirectiveText name;
      if (directive.onto)
        return --next, fail("expected it once");
      if (!readName("the name of processors", name))
        return false;
      directive.onto = std::move(name);
      return !is(tok::l_paren) || readExpressions(directive.ontoExtents, mostDirectiveDimensions);
    }
    if (isWord("extent")) {
      if (!directive.extents.empty())
        return fail("expected it once");
      return ++next, readExpressions(directive.extents, mostDirectiveDimensions);
    }
    if (!distribute && isWord("schedule"))
      return ++next, readOne(directive.schedule);
    return fail(distribute ? "expected onto PROCESSORS, extent(N) or :: ARRAYS"
                           : "expected onto PROCESSORS, extent(N), schedule(NAME) or :: ARRAYS");
  }
};

constexpr char nameSpace[] = "hpf";

/// Visits every upper and lower case spelling of the pragma's name: the preprocessor compares
/// exactly.
void forEachSpelling(llvm::function_ref<void(llvm::StringRef)> visit) {
  const llvm::StringRef name = nameSpace;
  for (unsigned capitals = 0; capitals < 1U << name.size(); ++capitals) {
    std::string spelling = name.str();
    for (unsigned letter = 0; letter < name.size(); ++letter)
      if (capitals >> letter & 1U)
        spelling[letter] = llvm::toUpper(spelling[letter]);
    visit(spelling);
  }
}

/// Takes a whole pragma and passes on its place: from # to past its last token.
class DirectiveHandler : public PragmaHandler {
public:
  using Found = std::function<void(Preprocessor &, PragmaIntroducer, SourceLocation past)>;
  DirectiveHandler(llvm::StringRef name, Found found)
      : PragmaHandler(name), found(std::move(found)) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &token) override {
    SourceLocation last = token.getLocation();
    while (token.isNot(tok::eod)) {
      last = token.getLocation();
      preprocessor.LexUnexpandedToken(token);
    }
    found(preprocessor, introducer,
          last.isFileID() ? preprocessor.getLocForEndOfToken(last) : SourceLocation());
  }

private:
  const Found found;
};

void addHandlers(Preprocessor &preprocessor, const DirectiveHandler::Found &found) {
  forEachSpelling([&](llvm::StringRef spelling) {
    preprocessor.AddPragmaHandler(new DirectiveHandler(spelling, found));
  });
}

void collect(Preprocessor &preprocessor, PragmaIntroducer introducer, SourceLocation past,
             std::vector<DirectivePragma> &pragmas) {
  const SourceManager &sources = preprocessor.getSourceManager();
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(introducer.Loc));
  for (const DirectivePragma &known : pragmas)
    if (known.begin == offset &&
        sources.getFileEntryForID(known.file) == sources.getFileEntryForID(file) &&
        sources.getFileEntryForID(file))
      return;
  DirectivePragma pragma;
  pragma.file = file;
  pragma.begin = pragma.end = offset;
  if (introducer.Kind != PIK_HashPragma || introducer.Loc.isMacroID() || past.isInvalid())
    pragma.obstacle = "written by the operator _Pragma, expected a line #pragma hpf ... of its own";
  else
    pragma.end = sources.getFileOffset(past);
  if (pragma.obstacle.empty())
    parseDirective(pragma, sources.getBufferData(file), preprocessor.getLangOpts());
  pragmas.push_back(std::move(pragma));
}

/// Skips white space, continued lines and comments.
llvm::StringRef skipBlank(llvm::StringRef text) {
  while (true) {
    text = text.ltrim(" \t\f\v");
    if (text.starts_with("/*"))
      text = text.substr(2).split("*/").second;
    else if (!text.consume_front("\\\n") && !text.consume_front("\\\r\n"))
      return text;
  }
}

} // namespace

void parseDirective(DirectivePragma &pragma, llvm::StringRef text, const LangOptions &language) {
  DirectiveReader reader(wordsOf(text, pragma.begin, pragma.end, language), pragma.end);
  if (reader.read())
    pragma.directive = std::move(reader.directive);
  else
    pragma.problem = std::move(reader.problem);
}

void collectDirectives(Preprocessor &preprocessor, std::vector<DirectivePragma> &pragmas) {
  addHandlers(preprocessor,
              [&pragmas](Preprocessor &running, PragmaIntroducer introducer, SourceLocation past) {
                collect(running, introducer, past, pragmas);
              });
}

void collectUntranslated(Preprocessor &preprocessor, std::vector<SourceLocation> &places) {
  addHandlers(preprocessor, [&places](Preprocessor &, PragmaIntroducer introducer, SourceLocation) {
    places.push_back(introducer.Loc);
  });
}

bool mentionsDirectives(llvm::StringRef text) {
  constexpr llvm::StringLiteral word = "ragma"; // of pragma and _Pragma
  for (std::size_t at = text.find(word); at != llvm::StringRef::npos;
       at = text.find(word, at + word.size())) {
    llvm::StringRef rest = skipBlank(text.substr(at + word.size()));
    rest.consume_front("(");
    rest = skipBlank(rest);
    if (rest.consume_front("\""))
      rest = rest.ltrim();
    if (rest.starts_with_insensitive(nameSpace))
      return true;
  }
  return text.contains("sendwright/required.h");
}

} // namespace sendwright
