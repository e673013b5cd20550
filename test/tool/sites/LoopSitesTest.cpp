// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops are sites, and what identifies each.

#include "test/tool/sites/SitesFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

using Texts = std::vector<std::string>;

template <typename Site> Texts textsOf(const std::vector<Site> &sites) {
  Texts texts;
  for (const Site &site : sites)
    texts.push_back(site.text);
  return texts;
}

/// True where a profile of the one finds the other, in spite of the line.
bool sameSite(const TextSite &left, const TextSite &right) {
  const SiteIdentity &a = left.identity, &b = right.identity;
  return a.file == b.file && a.function == b.function && a.hash == b.hash && a.ordinal == b.ordinal;
}

const std::string sendInLoop = "MPI_Send(b, 1, MPI_INT, i, 0, c);";
const std::string headOfFunction = "void f(int n, int *b, MPI_Comm c) { ";

TEST(LoopSites, EachKindOfLoopIsOne) {
  EXPECT_EQ(
      textsOf(loopsOf(
          "void f(int n) { while (n--) ; do n++; while (n < 3); for (;;) break; if (n) return; }")),
      (Texts{"while (n--) ;", "do n++; while (n < 3);", "for (;;) break;"}));
  EXPECT_EQ(textsOf(loopsOf("void f() { int a[3]; for (int x : a) (void)x; }", Language::Cxx)),
            Texts{"for (int x : a) (void)x;"});
}

/// It makes one statement of several, in macros above all.
TEST(LoopSites, ABodyThatRunsOnceIsNoLoop) {
  EXPECT_EQ(textsOf(loopsOf("void f(int n) { do { n--; } while (0); do n--; while (1); }")),
            Texts{"do n--; while (1);"});
}

TEST(LoopSites, LinesBeforeALoopAndItsOwnLayoutMoveNothingButItsLine) {
  const auto before =
      loopsOf(headOfFunction + "int i;\nfor (i = 0; i < n; i++) { " + sendInLoop + " } }");
  const auto after = loopsOf("/* new */\nint other(int x) { while (x) x--; return x; }\n\n" +
                             headOfFunction + "int i; // counts\nfor (i = 0; i < n; i++)\n{\n\t" +
                             sendInLoop + " /* once */\n}\n}");
  ASSERT_EQ(before.size(), 1U);
  ASSERT_EQ(after.size(), 2U);
  EXPECT_EQ(before[0].identity.line, 2U);
  EXPECT_EQ(after[1].identity.line, 5U);
  EXPECT_TRUE(sameSite(before[0], after[1]));
}

TEST(LoopSites, AnEditMakesAnotherLoopOfItAndOfThoseAroundIt) {
  const auto source = [](const std::string &step) {
    return "void f(int n) { int i, j; for (i = 0; i < n; i++) { for (j = 0; j < n; " + step +
           ") ; } for (i = 0; i < 9; i++) ; }";
  };
  const auto before = loopsOf(source("j++")), after = loopsOf(source("j += 2"));
  ASSERT_EQ(before.size(), 3U);
  ASSERT_EQ(after.size(), 3U);
  EXPECT_FALSE(sameSite(before[0], after[0]));
  EXPECT_FALSE(sameSite(before[1], after[1]));
  EXPECT_TRUE(sameSite(before[2], after[2]));
}

TEST(LoopSites, AnOuterLoopComesBeforeThoseInIt) {
  EXPECT_EQ(
      textsOf(loopsOf("void f(int n) { while (n) { do n--; while (n > 5); for (; n;) n--; } }")),
      (Texts{"while (n) { do n--; while (n > 5); for (; n;) n--; }", "do n--; while (n > 5);",
             "for (; n;) n--;"}));
}

