// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of runs: all messages, those of one site, those of one communicator, in messages and in
// bytes; and sites and communicators that are not there.

#include "analysis/trace/SentMessages.h"

#include "analysis/file/FormatError.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/run/RunBuilder.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

using Row = std::vector<MatrixEntry>;

Profile twoSites() {
  return parseTextTrace("sendwright-trace 1\nranks 4\nrank 0\n"
                        "send 2 bytes=8 site=src/app.c:12\nsend 1 bytes=8 site=src/app.c:12\n"
                        "send 2 bytes=8 site=src/app.c:12\nsend 3 bytes=100 site=src/app.c:40\n"
                        "send null bytes=5\nrank 3\nsend 0 comm=2\nsend 3 comm=2 bytes=7\n",
                        "app.trace");
}

MatrixChoice at(const std::string &file, unsigned line) {
  MatrixChoice choice;
  choice.site = SitePlace{file, line};
  return choice;
}

std::string problem(const Profile &profile, const MatrixChoice &choice) {
  try {
    matrixOfRun(profile, "app.prof", choice);
  } catch (const FormatError &error) {
    return error.what();
  }
  return "";
}

TEST(SentMessages, CountMessagesInTheOrderOfTheFirst) {
  const CommunicationMatrix matrix = matrixOfRun(twoSites(), "app.prof", {});
  ASSERT_EQ(matrix.rows.size(), 4U);
  EXPECT_TRUE(matrix.sizeDeclared);
  EXPECT_EQ(matrix.rows[0], (Row{{2, 2}, {1, 1}, {3, 1}}));
  EXPECT_TRUE(matrix.rows[1].empty());
  EXPECT_EQ(matrix.rows[3], (Row{{0, 1}, {3, 1}}));
}

TEST(SentMessages, CountBytes) {
  MatrixChoice choice;
  choice.bytes = true;
  const CommunicationMatrix matrix = matrixOfRun(twoSites(), "app.prof", choice);
  EXPECT_EQ(matrix.rows[0], (Row{{2, 16}, {1, 8}, {3, 100}}));
}

TEST(SentMessages, OfOneSiteByTheEndOfItsPath) {
  for (const char *file : {"src/app.c", "app.c"})
    EXPECT_EQ(matrixOfRun(twoSites(), "app.prof", at(file, 40)).rows[0], (Row{{3, 1}}));
}

TEST(SentMessages, OfOneCommunicatorInItsRanks) {
  RunBuilder run(4);
  const int site = run.addSite(10), odd = run.addCommunicator({3, 1});
  run.send(3, 1, 8, site, MpiFunctionId::Send, odd);
  run.send(3, 1, 8, site);
  MatrixChoice choice;
  choice.communicator = 1;
  const CommunicationMatrix matrix = matrixOfRun(run.profile, "app.prof", choice);
  ASSERT_EQ(matrix.rows.size(), 2U);
  EXPECT_EQ(matrix.rows[0], (Row{{1, 1}}));
  EXPECT_TRUE(matrix.rows[1].empty());
}

TEST(SentMessages, NumberCommunicatorsAsTextTracesDo) {
  MatrixChoice choice;
  choice.communicator = 2;
  const CommunicationMatrix matrix = matrixOfRun(twoSites(), "app.prof", choice);
  EXPECT_TRUE(matrix.rows[0].empty());
  EXPECT_EQ(matrix.rows[3], (Row{{0, 1}, {3, 1}}));
}

TEST(SentMessages, NameTheNearestSitesOfTheFile) {
  EXPECT_EQ(problem(twoSites(), at("app.c", 35)),
            "app.prof: no loop or block that communicates at app.c:35, expected src/app.c:40, "
            "src/app.c:12");
  EXPECT_EQ(problem(twoSites(), at("pp.c", 12)),
            "app.prof: no loop or block that communicates at pp.c:12, expected src/app.c:12, "
            "src/app.c:40");
}

TEST(SentMessages, RefuseAnAmbiguousFileAndAMissingCommunicator) {
  const Profile two = parseTextTrace("sendwright-trace 1\nranks 2\nrank 0\nsend 1 site=a/x.c:1\n"
                                     "send 1 site=b/x.c:1\n",
                                     "t");
  EXPECT_EQ(problem(two, at("x.c", 1)),
            "app.prof: x.c:1 is in several files, expected one of a/x.c, b/x.c");
  EXPECT_EQ(problem(parseTextTrace("sendwright-trace 1\nranks 1\n", "t"), at("x.c", 1)),
            "app.prof: no loop or block that communicates at x.c:1, expected a profile with sites");
  MatrixChoice choice;
  choice.communicator = 1;
  EXPECT_EQ(problem(twoSites(), choice), "app.prof: no communicator 1, expected one of 0, 2");
}

} // namespace
} // namespace sendwright
