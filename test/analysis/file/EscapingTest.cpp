// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts every byte, alone and beside bytes that have a meaning, into every place. Readers of these
// places, written here, check the rules: a compiler's first phases, a JSON parser, the rules of
// UTF-8.

#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "analysis/trace/TextTraceWords.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sendwright {

namespace {

/// Each byte alone, around and between pieces that have a meaning somewhere, and longer texts.
std::vector<std::string> hostileTexts() {
  const std::vector<std::string> pieces = {"*",
                                           "/",
                                           "\\",
                                           "?",
                                           "??",
                                           "?\?/",
                                           "\n",
                                           "\r",
                                           "\t",
                                           "\x1b",
                                           "\x1b[",
                                           "\x7f",
                                           "\x80",
                                           "\x9b",
                                           "\xc2\x9b",
                                           "\xc2",
                                           "\xe2\x80",
                                           "\xf0\x90",
                                           "\xc3\xa9",
                                           "\xe2\x80\xae",
                                           "\xe2\x81\xa6",
                                           "\xf0\x9f\x9a\x80",
                                           "\"",
                                           "'",
                                           "<",
                                           ">",
                                           "&",
                                           "]]>",
                                           "%",
                                           "0",
                                           "a",
                                           " "};
  std::vector<std::string> texts = {"",
                                    "*\n/ f(); /*",
                                    "*?\?/\n/ f(); /*",
                                    "*\\\n/",
                                    "*\\ \n/",
                                    "*\\\r\n/",
                                    "**//**//",
                                    "\xed\xa0\x80",         // a surrogate
                                    "\xc0\xaf\xe0\x80\xaf", // overlong
                                    "\xf4\x90\x80\x80",     // beyond Unicode
                                    "\xf3\xa0\x81\xa1",     // a tag
                                    "\xe2\x80\xa8\xe2\x80\xa9\xc2\x85\xd8\x9c"};
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    texts.push_back(one);
    for (const std::string &piece : pieces) {
      texts.push_back(one + piece);
      texts.push_back(piece + one);
      texts.push_back(piece + one + piece);
      for (const char *other : {"/", "*", "\n/", "\\"})
        texts.push_back(piece + one + other);
    }
  }
  return texts;
}

bool isContinuation(const std::string &text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

/// The code points of valid UTF-8; the test fails if the text is not valid.
std::vector<unsigned> codePoints(const std::string &text) {
  std::vector<unsigned> codes;
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xc0 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                                            : 4;
    unsigned code = size == 1 ? first : first & (0xff >> (size + 1));
    for (std::size_t next = 1; next < size; ++next)
      if (isContinuation(text, at + next))
        code = code * 64 + (static_cast<unsigned char>(text[at + next]) & 63);
      else
        code = 0x110000;
    constexpr unsigned least[] = {0x110000, 0, 0x80, 0x800, 0x10000};
    if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      ADD_FAILURE() << "invalid UTF-8 in " << testing::PrintToString(text);
      return codes;
    }
    codes.push_back(code);
    at += size;
  }
  return codes;
}

bool isHarmless(unsigned code) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0))
    return false;
  if (code == 0x61c || code == 0x200e || code == 0x200f || code == 0x2028 || code == 0x2029)
    return false;
  return (code < 0x202a || code > 0x202e) && (code < 0x2066 || code > 0x2069) &&
         (code < 0xe0000 || code > 0xe007f);
}

void expectHarmless(const std::string &shown, const std::string &text) {
  for (const unsigned code : codePoints(shown))
    EXPECT_TRUE(isHarmless(code)) << code << " is left of " << testing::PrintToString(text);
}

void replaceAll(std::string &text, const std::string &old, const std::string &replacement) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += replacement.size())
    text.replace(at, old.size(), replacement);
}

/// The phases of translation before comments are removed.
std::string afterLineSplicing(std::string source, bool trigraphs) {
  if (trigraphs)
    replaceAll(source, "?\?/", "\\");
  for (std::size_t at = 0; (at = source.find('\\', at)) != std::string::npos;) {
    const std::size_t end = source.find_first_not_of(" \t\r", at + 1);
    if (end != std::string::npos && source[end] == '\n')
      source.erase(at, end + 1 - at);
    else
      ++at;
  }
  return source;
}

/// What "\123" and the like mean in a string literal.
std::string valueOfLiteral(const std::string &literal) {
  std::string value;
  for (std::size_t at = 0; at < literal.size(); ++at)
    if (literal[at] == '\\') {
      value += static_cast<char>(std::stoi(literal.substr(at + 1, 3), nullptr, 8));
      at += 3;
    } else {
      value += literal[at];
    }
  return value;
}

} // namespace

TEST(Escaping, LineIsOneLineOfHarmlessCharacters) {
  for (const std::string &text : hostileTexts()) {
    const std::string line = printable(text);
    expectHarmless(line, text);
    EXPECT_EQ(printable(line), line);
  }
}

