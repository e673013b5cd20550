// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls of MPI_Sendrecv form a chain whose calls may overlap, and what their arguments are
// read from.

#include "test/tool/sites/SitesFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

using Texts = std::vector<std::string>;

std::string shift(const std::string &out, const std::string &in, const std::string &to = "1") {
  return "MPI_Sendrecv(" + out + ", 1, MPI_INT, " + to + ", 0, " + in +
         ", 1, MPI_INT, 2, 0, c, s);";
}

const std::string first = shift("a", "b"), second = shift("a + 1", "b + 1"),
                  third = shift("&a[2]", "&b[2]");

std::vector<TextChain> chainsIn(const std::string &body, const std::string &before = "",
                                Language language = Language::C) {
  return chainsOf(before +
                      "\nvoid f(int n, int *a, int *b, int *to, MPI_Comm c, MPI_Status *s) { " +
                      body + " }",
                  language);
}

Texts textsIn(const std::string &body, const std::string &before = "",
              Language language = Language::C) {
  Texts texts;
  for (const TextChain &chain : chainsIn(body, before, language))
    texts.push_back(chain.text);
  return texts;
}

TEST(PairwiseChains, CallsInARowAreAChain) {
  const auto chains = chainsIn("n++; " + first + " " + second + " " + third + " n++;");
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].text, first + " " + second + " " + third);
  EXPECT_EQ(chains[0].calls, 3U);
  EXPECT_EQ(chains[0].reads, Texts());
  EXPECT_EQ(chains[0].obstacle, "");
}

TEST(PairwiseChains, OneCallIsNone) {
  EXPECT_EQ(textsIn(first + " n++;"), Texts());
  EXPECT_EQ(textsIn("if (n) { " + first + second + " }"), Texts{first + second});
}

TEST(PairwiseChains, CallsMayBeConditionalAndTheirResultsKept) {
  const std::string chain = "if (n > 0) " + first + " int rc = " + second + " n += rc; " + third;
  EXPECT_EQ(textsIn(chain), Texts{chain});
}

TEST(PairwiseChains, LoopsOfCallsAreChains) {
  const std::string loop = "for (int k = 0; k < 6; k++) " + shift("a + k", "b + k");
  EXPECT_EQ(textsIn(loop), Texts{loop});
  EXPECT_EQ(textsIn("for (int k = 0; k < 6; k++) { " + shift("a + k", "b + k") + " a[k] = 1; }"),
            Texts());
}

TEST(PairwiseChains, NothingMayLookAtWhatIsReceived) {
  for (const std::string between : {"n = b[n];", "other(b);", "if (b[n]) n++;", "MPI_Barrier(c);",
                                    "b[1] = 3;", "s->MPI_TAG++;", "while (n--) a++;"})
    EXPECT_EQ(textsIn(first + between + second, "void other(int *);"), Texts()) << between;
  EXPECT_EQ(textsIn(first + shift("a", "b", "b[n]")), Texts());
}

TEST(PairwiseChains, TheRuntimeIsToldWhatArgumentsAreReadFrom) {
  const std::string before =
      "static int west, ranks[6]; static int *rows[3]; struct mesh { int up; "
      "int *data; }; static struct mesh grid; extern struct mesh *far;";
  const auto reads = [&](const std::string &to) {
    const auto chains = chainsIn(first + shift("a", "b + 1", to), before);
    return chains.empty() ? Texts{"none"} : chains[0].reads;
  };
  EXPECT_EQ(reads("n + 1"), Texts());
  EXPECT_EQ(reads("west"), Texts{"west"});
  EXPECT_EQ(reads("ranks[n]"), Texts{"ranks"});
  EXPECT_EQ(reads("grid.up"), Texts{"grid"});
  EXPECT_EQ(reads("to[3]"), Texts{"to[3]"});
  EXPECT_EQ(reads("*to"), Texts{"*to"});
  EXPECT_EQ(reads("to[n]"), Texts{"none"});
  EXPECT_EQ(reads("far->up"), Texts{"none"});
  const auto rows = chainsIn(first + shift("rows[1]", "&rows[2][4]"), before);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].reads, Texts{"rows"});
}

TEST(PairwiseChains, VariablesThatOthersMayReachAreCompared) {
  EXPECT_EQ(chainsIn("int next = n; other(&next); " + first + shift("a", "b + 1", "next"),
                     "void other(int *);")[0]
                .reads,
            Texts{"next"});
  EXPECT_EQ(textsIn(first + "int next = n; " + shift("a", "&next") + shift("a", "b + 1", "next")),
            Texts{first + "int next = n; " + shift("a", "&next")});
}

TEST(PairwiseChains, APointerThatIsSetLeadsElsewhere) {
  EXPECT_EQ(textsIn(first + "to++; " + shift("a", "b + 1", "*to")), Texts());
}

TEST(PairwiseChains, MethodsReadTheirObject) {
  const auto chains =
      chainsOf("struct S { int up, n; int *a, *b; void m(MPI_Comm c, MPI_Status *s) { " +
                   shift("a", "b", "up") + shift("a + n", "b + n", "up") + " } };",
               Language::Cxx);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].reads, Texts{"*this"});
}

TEST(PairwiseChains, TemplatesHaveNone) {
  EXPECT_EQ(chainsOf("template <class T> void f(T *a, T *b, MPI_Comm c, MPI_Status *s) { " + first +
                         second +
                         " }\nvoid g(int *a, MPI_Comm c, MPI_Status *s) { f(a, a, c, s); }",
                     Language::Cxx)
                .size(),
            0U);
}

TEST(PairwiseChains, ChainsAreOnlyFoundWhereTheyAreWanted) {
  EXPECT_EQ(blocksOf("void f(int *a, int *b, MPI_Comm c, MPI_Status *s) { " + first + second + " }")
                .size(),
            0U);
}

} // namespace
