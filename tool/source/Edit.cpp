// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/source/Edit.h"

#include "analysis/file/Escaping.h"

#include <algorithm>

namespace sendwright {

namespace {

/// The white space that the line of `offset` begins with.
std::string indentationAt(std::string_view text, unsigned offset) {
  const std::size_t newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t start = newline == std::string::npos ? 0 : newline + 1;
  const std::size_t end = std::min<std::size_t>(text.find_first_not_of(" \t", start), offset);
  return std::string(text.substr(start, end - start));
}

bool isFirstOnLine(std::string_view text, unsigned offset) {
  const std::string indentation = indentationAt(text, offset);
  return offset == indentation.size() || text[offset - indentation.size() - 1] == '\n';
}

/// A comment over lines of which the later ones begin with `indentation`, and a new line behind it.
std::string linesOfComment(const std::vector<std::string> &comment,
                           const std::string &indentation) {
  std::string lines;
  for (std::size_t line = 0; line < comment.size(); ++line)
    lines += (line == 0 ? "/* " : "   ") + escaped(comment[line], TextPlace::Comment) +
             (line + 1 == comment.size() ? " */" : "") + "\n" + indentation;
  return lines;
}

/// Lines of their own before what begins at `offset`: a comment, and a line of code.
std::string linesBefore(std::string_view text, unsigned offset,
                        const std::vector<std::string> &comment, const std::string &code) {
  const std::string indentation = indentationAt(text, offset);
  return (isFirstOnLine(text, offset) ? "" : "\n" + indentation) +
         linesOfComment(comment, indentation) + code + "\n" + indentation;
}

std::string onOneLine(const std::vector<std::string> &comment) {
  std::string text;
  for (const std::string &line : comment)
    text += (text.empty() ? " /* " : "; ") + escaped(line, TextPlace::Comment);
  return text.empty() ? "" : text + " */";
}

/// How deep what replaces a directive stands.
struct DirectiveIndentation {
  std::string all;     ///< of each line
  std::string missing; ///< what the directive's line lacks of it
};

/// Directives often begin at the margin; what they become stands as deep as what follows.
DirectiveIndentation indentationOf(std::string_view text, TextRange directive) {
  const std::string own = indentationAt(text, directive.begin);
  if (!own.empty())
    return {own, ""};
  std::string deeper;
  std::size_t line = directive.end;
  do
    line = text.find('\n', line);
  while (line != std::string::npos && (text[++line] == '\n' || text[line] == '#'));
  if (line != std::string::npos)
    deeper = text.substr(line, text.find_first_not_of(" \t", line) - line);
  if (line != std::string::npos && text[line + deeper.size()] == '}')
    deeper += "  "; // the end of the block that it stands in
  return {deeper, deeper};
}

std::string readableStatements(std::string_view text, TextRange directive,
                               const std::vector<std::string> &statements,
                               const std::vector<std::string> &comment) {
  const auto [own, missing] = indentationOf(text, directive);
  std::string result = missing + linesOfComment(comment, own);
  for (std::size_t number = 0; number < statements.size(); ++number)
    result += (number == 0 ? "" : "\n" + own) + statements[number];
  return result;
}

/// An opening and a closing text around `range`: on the same line, and on separate lines.
std::vector<Edit> blockAround(std::string_view original, TextRange range, EditLayer layer,
                              const std::string &opening, const std::string &closing,
                              const std::vector<std::string> &comment) {
  return {{{range.begin, range.begin},
           range,
           layer,
           opening + " ",
           linesBefore(original, range.begin, comment, opening)},
          {{range.end, range.end},
           range,
           layer,
           " " + closing,
           "\n" + indentationAt(original, range.begin) + closing}};
}

/// The same text around an expression for the compiler and for a person, apart from a comment.
std::vector<Edit> bracketsAround(TextRange range, EditLayer layer, const std::string &opening,
                                 const std::string &comment, const std::string &separator) {
  return {{{range.begin, range.begin},
           range,
           layer,
           opening + separator,
           opening + comment + separator},
          {{range.end, range.end}, range, layer, ")", ")"}};
}

} // namespace

bool comesBefore(const Edit &one, const Edit &other) {
  if (one.range.begin != other.range.begin)
    return one.range.begin < other.range.begin;
  if (one.opens() != other.opens())
    return other.opens();
  if (one.opens()) // from the outside in
    return one.around.end != other.around.end ? one.around.end > other.around.end
                                              : one.layer < other.layer;
  return one.around.begin != other.around.begin ? one.around.begin > other.around.begin
                                                : one.layer > other.layer;
}

std::string edited(std::string_view original, std::vector<Edit> edits, std::string Edit::*text) {
  std::stable_sort(edits.begin(), edits.end(), comesBefore);
  std::string result;
  std::size_t done = 0;
  for (const Edit &edit : edits) {
    result += original.substr(done, edit.range.begin - done);
    result += edit.*text;
    done = edit.range.end;
  }
  result += original.substr(done);
  return result;
}

std::vector<Edit> scopeAround(std::string_view original, TextRange loop, const std::string &opening,
                              const std::vector<std::string> &comment) {
  return blockAround(original, loop, EditLayer::Scope, "{ " + opening, "}", comment);
}

std::vector<Edit> scopeAroundDirective(std::string_view original, TextRange directive,
                                       const std::string &opening,
                                       const std::vector<std::string> &comment) {
  const auto [all, missing] = indentationOf(original, directive);
  std::string lines = missing + linesOfComment(comment, all) + "{ " + opening + "\n";
  if (missing.empty()) // the directive's own replaces it otherwise
    lines += all;
  return {{{directive.begin, directive.begin},
           directive,
           EditLayer::AroundDirective,
           "{ " + opening + " ",
           std::move(lines)},
          {{directive.end, directive.end},
           directive,
           EditLayer::AroundDirective,
           " }",
           "\n" + all + "}"}};
}

std::vector<Edit> scopeBetween(std::string_view original, TextRange statements,
                               const std::string &opening, const std::string &closing,
                               const std::vector<std::string> &comment) {
  return blockAround(original, statements, EditLayer::Scope, opening, closing, comment);
}

std::vector<Edit> guardAround(std::string_view original, TextRange statements,
                              const std::string &call, const std::string &otherwise,
                              const std::vector<std::string> &comment) {
  // In its own braces, so that an else around it stays with its if.
  return blockAround(original, statements, EditLayer::Guard, "{ if (!" + call + ") {",
                     "} " + (otherwise.empty() ? "" : "else { " + otherwise + " } ") + "}",
                     comment);
}

std::vector<Edit> statementBefore(std::string_view original, TextRange call,
                                  const std::string &before,
                                  const std::vector<std::string> &comment) {
  return {{{call.begin, call.begin},
           call,
           EditLayer::Call,
           before + "; ",
           linesBefore(original, call.begin, comment, before + ";")}};
}

std::vector<Edit> operandBefore(TextRange call, const std::string &before,
                                const std::vector<std::string> &comment) {
  return bracketsAround(call, EditLayer::Call, "(" + before, onOneLine(comment), ", ");
}

std::vector<Edit> checkAround(TextRange text, const std::string &call) {
  return bracketsAround(text, EditLayer::Check, call, "", "");
}

std::vector<Edit> inPlaceOfDirective(std::string_view original, TextRange directive,
                                     const std::vector<std::string> &statements,
                                     const std::vector<std::string> &ends,
                                     const std::vector<std::string> &comment) {
  const std::string_view text = original.substr(directive.begin, directive.end - directive.begin);
  std::string compiled;
  for (const std::string &statement : statements)
    compiled += (compiled.empty() ? "" : " ") + statement;
  compiled.append(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
  std::vector<Edit> edits = {{directive, directive, EditLayer::Directive, std::move(compiled),
                              readableStatements(original, directive, statements, comment)}};
  if (ends.empty())
    return edits;
  const TextRange end{directive.end, directive.end};
  Edit behind{end, end, EditLayer::Directive, "", ""};
  for (const std::string &statement : ends) {
    behind.compiled += " " + statement;
    behind.readable += "\n" + indentationOf(original, directive).all + statement;
  }
  edits.push_back(std::move(behind));
  return edits;
}

} // namespace sendwright
