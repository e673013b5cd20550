// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which statements form a block that is a site, and why no scope may be put around some of them.

#include "test/tool/sites/SitesFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

/// An immediate send; all sends of a test go to different places.
std::string sendTo(const std::string &destination) {
  return "MPI_Isend(b, 1, MPI_INT, " + destination + ", 0, c, &r[" + destination + "]);";
}

const std::string low = sendTo("0"), middle = sendTo("1"), high = sendTo("2");
const std::string wait = "MPI_Waitall(3, r, 0);";

std::string function(const std::string &body, const std::string &before = "") {
  return before +
         "\nvoid f(int n, int *b, int *to, MPI_Comm c, MPI_Request *r, MPI_Request *q) { " + body +
         " }";
}

/// The texts of the blocks in the body of a function.
std::vector<std::string> blocksIn(const std::string &body, const std::string &before = "",
                                  Language language = Language::C) {
  std::vector<std::string> texts;
  for (const TextBlock &block : blocksOf(function(body, before), language))
    texts.push_back(block.text);
  return texts;
}

using Texts = std::vector<std::string>;

/// The only block of a function's body.
TextBlock blockIn(const std::string &body, const std::string &before = "",
                  Language language = Language::C) {
  const auto blocks = blocksOf(function(body, before), language);
  EXPECT_EQ(blocks.size(), 1U) << body;
  return blocks.empty() ? TextBlock() : blocks.front();
}

TEST(StatementBlocks, ABlockReachesFromTheFirstSendToTheLast) {
  const TextBlock block = blockIn("n++; " + low + " n++; " + middle + " " + high + " n++; " + wait);
  EXPECT_EQ(block.text, low + " n++; " + middle + " " + high);
  EXPECT_EQ(block.sends, 3U);
  EXPECT_FALSE(block.declares);
  EXPECT_EQ(block.obstacle, "");
  EXPECT_EQ(block.identity.function, "f");
}

TEST(StatementBlocks, SendsMayBeConditional) {
  const std::string conditional =
      "if (n > 0) " + low + " if (n < 9) { n++; " + middle + " } else " + high;
  EXPECT_EQ(blocksIn(conditional + " " + wait), Texts{conditional});
  EXPECT_EQ(blocksIn("if (n) { n--; " + low + middle + high + " }"), Texts{low + middle + high});
}

TEST(StatementBlocks, TwoSendsAreTooFew) {
  EXPECT_EQ(blocksIn(low + middle + wait), Texts());
  EXPECT_EQ(blocksIn("if (n) { " + low + middle + high + " }").size(), 1U);
}

TEST(StatementBlocks, OneDestinationIsNoChoice) {
  EXPECT_EQ(blocksIn(sendTo("n") + sendTo("n") + sendTo("n")), Texts());
  EXPECT_EQ(blocksIn(sendTo("to[n]") + sendTo("to[n]") + sendTo("to[n]")), Texts());
}

TEST(StatementBlocks, ADestinationThatIsSetBetweenSendsVaries) {
  const std::string block = sendTo("n") + " n = 4; " + sendTo("n") + " n = 2; " + sendTo("n");
  EXPECT_EQ(blocksIn(block), Texts{block});
  const std::string steps = sendTo("*to++") + sendTo("*to++") + sendTo("*to++");
  EXPECT_EQ(blocksIn(steps), Texts{steps});
}

TEST(StatementBlocks, WhatEndsABatchEndsABlock) {
  const std::string block = low + middle + high;
  for (const std::string &between :
       {wait, std::string("MPI_Bcast(b, 1, MPI_INT, 0, c);"),
        std::string("if (n) MPI_Recv(b, 1, MPI_INT, 0, 0, c, 0);"),
        std::string("MPI_Request_free(q);"), std::string("MPI_Ssend(b, 1, MPI_INT, 5, 0, c);")}) {
    EXPECT_EQ(blocksIn(block + between + block), (Texts{block, block})) << between;
    EXPECT_EQ(blocksIn(low + middle + between + high), Texts()) << between;
  }
}

TEST(StatementBlocks, PostedReceivesAndQueriesAreInIt) {
  const std::string block =
      low + " MPI_Irecv(to, 1, MPI_INT, 0, 0, c, q); " + middle + " MPI_Comm_rank(c, &n); " + high;
  EXPECT_EQ(blocksIn(block + wait), Texts{block});
}

TEST(StatementBlocks, BlockingAndPersistentSendsCount) {
  const std::string block =
      "MPI_Send(b, 1, MPI_INT, 4, 0, c); MPI_Start(&r[0]); MPI_Startall(2, q);";
  EXPECT_EQ(blocksIn(block + wait), Texts{block});
}

