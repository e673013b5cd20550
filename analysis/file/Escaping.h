// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that came from outside, made into text: names and reasons in files, names of files, quoted
// lines. Whoever made a file chose its bytes. Printed as they are, they move the cursor of a
// terminal, forge a line of a compiler's messages, or end the comment that they stand in.
//
// So everything of that kind passes through escaped() on its way out, for the place that it is put
// into. Ordinary text passes unchanged: ASCII and other characters of valid UTF-8 that are shown as
// themselves. What has a meaning of its own becomes a visible escape, as in a C string: a byte that
// is no UTF-8 or a control character \x1b, a newline \n, a character that changes the direction of
// writing \u202e.

#ifndef SENDWRIGHT_ANALYSIS_FILE_ESCAPING_H
#define SENDWRIGHT_ANALYSIS_FILE_ESCAPING_H

#include <string>
#include <string_view>

namespace sendwright {

/// What text is put into.
enum class TextPlace {
  Line,          ///< one line for a person: of a table, of an error, of a compiler's remarks
  Comment,       ///< one line of a comment in C or C++ of any standard, with or without trigraphs
  StringLiteral, ///< between the quotes of a string literal in C or C++; means the same bytes
  Markup,        ///< content or a quoted attribute in XML or HTML
  JsonDocument   ///< a whole JSON document, whose strings keep their meaning
};

/// `text` for the place. For Line, Comment and JsonDocument, escaping twice is escaping once.
/// Linear.
std::string escaped(std::string_view text, TextPlace place);

/// The same for a line, which most text is for.
std::string printable(std::string_view text);

/// The bytes at the start of `text`, which must not be empty, that are one ordinary character: 0
/// where they are something that escaped() changes.
std::size_t ordinaryCharacter(std::string_view text);

} // namespace sendwright

#endif