TEST(LoopSites, EqualLoopsOnOneLineAreToldApartByTheirOrder) {
  const auto found = loopsOf("void f(int n) { while (n) n--; while (n) n++; while (n)  n--; }\n"
                             "void g(int n) { while (n) n--; }");
  ASSERT_EQ(found.size(), 4U);
  const auto ordinal = [&](std::size_t index) { return found[index].identity.ordinal; };
  EXPECT_EQ(ordinal(0), 0U);
  EXPECT_EQ(ordinal(1), 0U);
  EXPECT_EQ(ordinal(2), 1U);
  EXPECT_EQ(ordinal(3), 0U);
  EXPECT_EQ(found[0].identity.hash, found[2].identity.hash);
  EXPECT_EQ(found[0].identity.hash, found[3].identity.hash);
  EXPECT_NE(found[0].identity.hash, found[1].identity.hash);
  EXPECT_EQ(found[2].identity.function, "f");
  EXPECT_EQ(found[3].identity.function, "g");
}

/// What a macro stands for may change: the loop's text has not.
TEST(LoopSites, MacrosAreNotExpanded) {
  const std::string use = "void f(void) { int i; for (i = 0; i < COUNT; i++) STEP; }";
  const auto some = loopsOf("#define COUNT 3\n#define STEP (void)0\n" + use);
  const auto others = loopsOf("#define COUNT 4\n#define STEP (void)1\n" + use);
  ASSERT_EQ(some.size(), 1U);
  ASSERT_EQ(others.size(), 1U);
  EXPECT_TRUE(sameSite(some[0], others[0]));
}

TEST(LoopSites, ALoopOfATemplateIsOneSiteWithAnInstanceForEachInstantiation) {
  const std::string pattern = "template <class T> void f(T n) { while (n) n--; }\n";
  const auto unused = loopsOf(pattern, Language::Cxx);
  const auto used = loopsOf(pattern + "void g() { f(1); f(2L); f(3); }", Language::Cxx);
  ASSERT_EQ(unused.size(), 1U);
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(unused[0].instances, 0U);
  EXPECT_EQ(used[0].instances, 2U);
  EXPECT_TRUE(unused[0].inTemplate);
  EXPECT_TRUE(used[0].inTemplate);
  EXPECT_EQ(used[0].identity.function, "f");
  EXPECT_TRUE(sameSite(unused[0], used[0]));
  const auto plain = loopsOf("void f(int n) { while (n) n--; }", Language::Cxx);
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_FALSE(plain[0].inTemplate);
  EXPECT_EQ(plain[0].instances, 1U);
}

TEST(LoopSites, FunctionsAreNamedByWhatIsAroundThem) {
  const auto found =
      loopsOf("namespace a { struct S { template <class T> void m(T n) { while (n) n--; }\n"
              "  S() { for (;;) break; }\n  ~S() { while (true) break; } }; }\n"
              "void g(int n) { auto l = [](int k) { while (k) k--; }; l(n); }\n"
              "namespace { void h(int n) { while (n) n -= 2; } }",
              Language::Cxx);
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0].identity.function, "a::S::m");
  EXPECT_EQ(found[1].identity.function, "a::S::S");
  EXPECT_EQ(found[2].identity.function, "a::S::~S");
  EXPECT_EQ(found[3].identity.function, "g::lambda");
  EXPECT_EQ(found[4].identity.function, "(anonymous)::h");
}

/// Of a generated file, as the compiler's messages do.
TEST(LoopSites, LineDirectivesSayWhereALoopIs) {
  const auto found = loopsOf("#line 40 \"app.y\"\nvoid f(int n) {\nwhile (n) n--; }");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].identity.file, "app.y");
  EXPECT_EQ(found[0].identity.line, 41U);
}

TEST(LoopSites, LoopsOfSystemHeadersAreNoSites) {
  EXPECT_EQ(textsOf(loopsOf("void f(int n) { while (n) n--; }\n# 1 \"vector\" 1 3\n"
                            "void g(int n) { while (n) n -= 2; }\n# 3 \"input.c\" 2\n"
                            "void h(int n) { while (n) n -= 3; }")),
            (Texts{"while (n) n--;", "while (n) n -= 3;"}));
}

} // namespace