TEST(StatementBlocks, ACallThatStartsSeveralRequestsIsABlock) {
  const std::string startAll = "MPI_Startall(n, r);";
  EXPECT_EQ(blocksIn("n++; " + startAll + " n++; " + wait), Texts{startAll});
  EXPECT_EQ(blocksIn("while (n--) { " + startAll + wait + " }"), Texts{startAll});
  EXPECT_EQ(blocksIn("if (n) " + startAll + " else n++; " + wait),
            Texts{"if (n) " + startAll + " else n++;"});
  const std::string both = startAll + " n++; MPI_Startall(n, q);";
  EXPECT_EQ(blocksIn(both + wait), Texts{both});
  EXPECT_EQ(blocksIn("MPI_Start(r); " + wait), Texts());
}

TEST(StatementBlocks, AFunctionThatStartsRequestsHasTheBlockInIt) {
  const std::string before = "void start(int n, MPI_Request *r) { MPI_Startall(n, r); }";
  EXPECT_EQ(blocksIn("start(n, r); " + wait, before), Texts{"MPI_Startall(n, r);"});
}

TEST(StatementBlocks, ALoopOfSuchCallsIsItsOwnSite) {
  EXPECT_EQ(blocksIn("for (int i = 0; i < n; i++) MPI_Startall(n, r + i);" + wait), Texts());
}

TEST(StatementBlocks, ASendLoopAloneIsNoBlock) {
  const std::string loop = "for (; n; n--) " + sendTo("n");
  EXPECT_EQ(blocksIn(loop), Texts());
  EXPECT_EQ(blocksIn("n++; " + loop + " n++; " + wait), Texts());
  EXPECT_EQ(blocksIn("while (n--) { " + low + middle + high + " }"), Texts());
  EXPECT_EQ(blocksIn("while (n--) { " + low + loop + " }"), Texts());
}

TEST(StatementBlocks, SendLoopsInARowAreABlock) {
  const std::string faces = "for (; n; n--) " + sendTo("n"),
                    edges = "while (n++ < 9) " + sendTo("n");
  const TextBlock block = blockIn(faces + " n = 3; " + edges + " n++; " + wait);
  EXPECT_EQ(block.text, faces + " n = 3; " + edges);
  EXPECT_EQ(block.sends, 0U);
  EXPECT_EQ(block.loops, 2U);
  EXPECT_EQ(block.obstacle, "");
  EXPECT_EQ(blocksIn(faces + wait + edges), Texts());
}

TEST(StatementBlocks, SendLoopsAndStatementsAreOneBlock) {
  const std::string loop = "for (; n; n--) " + sendTo("n");
  const TextBlock block = blockIn(low + " " + loop + " if (n) " + middle + wait);
  EXPECT_EQ(block.text, low + " " + loop + " if (n) " + middle);
  EXPECT_EQ(block.sends, 2U);
  EXPECT_EQ(block.loops, 1U);
  EXPECT_EQ(blocksIn(loop + low), Texts{loop + low});
  EXPECT_EQ(blocksIn(low + middle + high + wait + loop), Texts{low + middle + high});
}

TEST(StatementBlocks, SendLoopsMayBeNestedAndInFunctions) {
  const std::string nested = "for (; n < 9; n++) { " + sendTo("n") +
                             " for (int k = 0; k < 3; k++) " + sendTo("n + k") + " }";
  EXPECT_EQ(blocksIn(nested), Texts());
  EXPECT_EQ(blocksIn(nested + low), Texts{nested + low});
  const std::string faces = "static void faces(int n, int *b, MPI_Comm c) "
                            "{ while (n--) MPI_Send(b, 1, MPI_INT, n, 0, c); }\n";
  EXPECT_EQ(blocksIn("faces(3, b, c); faces(9, b, c);", faces),
            Texts{"faces(3, b, c); faces(9, b, c);"});
}

TEST(StatementBlocks, ABlockWithinABlockOfLoopsStaysASite) {
  const std::string loop = "for (; n; n--) " + sendTo("n");
  const std::string outer = "if (n) { " + low + middle + high + " } " + loop;
  EXPECT_EQ(blocksIn(outer), (Texts{outer, low + middle + high}));
}

TEST(StatementBlocks, ALoopThatPacksMayBeInIt) {
  const std::string block = low + " for (; n; n--) b[n] = n; " + middle + high;
  EXPECT_EQ(blocksIn(block), Texts{block});
}