TEST(Escaping, LineShowsWhatWasThere) {
  EXPECT_EQ(printable("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(printable(std::string("\x1b[2J\0\x7f", 6)), "\\x1b[2J\\x00\\x7f");
  EXPECT_EQ(printable("\x9b"
                      "2J \xc2\x9b"
                      "2J"),
            "\\x9b2J \\u009b2J");
  EXPECT_EQ(printable("\xe2\x80\xaegnp.exe"), "\\u202egnp.exe");
  EXPECT_EQ(printable("\xf3\xa0\x81\xa1"), "\\U000e0061");
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
}

TEST(Escaping, OrdinaryTextIsUnchanged) {
  std::string ascii;
  for (char letter = ' '; letter < 0x7f; ++letter)
    ascii += letter;
  for (const std::string &text :
       {ascii,
        std::string("caf\xc3\xa9 \xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x9a\x80 \xd7\xa9\xd7\x9c"),
        std::string(
            "max c'_p 31 -> 24 sends (lower bound 24); 22.6 % [T = int *, U = a::b<c> &]")}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(escaped(text, TextPlace::JsonDocument), text);
  }
  for (const std::string text :
       {"a / b * c ? d \\ e", "T = int *, U = a::b<c> &", "what?! /usr/include/x.h"})
    EXPECT_EQ(escaped(text, TextPlace::Comment), text);
  EXPECT_EQ(escaped("app.c, 42 [x]", TextPlace::StringLiteral), "app.c, 42 [x]");
  EXPECT_EQ(escaped("p log2 p", TextPlace::Markup), "p log2 p");
}

TEST(Escaping, CommentEndsWhereItsOwnEndIs) {
  for (const std::string &text : hostileTexts()) {
    const std::string comment = escaped(text, TextPlace::Comment);
    expectHarmless(comment, text);
    EXPECT_EQ(escaped(comment, TextPlace::Comment), comment);
    for (const std::string &begin :
         {"/* " + comment, "/* a\n   " + comment, "/* " + comment + "; " + comment})
      for (const std::string &end : {std::string(" */"), "\n   " + comment + " */"})
        for (const bool trigraphs : {false, true}) {
          const std::string source = afterLineSplicing(begin + end, trigraphs);
          EXPECT_EQ(source.find("*/"), source.size() - 2) << testing::PrintToString(text);
          EXPECT_EQ(source.find("/*", 1), std::string::npos) << testing::PrintToString(text);
        }
  }
}

TEST(Escaping, StringLiteralMeansTheSameBytes) {
  for (const std::string &text : hostileTexts()) {
    const std::string literal = escaped(text, TextPlace::StringLiteral);
    expectHarmless(literal, text);
    EXPECT_EQ(literal.find_first_of("\"?"), std::string::npos);
    EXPECT_EQ(valueOfLiteral(literal), text);
  }
}

TEST(Escaping, MarkupHasNoTagAndNoEntityOfTheTextsOwn) {
  for (const std::string &text : hostileTexts()) {
    std::string markup = escaped(text, TextPlace::Markup);
    expectHarmless(markup, text);
    EXPECT_EQ(markup.find_first_of("<>\"'"), std::string::npos);
    for (const auto &[entity, meaning] :
         {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}})
      replaceAll(markup, entity, meaning);
    std::string ampersands = markup;
    replaceAll(ampersands, "&amp;", "");
    EXPECT_EQ(ampersands.find('&'), std::string::npos);
    replaceAll(markup, "&amp;", "&");
    EXPECT_EQ(markup, printable(text));
  }
}

TEST(Escaping, JsonDocumentKeepsItsMeaning) {
  using Json = nlohmann::ordered_json;
  for (const std::string &text : hostileTexts()) {
    const Json document = {{text, 1}, {"list", {text, text}}};
    const std::string dumped = document.dump(2, ' ', false, Json::error_handler_t::replace);
    const std::string json = escaped(dumped, TextPlace::JsonDocument);
    EXPECT_EQ(Json::parse(json), Json::parse(dumped)) << testing::PrintToString(text);
    EXPECT_EQ(escaped(json, TextPlace::JsonDocument), json);
    std::string strings = json;
    replaceAll(strings, "\n", "");
    expectHarmless(strings, text);
  }
  expectHarmless(escaped("\"\x1b\x80\"", TextPlace::JsonDocument), "no JSON");
}

TEST(Escaping, ErrorsAreOneLine) {
  for (const std::string &text : hostileTexts())
    expectHarmless(
        FormatError(text + ":1: found " + sendwright::quoted(text) + ", expected a number").what(),
        text);
  EXPECT_EQ(sendwright::quoted("\x1b[2J"), "'\\x1b[2J'");
  EXPECT_EQ(sendwright::quoted(std::string(61, 'a')), "'" + std::string(60, 'a') + "...'");
  EXPECT_EQ(sendwright::quoted(std::string(59, 'a') + "\xc3\xa9"),
            "'" + std::string(59, 'a') + "...'");
}

TEST(Escaping, FilesInTextTracesComeBack) {
  for (const std::string &text : hostileTexts()) {
    const std::string word = encodeTraceFile(text);
    expectHarmless(word, text);
    EXPECT_EQ(word.find_first_of(" #"), std::string::npos);
    EXPECT_EQ(decodeTraceFile(word), text);
  }
}

} // namespace sendwright
