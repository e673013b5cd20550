// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes text from outside safe to print: names and reasons in files, file names, quoted lines.
// Whoever made a file chose its bytes. Printed as they are, they could move a terminal's cursor,
// forge a line of a compiler's messages, or end the comment that holds them.
//
// So all such text passes through escaped() on its way out, for the place where it is put. Ordinary
// text passes unchanged: ASCII and other characters of valid UTF-8 that are shown as themselves.
// Anything with a meaning of its own becomes a visible escape, as in a C string: \x1b for a control
// character or a byte that is not UTF-8, \n for a newline, \u202e for a character that changes the
// direction of writing.

#ifndef SENDWRIGHT_ANALYSIS_FILE_ESCAPING_H
#define SENDWRIGHT_ANALYSIS_FILE_ESCAPING_H

#include <string>
#include <string_view>

namespace sendwright {

/// Where text is put.
enum class TextPlace {
  Line,          ///< one line for a person: of a table, of an error, of a compiler's remarks
  Comment,       ///< one line of a comment in C or C++ of any standard, with or without trigraphs
  StringLiteral, ///< between the quotes of a string literal in C or C++; means the same bytes
  Markup,        ///< content or a quoted attribute in XML or HTML
  JsonDocument   ///< a whole JSON document, whose strings keep their meaning
};

/// `text`, escaped for the place. For Line, Comment and JsonDocument, escaping twice equals
/// escaping once. Linear.
std::string escaped(std::string_view text, TextPlace place);

/// escaped() for a line, where most text goes.
std::string printable(std::string_view text);

/// The length in bytes of the ordinary character at the start of `text`, which must not be empty; 0
/// if escaped() would change what is there.
std::size_t ordinaryCharacter(std::string_view text);

} // namespace sendwright

#endif
