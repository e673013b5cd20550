// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one kind of edit: a range of the original is replaced by text, or text is inserted where the
// range is empty. Each has two texts: one for the compiler, in which no line is added or removed,
// and one for a person, in which what is added has its own lines and says what the plan does there.
//
// Edits surround one another, so which comes first at one place follows from what each is a part
// of: comesBefore() decides, and nothing else.

#ifndef SENDWRIGHT_TOOL_SOURCE_EDIT_H
#define SENDWRIGHT_TOOL_SOURCE_EDIT_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// Offsets in the original.
struct TextRange {
  unsigned begin = 0; ///< of the first character
  unsigned end = 0;   ///< past the last one
  bool operator==(const TextRange &) const = default;
};

/// What surrounds the same range, from the outside in.
enum class EditLayer : std::uint8_t { AroundDirective, Directive, Scope, Guard, Call, Check };

struct Edit {
  TextRange range;  ///< what is replaced
  TextRange around; ///< what it opens or closes
  EditLayer layer = EditLayer::Scope;
  std::string compiled; ///< for the compiler: with as many new lines as the range
  std::string readable; ///< for a person

  bool opens() const { return range.begin == around.begin; }
  /// Whether both are the same edit, whatever their texts: templates and headers repeat edits.
  bool isSameAs(const Edit &other) const {
    return range == other.range && around == other.around && layer == other.layer;
  }
};

/// Orders by offset. At one offset, ranges are closed, the innermost first, before others are
/// opened, the outermost first.
bool comesBefore(const Edit &one, const Edit &other);

/// The original with one of the two texts of every edit. Ranges must not overlap. O(n log n) for n
/// edits.
std::string edited(std::string_view original, std::vector<Edit> edits, std::string Edit::*text);

/// A scope around a loop or statements; `opening` opens it. `comment`: lines for the reader, of any
/// text.
std::vector<Edit> scopeAround(std::string_view original, TextRange loop, const std::string &opening,
                              const std::vector<std::string> &comment);

/// The same around the statements that a directive becomes, apart from its ends.
std::vector<Edit> scopeAroundDirective(std::string_view original, TextRange directive,
                                       const std::string &opening,
                                       const std::vector<std::string> &comment);

/// The same between two statements, which leaves names declared in the range visible behind it.
std::vector<Edit> scopeBetween(std::string_view original, TextRange statements,
                               const std::string &opening, const std::string &closing,
                               const std::vector<std::string> &comment);

/// Skips statements if the expression `call` is not 0: it has then done their work. `otherwise`,
/// which may be "", runs in their place.
std::vector<Edit> guardAround(std::string_view original, TextRange statements,
                              const std::string &call, const std::string &otherwise,
                              const std::vector<std::string> &comment);

/// Calls the runtime by `before`, as a statement in front of the call's own statement, which begins
/// the range.
std::vector<Edit> statementBefore(std::string_view original, TextRange call,
                                  const std::string &before,
                                  const std::vector<std::string> &comment);

/// The same within an expression: the call becomes the last operand of a comma operator.
std::vector<Edit> operandBefore(TextRange call, const std::string &before,
                                const std::vector<std::string> &comment);

/// Makes text the last argument of a call: `call` is "name(", or "name(1, ".
std::vector<Edit> checkAround(TextRange text, const std::string &call);

/// Puts statements in place of a directive, and `ends`, which may be empty, behind them.
std::vector<Edit> inPlaceOfDirective(std::string_view original, TextRange directive,
                                     const std::vector<std::string> &statements,
                                     const std::vector<std::string> &ends,
                                     const std::vector<std::string> &comment);

} // namespace sendwright

#endif
