// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/Escaping.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace sendwright {

namespace {

/// The character at the start of a text, or a single byte that begins no character.
struct Character {
  std::uint32_t code = 0;
  std::size_t size = 1;
  bool valid = false;
};

/// The size in bytes of a character, by its first byte; 0 for bytes that begin no character.
std::size_t sizeByFirst(unsigned char first) {
  if (first < 0x80)
    return 1;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/// Accepts only the sequences of the Unicode standard: nothing overlong, no surrogates.
Character firstCharacter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t size = sizeByFirst(first);
  if (size == 0 || size > text.size())
    return {first, 1, false};
  std::uint32_t code = size == 1 ? first : first & (0x7fu >> size);
  for (std::size_t at = 1; at < size; ++at) {
    const auto next = static_cast<unsigned char>(text[at]);
    if ((next & 0xc0) != 0x80)
      return {first, 1, false};
    code = code << 6 | (next & 0x3f);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff)
    return {first, 1, false};
  return {code, size, true};
}

/// Characters that terminals and editors obey rather than show: controls, line ends, changes of the
/// direction of writing, annotations and tags.
bool isFollowed(std::uint32_t code) {
  constexpr std::uint32_t ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},      {0x61c, 0x61c},
                                         {0x200e, 0x200f}, {0x2028, 0x202e},  {0x2066, 0x206f},
                                         {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [code](const auto &range) { return code >= range[0] && code <= range[1]; });
}

void appendHexadecimal(std::string &text, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(value >> shift) & 15];
}

void appendEscape(std::string &text, const Character &character) {
  if (character.code == '\n' || character.code == '\r' || character.code == '\t') {
    text += character.code == '\n' ? "\\n" : character.code == '\r' ? "\\r" : "\\t";
  } else if (!character.valid || character.code < 0x80) {
    text += "\\x";
    appendHexadecimal(text, character.code, 2);
  } else {
    text += character.code > 0xffff ? "\\U" : "\\u";
    appendHexadecimal(text, character.code, character.code > 0xffff ? 8 : 4);
  }
}

/// Calls `ordinary` with the bytes of each character that is shown as itself, `other` with what is
/// not.
template <typename Ordinary, typename Other>
void forEachCharacter(std::string_view text, Ordinary &&ordinary, Other &&other) {
  while (!text.empty()) {
    const Character character = firstCharacter(text);
    if (character.valid && !isFollowed(character.code))
      ordinary(text.substr(0, character.size));
    else
      other(character);
    text.remove_prefix(character.size);
  }
}

std::string forLine(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  forEachCharacter(
      text, [&](std::string_view bytes) { line += bytes; },
      [&](const Character &character) { appendEscape(line, character); });
  return line;
}

/// The two characters that end or begin a comment are kept apart. A backslash at the end of a
/// line would join it with the next, as would its trigraph; white space behind it changes nothing.
std::string forComment(std::string_view text) {
  const std::string line = forLine(text);
  std::string comment;
  comment.reserve(line.size());
  for (const char letter : line) {
    const std::string_view before = comment;
    if ((letter == '/' && (before.ends_with('*') || before.ends_with("??"))) ||
        (letter == '*' && before.ends_with('/')))
      comment += ' ';
    comment += letter;
  }
  const std::size_t last = comment.find_last_not_of(' ');
  if (last != std::string::npos && comment[last] == '\\')
    comment.replace(last, 1, "\\x5c");
  return comment;
}

/// Octal escapes end after three digits, so that a digit may follow. A question mark is escaped,
/// since it could begin a trigraph.
std::string forStringLiteral(std::string_view text) {
  std::string literal;
  literal.reserve(text.size());
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= ' ' && byte < 0x7f && letter != '"' && letter != '\\' && letter != '?') {
      literal += letter;
      continue;
    }
    literal += '\\';
    for (const int shift : {6, 3, 0})
      literal += static_cast<char>('0' + ((byte >> shift) & 7));
  }
  return literal;
}

std::string forMarkup(std::string_view text) {
  std::string markup;
  for (const char letter : forLine(text))
    switch (letter) {
    case '&':
      markup += "&amp;";
      break;
    case '<':
      markup += "&lt;";
      break;
    case '>':
      markup += "&gt;";
      break;
    case '"':
      markup += "&quot;";
      break;
    case '\'':
      markup += "&#39;";
      break;
    default:
      markup += letter;
    }
  return markup;
}

/// A code unit of UTF-16, as JSON escapes it.
void appendUnit(std::string &text, std::uint32_t unit) {
  text += "\\u";
  appendHexadecimal(text, unit, 4);
}

/// White space stands between the values of a document and stays; other characters that are
/// followed stand in strings alone.
std::string forJsonDocument(std::string_view text) {
  std::string document;
  document.reserve(text.size());
  forEachCharacter(
      text, [&](std::string_view bytes) { document += bytes; },
      [&](const Character &character) {
        if (!character.valid) {
          document += "\xef\xbf\xbd"; // the replacement character
        } else if (character.code == '\n' || character.code == '\r' || character.code == '\t') {
          document += static_cast<char>(character.code);
        } else if (character.code > 0xffff) {
          appendUnit(document, 0xd7c0 + (character.code >> 10));
          appendUnit(document, 0xdc00 + (character.code & 0x3ff));
        } else {
          appendUnit(document, character.code);
        }
      });
  return document;
}

} // namespace

std::string escaped(std::string_view text, TextPlace place) {
  switch (place) {
  case TextPlace::Line:
    break;
  case TextPlace::Comment:
    return forComment(text);
  case TextPlace::StringLiteral:
    return forStringLiteral(text);
  case TextPlace::Markup:
    return forMarkup(text);
  case TextPlace::JsonDocument:
    return forJsonDocument(text);
  }
  return forLine(text);
}

std::string printable(std::string_view text) { return escaped(text, TextPlace::Line); }

std::size_t ordinaryCharacter(std::string_view text) {
  const Character character = firstCharacter(text);
  return character.valid && !isFollowed(character.code) ? character.size : 0;
}

} // namespace sendwright
