// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the text of a loop begins and ends: what is put around it must fall on neither side of
// that.

#include "test/tool/sites/SitesFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

/// The text of the only loop of a function with that body, where text can be put around it; else
/// the obstacle.
std::string textIn(const std::string &body, const std::string &before = "") {
  const auto found =
      loopsOf(before + "\nvoid g(const char *);\nvoid f(int n, int m) { " + body + " }");
  if (found.size() != 1)
    return std::to_string(found.size()) + " loops";
  return found[0].obstacle.empty() ? found[0].text : "obstacle: " + found[0].obstacle;
}

TEST(LoopText, EndsWithItsBraceOrItsSemicolon) {
  EXPECT_EQ(textIn("n++; while (n) { n--; } n = 0;"), "while (n) { n--; }");
  EXPECT_EQ(textIn("while (n) n--; n = 0;"), "while (n) n--;");
  EXPECT_EQ(textIn("while (n) ; n = 0;"), "while (n) ;");
  EXPECT_EQ(textIn("do n--; while (n) /* why */ ; n = 0;"), "do n--; while (n) /* why */ ;");
  EXPECT_EQ(textIn("while (n) n-- // not yet\n ; n = 0;"), "while (n) n-- // not yet\n ;");
}

TEST(LoopText, EndsWhereTheLastStatementInItDoes) {
  EXPECT_EQ(textIn("while (n) if (m) n--; else n -= 2; n = 0;"),
            "while (n) if (m) n--; else n -= 2;");
  EXPECT_EQ(textIn("while (n) if (m) { n--; } else { n = 0; } n = 0;"),
            "while (n) if (m) { n--; } else { n = 0; }");
  EXPECT_EQ(textIn("while (n) switch (m) case 1: n--; n = 0;"),
            "while (n) switch (m) case 1: n--;");
  EXPECT_EQ(textIn("while (n) again: { n--; } n = 0;"), "while (n) again: { n--; }");
  EXPECT_EQ(textIn("while (n) switch (m) { case 1: n--; } n = 0;"),
            "while (n) switch (m) { case 1: n--; }");
  EXPECT_EQ(textIn("while (n) again: n--; n = 0;"), "while (n) again: n--;");
}

TEST(LoopText, IsCountedInBytes) {
  EXPECT_EQ(textIn("/* \xc3\xa4\xf0\x9f\x8c\x8a */ while (n) { g(\"\xe2\x82\xac\"); n--; } n = 0;"),
            "while (n) { g(\"\xe2\x82\xac\"); n--; }");
  EXPECT_EQ(textIn("\twhile (n)\r\n\t{\r\n\t\tn--;\r\n\t}\r\n\tn = 0;\r\n"),
            "while (n)\r\n\t{\r\n\t\tn--;\r\n\t}");
  EXPECT_EQ(textIn("while (n) \\\r\n n--; \\\n n = 0;"), "while (n) \\\r\n n--;");
  const auto marked = loopsOf("\xef\xbb\xbfvoid f(int n) { while (n) n--; }");
  ASSERT_EQ(marked.size(), 1U);
  EXPECT_EQ(marked[0].text, "while (n) n--;");
}

TEST(LoopText, AMacroThatIsItsHeadOrItsLastCallIsNoObstacle) {
  EXPECT_EQ(textIn("EACH(n) { n--; } n = 0;", "#define EACH(x) while (x)"), "EACH(n) { n--; }");
  EXPECT_EQ(textIn("while (n) CHECK(n--); n = 0;", "#define CHECK(x) (void)(x)"),
            "while (n) CHECK(n--);");
  EXPECT_EQ(textIn("while (n) CHECK(n--) n = 0;", "#define CHECK(x) (void)(x);"),
            "while (n) CHECK(n--)");
  EXPECT_EQ(textIn("while (n) { CHECK(n--) } n = 0;", "#define CHECK(x) (void)(x);"),
            "while (n) { CHECK(n--) }");
}

TEST(LoopText, AMacroThatHoldsPartOfItIsAnObstacle) {
  const std::string obstacle = "obstacle: the loop is written in a macro";
  EXPECT_EQ(textIn("ALL(n) n = 0;", "#define ALL(x) while (x) x--;"), obstacle);
  EXPECT_EQ(textIn("BOTH(n) n = 0;", "#define BOTH(x) m++; while (x) x--;"), obstacle);
  EXPECT_EQ(textIn("BEGIN n--; n = 0;", "#define BEGIN m = 1; while (n)"), obstacle);
  EXPECT_EQ(textIn("while (n) TWO n = 0;", "#define TWO n--; n = 1;"), obstacle);
}

TEST(LoopText, APragmaBelongsToTheTokenBehindIt) {
  EXPECT_EQ(pragmaBefore("n = 1;\n#pragma omp parallel for\nfor (;;) ;", "for (;;)"),
            "omp parallel for");
  EXPECT_EQ(pragmaBefore("#pragma unroll 4\n/* four */\n\nwhile (n) ;", "while"), "unroll 4");
  EXPECT_EQ(pragmaBefore("#pragma unroll 4\nn = 1; while (n) ;", "while"), "");
  EXPECT_EQ(pragmaBefore("#pragma once\n#pragma GCC diagnostic push\nwhile (n) ;", "while"), "");
  EXPECT_EQ(pragmaBefore("_Pragma(\"omp simd\") while (n) ;", "while").empty(), false);
  EXPECT_EQ(pragmaBefore("#define X 1\nwhile (n) ;", "while"), "");
}

} // namespace
