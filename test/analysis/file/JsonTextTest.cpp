// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about a JSON file name the line of what is wrong.

#include "analysis/file/JsonText.h"
#include "analysis/file/FormatError.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

/// The message of what `read` throws; "" if it throws nothing.
template <typename Read> std::string messageOf(Read read) {
  try {
    read();
  } catch (const FormatError &error) {
    return error.what();
  }
  return "";
}

std::string messageOfParse(const std::string &text) {
  return messageOf([&] { JsonText(text, "f.json").parse("an object"); });
}

} // namespace

TEST(JsonText, WhatIsNoJsonNamesItsPlace) {
  EXPECT_EQ(messageOfParse("{\"a\":\n[1, 2]}"), "");
  EXPECT_EQ(messageOfParse("{\"a\":\n[1, 2}"), "f.json:2: not JSON, expected an object");
  EXPECT_EQ(messageOfParse(""), "f.json:1: not JSON, expected an object");
  EXPECT_EQ(messageOfParse("\n" + std::string(1000, '[')),
            "f.json:2: lists and objects within one another, expected at most 64 levels");
  EXPECT_EQ(messageOfParse("\n1e999"),
            "f.json:1: a number that is too large, expected finite numbers");
}

TEST(JsonText, AWrongValueHasTheLineOfItsKeyBehindWhereTheSearchBegins) {
  const std::string file = "{\"a\": 1,\n\"rows\": [\n{\"a\": 2},\n{\"a\": 3}]}";
  JsonText text(file, "f.json");
  const auto wrong = [&] { return messageOf([&] { text.wrong("a", 7, "text"); }); };
  const auto fail = [&] { return messageOf([&] { text.fail("nothing"); }); };
  EXPECT_EQ(wrong(), "f.json:1: \"a\" is 7, expected text");
  text.searchFromKey("rows");
  EXPECT_EQ(wrong(), "f.json:3: \"a\" is 7, expected text");
  EXPECT_EQ(fail(), "f.json:2: nothing");
  for (const char *line : {"3", "4"}) {
    text.searchFromNext("{");
    EXPECT_EQ(fail(), "f.json:" + std::string(line) + ": nothing");
    EXPECT_EQ(wrong(), "f.json:" + std::string(line) + ": \"a\" is 7, expected text");
  }
  text.searchFromNext("{"); // there is none: the end
  EXPECT_EQ(text.searchStart(), file.size());
  EXPECT_EQ(wrong(), "f.json:4: \"a\" is 7, expected text");
  text.searchFromKey("a");
  EXPECT_EQ(text.searchStart(), file.find("\"a\""));
  EXPECT_EQ(messageOf([&] { text.failAt(file.find("rows"), "these"); }), "f.json:2: these");
}

TEST(JsonText, ALongOrForeignValueIsCutAndEscaped) {
  const std::string file = "{}";
  const std::string message = messageOf(
      [&] { JsonText(file, "f.json").wrong("a", std::string(100, 'x') + "\xff", "text"); });
  EXPECT_EQ(message, "f.json:1: \"a\" is \"" + std::string(59, 'x') + ", expected text");
}
