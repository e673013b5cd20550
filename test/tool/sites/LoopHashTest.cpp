// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a loop another loop to a profile or plan, and what does not.

#include "test/tool/sites/SitesFixture.h"

#include <gtest/gtest.h>

#include <set>

using namespace sendwright;
using namespace sendwright::test;

namespace {

const char *const hashedLoop = "for (i = 0; i < n; i++)\n  send(to[i], \"a b\", 1.5);";

TEST(LoopHash, SpaceAndCommentsDoNotCount) {
  for (const char *same : {
           "for(i=0;i<n;i++)send(to[i],\"a b\",1.5);",
           "for (i = 0; i < n; i++)\r\n\tsend(to[i], \"a b\", 1.5);\r\n",
           "  for /* all */ (i = 0; i < n; i++) // of them\n\n\n\t\tsend ( to [ i ] , \"a b\" , "
           "1.5 ) ;",
           "for (i = 0; i < n; i++) /* \xc3\xa4\xe2\x82\xac */ send(to[i], \"a b\", 1.5); // \xff",
       })
    EXPECT_EQ(hashOf(same), hashOf(hashedLoop)) << same;
}

TEST(LoopHash, EveryTokenCounts) {
  std::set<std::uint64_t> hashes = {hashOf(hashedLoop)};
  std::size_t texts = 1;
  for (const char *other : {
           "for (j = 0; j < n; j++)\n  send(to[j], \"a b\", 1.5);", // another variable
           "for (i = 1; i < n; i++)\n  send(to[i], \"a b\", 1.5);", // a number
           "for (i = 0; i <= n; i++)\n  send(to[i], \"a b\", 1.5);",
           "for (i = 0; i < n; ++i)\n  send(to[i], \"a b\", 1.5);",  // the same in another order
           "for (i = 0; i < n; i++)\n  send(to[i], \"a  b\", 1.5);", // space in a string is text
           "for (i = 0; i < n; i++)\n  send(to[i], \"a b\", 1. 5);", // two tokens instead of one
           "for (i = 0; i < n; i++)\n  send(to[i], \"a b\", 1.5);;",
           "for (i = 0; i < n; i++) {\n  send(to[i], \"a b\", 1.5); }",
           "for (i = 0; i < n; i++)\n#pragma omp critical\n  send(to[i], \"a b\", 1.5);",
           "for (i = 0; i < n; i++)\n  Send(to[i], \"a b\", 1.5);",
           "for (i = 0; i < n; i++)\n  s\xc3\xa9nd(to[i], \"a b\", 1.5);",
           "",
       }) {
    hashes.insert(hashOf(other));
    EXPECT_EQ(hashes.size(), ++texts) << other;
  }
}

TEST(LoopHash, TokensThatTouchAreNotThoseThatDoNot) {
  EXPECT_NE(hashOf("a + +b"), hashOf("a ++b"));
  EXPECT_NE(hashOf("int x"), hashOf("intx"));
  EXPECT_EQ(hashOf("a+ + b"), hashOf("a + +b"));
}

/// As `clang -E` writes them, and ccache with it.
TEST(LoopHash, LineMarkersOfAPreprocessorDoNotCount) {
  EXPECT_EQ(hashOf("for (;;)\n# 12 \"app.c\"\n  f();"), hashOf("for (;;)\n  f();"));
  EXPECT_EQ(hashOf("for (;;)\n# 12 \"app.c\" 2 3\n# 1 \"b.h\" 1\n  f();"), hashOf("for (;;) f();"));
  EXPECT_NE(hashOf("for (;;)\n#line 12\n  f();"), hashOf("for (;;)\n  f();"));
}

TEST(LoopHash, WhatIsACommentOrATokenIsForTheLanguageToSay) {
  const char *const raw = "for (;;) f(R\"(a // b)\");";
  EXPECT_NE(hashOf(raw, Language::Cxx), hashOf("for (;;) f(R\"(a // c)\");", Language::Cxx));
}

/// Profiles and plans hold these numbers. Where this fails, no plan fits any source any more.
TEST(LoopHash, IsTheNumberThatOlderProfilesHold) {
  EXPECT_EQ(hashOf("for (int i = 0; i < n; ++i)\n  MPI_Send(b, 1, MPI_INT, i, 0, c);"),
            7682869001041285703U);
}

} // namespace
