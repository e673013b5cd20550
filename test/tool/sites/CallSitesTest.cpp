// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls of MPI are sites, and which statement is all one call.

#include "test/tool/sites/SitesFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

using Names = std::vector<std::string>;

/// The MPI functions of the calls in a function's body: with "*" in a macro.
Names callsIn(const std::string &body, const std::string &before = "",
              Language language = Language::C) {
  Names names;
  for (const TextCall &call :
       callsOf(before + "\nvoid f(int n, int *b, MPI_Comm c) { " + body + " }", language))
    names.push_back(call.function + (call.inMacro ? "*" : ""));
  return names;
}

const std::string sendCall = "MPI_Send(b, 1, MPI_INT, n, 0, c)";
const std::string receiveCall = "MPI_Recv(b, 1, MPI_INT, n, 0, c, 0)";

TEST(CallSites, AreDirectCallsThatCanBeStepsInTheOrderOfTheText) {
  EXPECT_EQ(callsIn(receiveCall + "; if (n) " + sendCall +
                    "; while (n--) MPI_Bcast(b, 1, MPI_INT, 0, c);"),
            (Names{"MPI_Recv", "MPI_Send", "MPI_Bcast"}));
  EXPECT_EQ(callsIn("MPI_Comm_rank(c, b); MPI_Wtime(); PMPI_Send(b, 1, MPI_INT, n, 0, c);"),
            Names{});
  EXPECT_EQ(callsIn("int (*p)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;\n"
                    "p(b, 1, MPI_INT, n, 0, c);"),
            Names{});
}

TEST(CallSites, AFunctionOfTheProgramIsNotMpis) {
  EXPECT_EQ(callsIn("library::MPI_Send(n);", "namespace library { void MPI_Send(int) {} }",
                    Language::Cxx),
            Names{});
  EXPECT_EQ(callsIn("MPI_Sendfile(n);", "void MPI_Sendfile(int);"), Names{});
}

TEST(CallSites, WhatIsNotEvaluatedIsNoCall) {
  EXPECT_EQ(callsIn("n = sizeof(" + sendCall + "); __typeof__(" + sendCall + ") x = 0; (void)x;"),
            Names{});
  EXPECT_EQ(callsIn("n = _Generic(" + sendCall + ", int: " + receiveCall +
                    ", default: " + sendCall + ");"),
            Names{"MPI_Recv"});
  EXPECT_EQ(callsIn("n = __builtin_choose_expr(0, " + sendCall + ", " + receiveCall + ");"),
            Names{"MPI_Recv"});
  EXPECT_EQ(callsIn("n = noexcept(" + sendCall + "); decltype(" + sendCall + ") x = 0; (void)x;",
                    "", Language::Cxx),
            Names{});
}

TEST(CallSites, ACallInAMacroIsOneOnlyWhereTheMacroIsAStatementOfIt) {
  EXPECT_EQ(callsIn("CHECK(" + sendCall + ");",
                    "#define CHECK(x) do { int e = (x); if (e) g(e); } while (0)\nvoid g(int);"),
            Names{"MPI_Send*"});
  EXPECT_EQ(callsIn("SEND;", "#define SEND " + sendCall), Names{});
  EXPECT_EQ(callsIn("TWICE(" + sendCall + ");", "#define TWICE(x) do { x; x; } while (0)"),
            Names{});
  // Arguments from macros are as good as others.
  EXPECT_EQ(callsIn("MPI_Send(b, ONE, MPI_INT, n, 0, c);", "#define ONE 1"), Names{"MPI_Send"});
}

TEST(CallSites, CallsOfALambdaAreItsOwn) {
  const auto found = callsOf("void f(int n, int *b, MPI_Comm c) { " + sendCall +
                                 ";\nauto l = [=] { " + receiveCall + "; }; l(); }",
                             Language::Cxx);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].identity.function, "f");
  EXPECT_EQ(found[1].identity.function, "f::lambda");
  EXPECT_EQ(found[1].identity.line, 2U);
  EXPECT_EQ(found[1].instances, 1U);
}

TEST(CallSites, AStatementIsAllOfACallButForWhereItsResultGoes) {
  const auto statement = [](const std::string &body) -> std::string {
    const auto found = callsOf("int f(int n, int *b, MPI_Comm c) { " + body + " return 0; }");
    if (found.size() != 1)
      return std::to_string(found.size()) + " calls";
    return found[0].isStatement ? found[0].statement : "part of something larger";
  };
  EXPECT_EQ(statement(sendCall + ";"), sendCall);
  EXPECT_EQ(statement("n = " + sendCall + ";"), "n = " + sendCall);
  EXPECT_EQ(statement("n = *b = (" + sendCall + ");"), "n = *b = (" + sendCall);
  EXPECT_EQ(statement("(void)" + sendCall + ";"), "(void)" + sendCall);
  EXPECT_EQ(statement("{ return " + sendCall + "; }"), "return " + sendCall);
  const std::string larger = "part of something larger";
  EXPECT_EQ(statement("if (n) " + sendCall + ";"),
            larger); // no statement fits before it without a brace
  EXPECT_EQ(statement("if (" + sendCall + ") n = 0;"), larger);
  EXPECT_EQ(statement("n = 1 + " + sendCall + ";"), larger);
  EXPECT_EQ(statement("int e = " + sendCall + "; (void)e;"), larger);
  EXPECT_EQ(statement("n += " + sendCall + ";"), larger);
}

TEST(CallSites, TheTextOfACallIsItsOwn) {
  const auto found =
      callsOf("void f(int n, int *b, MPI_Comm c) {\r\n\tn = MPI_Send(b, 1, /* \xc3\xbc */\r\n"
              "\t\tMPI_INT, n, 0, c) + 1; }");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "MPI_Send(b, 1, /* \xc3\xbc */\r\n\t\tMPI_INT, n, 0, c)");
  EXPECT_EQ(found[0].identity.line, 2U);
  const auto again =
      callsOf("void f(int n, int *b, MPI_Comm c) { n = MPI_Send(b, 1, MPI_INT, n, 0, c) + 1; }");
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].identity.hash, found[0].identity.hash);
}

TEST(CallSites, EqualCallsOnOneLineAreToldApartByTheirOrder) {
  const auto found = callsOf("void f(int n, int *b, MPI_Comm c) { " + sendCall + "; " +
                             receiveCall + "; " + sendCall + "; }");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].identity.ordinal, 0U);
  EXPECT_EQ(found[1].identity.ordinal, 0U);
  EXPECT_EQ(found[2].identity.ordinal, 1U);
  EXPECT_EQ(found[0].identity.hash, found[2].identity.hash);
}

TEST(CallSites, ACallOfATemplateIsOneSiteWithAnInstanceForEachInstantiation) {
  const std::string pattern =
      "template <class T> void f(T n, int *b, MPI_Comm c) { " + sendCall + "; }\n";
  const auto unused = callsOf(pattern, Language::Cxx);
  const auto used =
      callsOf(pattern + "void g(int *b, MPI_Comm c) { f(1, b, c); f('a', b, c); }", Language::Cxx);
  ASSERT_EQ(unused.size(), 1U);
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(unused[0].instances, 0U);
  EXPECT_EQ(used[0].instances, 2U);
  EXPECT_TRUE(used[0].inTemplate);
}

} // namespace
