// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What directives say, word by word.

#include "tool/transformations/redistribution/DirectiveWords.h"
#include "tool/transformations/redistribution/RedistributionDirectives.h"

namespace sendwright {

namespace {

using namespace clang;

/// Reads one directive from its words.
class DirectiveReader : public DirectiveWords {
public:
  using DirectiveWords::DirectiveWords;

  bool read() {
    next = 3; // # pragma hpf
    const bool known = readKeyword();
    return known && (atEnd() || fail("expected the end of the directive"));
  }

  Directive directive;

private:
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
    const DirectiveWord &name = words[first];
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
      alignment.shift = {textOf(first + 2, past), words[first + 2].offset};
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

} // namespace

void parseDirective(DirectivePragma &pragma, llvm::StringRef text, const LangOptions &language) {
  DirectiveReader reader(directiveWordsOf(text, pragma.begin, pragma.end, language), pragma.end);
  if (reader.read())
    pragma.directive = std::move(reader.directive);
  else
    pragma.problem = std::move(reader.problem);
}

} // namespace sendwright