TEST(StatementBlocks, ALoopThatWaitsAfterItsSendsIsNotTheirSite) {
  EXPECT_EQ(blocksIn("while (n--) { " + low + middle + high + wait + " }"),
            Texts{low + middle + high});
}

TEST(StatementBlocks, FunctionsOfTheUnitCountWithWhatTheyDo) {
  const std::string one = "static void one(int *b, int to, MPI_Comm c) "
                          "{ MPI_Send(b, 1, MPI_INT, to, 0, c); }\n";
  const std::string calls = "one(b, 0, c); one(b, 1, c); one(b, 2, c);";
  EXPECT_EQ(blocksIn(calls, one), Texts{calls});
  const std::string waits = "static void waits(MPI_Request *r) { MPI_Wait(r, 0); }\n";
  EXPECT_EQ(blocksIn(low + middle + " waits(r); " + high, waits), Texts());
  EXPECT_EQ(blocksIn(low + middle + " other(r); " + high, "void other(MPI_Request *);\n").size(),
            1U);
}

TEST(StatementBlocks, ALoopThatCallsOtherUnitsMayWaitAfterItsSends) {
  EXPECT_EQ(blocksIn("while (n--) { " + low + middle + high + " other(r); }",
                     "void other(MPI_Request *);\n"),
            Texts{low + middle + high});
}

TEST(StatementBlocks, CallsOfFunctionsThatSendAreABlockAroundThoseInThem) {
  const auto blocks = blocksOf(function(low + middle + high) +
                               "\nvoid g(int *b, int *to, MPI_Comm c, MPI_Request *r) { "
                               "f(1, b, to, c, r, r); f(2, b, to, c, r, r); }");
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[1].sends, 6U);
}

TEST(StatementBlocks, WhatASendLoopCallsBelongsToTheLoop) {
  const auto source = [](const std::string &end) {
    return function(low + middle + high) +
           "\nvoid g(int n, int *b, int *to, MPI_Comm c, MPI_Request *r) { while (n--) { f(n, b, "
           "to, c, "
           "r, r); " +
           end + " } }";
  };
  EXPECT_EQ(blocksOf(source("")).size(), 0U);
  EXPECT_EQ(blocksOf(source(wait)).size(), 1U);
}

TEST(StatementBlocks, ABlockOfACaseEndsBeforeTheNext) {
  EXPECT_EQ(blocksIn("switch (n) { case 0: n++; " + low + middle + high +
                     " break; default: " + low + middle + " }"),
            Texts{low + middle + high});
}

TEST(StatementBlocks, TheValueOfAStatementExpressionStaysItsLastStatement) {
  EXPECT_EQ(blocksIn("n = ({ " + low + middle + " " + high + " });"), Texts());
}

TEST(StatementBlocks, DeclarationsStayVisible) {
  EXPECT_TRUE(blockIn(low + " int count = 1; " + middle + high + " n = count;").declares);
  EXPECT_TRUE(blockIn("int a = " + low + middle + high + " n = a;").declares);
  EXPECT_FALSE(
      blockIn("int a; " + low + " { int count = 1; n = count; } " + middle + high).declares);
}

TEST(StatementBlocks, NothingIsVisibleBehindAReturn) {
  EXPECT_FALSE(blockIn(low + " int count = 1; " + middle + " if (count) n--; return (void)" + high)
                   .declares);
}

TEST(StatementBlocks, NothingMayJumpIntoIt) {
  EXPECT_EQ(blockIn("if (n) goto in; " + low + " in: " + middle + high).obstacle,
            "a goto outside the block jumps into it");
  EXPECT_EQ(blockIn("again: " + low + middle + high + " if (n--) goto again;").obstacle,
            "a goto outside the block jumps into it");
  EXPECT_EQ(
      blockIn("switch (n) { case 0: ; " + low + " if (n) { case 1: " + middle + " } " + high + " }")
          .obstacle,
      "a case label of a switch around the block stands in it");
  EXPECT_EQ(blockIn("void *p = &&in; goto *p; " + low + " in: " + middle + high).obstacle,
            "a computed goto may enter or leave the block");
}

TEST(StatementBlocks, JumpsWithinItAndOutOfItAreNoObstacle) {
  EXPECT_EQ(
      blockIn(low + " if (n) goto out; " + middle + " if (n > 2) return; " + high + " out: n++;")
          .obstacle,
      "");
  EXPECT_EQ(blockIn("for (;;) { " + low + " if (n) break; " + middle + high + wait + " }").obstacle,
            "");
  EXPECT_EQ(blockIn(low + " if (n) goto next; n++; next: " + middle + high).obstacle, "");
}

