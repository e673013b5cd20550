// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of statements are judged by the rules for loops: what may stand between sends that are
// deferred, and when a send's buffer needs a copy.

#include "test/tool/legality/LegalityFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

/// Three sends of one value with a statement between them.
std::string around(const std::string &between) {
  return "MPI_Isend(b, 1, MPI_DOUBLE, to[0], 0, c, r); " + between +
         " if (n > 1) MPI_Isend(b + 1, 1, MPI_DOUBLE, to[1], 0, c, r + 1);"
         " MPI_Isend(b + 2, 1, MPI_DOUBLE, to[2], 0, c, r + 2);";
}

TEST(LegalityBlock, PlainStatementsAreFine) {
  EXPECT_EQ(refusalOfBlock(around("")), "");
  EXPECT_EQ(refusalOfBlock(around("for (int i = 3; i < n; i++) b[i] = i;")), "");
  EXPECT_EQ(refusalOfBlock(around("MPI_Irecv(b + 9, 1, MPI_DOUBLE, 0, 0, c, r + 3);")), "");
  EXPECT_EQ(refusalOfBlock(around("if (n < 0) return;")), "");
}

TEST(LegalityBlock, WhatWaitsOutsideOfMpiMayNotStandBetweenItsSends) {
  EXPECT_EQ(refusalOfBlock(around("usleep(3);"), "#include <unistd.h>"),
            "calls usleep, which may wait outside MPI");
  EXPECT_EQ(refusalOfBlock(around("other(n);"), "void other(int);"),
            "calls other, which was not compiled with the plugin");
  EXPECT_EQ(refusalOfBlock(around("while (!ready) ;"), "extern volatile int ready;"),
            "reads the volatile 'ready' in a loop condition");
  EXPECT_EQ(refusalOfBlock(around("__asm__ volatile(\"pause\");")), "contains inline assembly");
}

TEST(LegalityBlock, TheSameBesideItIsNoObstacle) {
  EXPECT_EQ(refusalOfBlock("usleep(3); " + around("") + " usleep(4);", "#include <unistd.h>"), "");
}

TEST(LegalityBlock, JumpsBackwardsMayNotEnd) {
  EXPECT_EQ(refusalOfBlock(around("again: if (n-- > 2) goto again;")), "jumps backwards by goto");
}

/// Blocking sends return when their buffers may be used again.
TEST(LegalityBlock, ABufferThatIsOverwrittenIsCopied) {
  const auto stable = [](const std::string &between) {
    return judgeBlock(
               "void exchange(double *restrict b, int *n, MPI_Comm c) { double own[2] = {0}; "
               "MPI_Send(own, 1, MPI_DOUBLE, 0, 0, c); " +
               between +
               " MPI_Send(own, 1, MPI_DOUBLE, 1, 0, c); MPI_Send(own, 1, MPI_DOUBLE, 2, 0, c); }")
        .stableBuffers;
  };
  EXPECT_TRUE(stable(""));
  EXPECT_TRUE(stable("int i; for (i = 0; i < 3; i++) ;"));
  EXPECT_FALSE(stable("own[0] = 3;"));
  EXPECT_FALSE(stable("own[1]++;"));
}

} // namespace