TEST(StatementBlocks, NoJumpPassesOverAScopeThatACallCloses) {
  const std::string block = low + " int count = 1; " + middle + high;
  EXPECT_EQ(blockIn("if (n) goto out; " + block + wait + " out: n++;").obstacle,
            "a goto outside the statements from there on jumps into it, and the block declares "
            "variables");
  EXPECT_EQ(
      blockIn(low + " int count = 1; if (n) goto out; " + middle + high + " out: n++;").obstacle,
      "a goto leaves the block, which declares variables");
  EXPECT_EQ(blockIn("if (n) { " + block + " } else goto out; out: n++;").obstacle, "");
  EXPECT_EQ(blockIn(low + " int count = 1; if (n) return; " + middle + high).obstacle, "");
}

TEST(StatementBlocks, AMacroMayBeItsFirstOrLastStatement) {
  const std::string check = "#define CHECK(CALL) do { if ((CALL) != 0) return; } while (0)\n";
  const auto checked = [](const std::string &send) {
    return "CHECK(" + send.substr(0, send.size() - 1) + ");";
  };
  const std::string block = checked(low) + " " + checked(middle) + " " + checked(high);
  EXPECT_EQ(blockIn(block, check).text, block);
  EXPECT_EQ(blockIn(block, check).obstacle, "");
}

TEST(StatementBlocks, APartOfAMacroIsNoPlaceForAScope) {
  EXPECT_EQ(blockIn("ALL", "#define ALL n++; " + low + " " + middle + " " + high + "\n").obstacle,
            "the block begins or ends within a macro");
}

TEST(StatementBlocks, LoopsKeepTheirIdentities) {
  const std::string loop = "for (; n; n--) " + sendTo("n");
  const auto alone = loopsOf(function(loop)),
             beside = loopsOf(function(low + middle + high + loop));
  ASSERT_EQ(alone.size(), 1U);
  ASSERT_EQ(beside.size(), 1U);
  EXPECT_EQ(alone[0].identity.hash, beside[0].identity.hash);
  EXPECT_EQ(alone[0].identity.ordinal, beside[0].identity.ordinal);
}

TEST(StatementBlocks, EqualBlocksAreNumbered) {
  const auto blocks = blocksOf(function(low + middle + high + wait + low + middle + high));
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].identity.hash, blocks[1].identity.hash);
  EXPECT_EQ(blocks[0].identity.ordinal, 0U);
  EXPECT_EQ(blocks[1].identity.ordinal, 1U);
}

TEST(StatementBlocks, ABlockOfATemplateHasAnInstanceForEachInstantiation) {
  const std::string pattern = "template <class T> void f(T *b, MPI_Comm c, MPI_Request *r) { "
                              "MPI_Isend(b, 1, MPI_INT, 0, 0, c, "
                              "r); if (b) { MPI_Isend(b + 1, 1, MPI_INT, 1, 0, c, r + 1); } "
                              "MPI_Isend(b, 1, MPI_INT, 2, 0, c, r "
                              "+ 2); }\n";
  const auto unused = blocksOf(pattern, Language::Cxx);
  const auto used =
      blocksOf(pattern + "void g(int *i, MPI_Comm c, MPI_Request *r) { f(i, c, r); }\n"
                         "void h(long *l, int *i, MPI_Comm c, MPI_Request *r) { if (i) f(l, c, r); "
                         "else f(i, c, r); }",
               Language::Cxx);
  ASSERT_EQ(unused.size(), 1U);
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(unused[0].instances, 0U);
  EXPECT_EQ(used[0].instances, 2U);
  EXPECT_TRUE(unused[0].inTemplate);
  EXPECT_TRUE(used[0].inTemplate);
  EXPECT_EQ(unused[0].text, used[0].text);
  EXPECT_EQ(unused[0].identity.hash, used[0].identity.hash);
}

TEST(StatementBlocks, LambdasAndMethodsHaveBlocks) {
  const auto blocks =
      blocksOf("struct S { void m(int *b, MPI_Comm c, MPI_Request *r) { " + low + middle + high +
                   " } };\nvoid g(int *b, MPI_Comm c, MPI_Request *r) "
                   "{ auto all = [&](int n) { n++; " +
                   low + middle + high + " }; all(1); }",
               Language::Cxx);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].identity.function, "S::m");
  EXPECT_EQ(blocks[1].identity.function, "g::lambda");
}

} // namespace
