// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communication matrices: what is read, and what is refused with file and line.

#include "analysis/file/MatrixFile.h"
#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

std::string problemOfMatrix(std::string_view text) {
  try {
    parseMatrix(text, "m.txt");
  } catch (const FormatError &error) {
    return error.what();
  }
  return "accepted";
}

} // namespace

TEST(MatrixFile, ReadsRowsInTheOrderOfTheFile) {
  CommunicationMatrix matrix = parseMatrix("2: 1:7 0:1 # why\n\n# all\n0: 3:2\r\n", "m");
  ASSERT_EQ(matrix.rows.size(), 4u);
  EXPECT_EQ(matrix.rows[2], (std::vector<MatrixEntry>{{1, 7}, {0, 1}}));
  EXPECT_EQ(matrix.rows[0], (std::vector<MatrixEntry>{{3, 2}}));
  EXPECT_TRUE(matrix.rows[1].empty());
  EXPECT_FALSE(matrix.sizeDeclared);
}

TEST(MatrixFile, DeclaredSizeCountsRanksThatAreNeverNamed) {
  CommunicationMatrix matrix = parseMatrix("# pattern K=9, by hand\n0: 1:1\n", "m");
  EXPECT_EQ(matrix.rows.size(), 9u);
  EXPECT_TRUE(matrix.sizeDeclared);
}

TEST(MatrixFile, SizeIsDeclaredOnTheFirstLineOnly) {
  EXPECT_EQ(parseMatrix("0: 1:1\n# K=9\n", "m").rows.size(), 2u);
}

TEST(MatrixFile, NoItemsAreNoMessage) { EXPECT_TRUE(parseMatrix("0: 1:0\n", "m").rows[0].empty()); }

TEST(MatrixFile, EmptyFileHasNoRanks) { EXPECT_TRUE(parseMatrix("", "m").rows.empty()); }

TEST(MatrixFile, LastLineNeedsNoNewline) {
  EXPECT_EQ(parseMatrix("0: 1:1", "m").rows[0].size(), 1u);
}

TEST(MatrixFile, RefusesWithFileAndLine) {
  EXPECT_EQ(problemOfMatrix("0: 1:1\nx: 1:1\n"), "m.txt:2: found 'x', expected a sender's rank");
  EXPECT_EQ(problemOfMatrix("-1: 1:1\n"), "m.txt:1: found '-1', expected a sender's rank");
  EXPECT_EQ(problemOfMatrix("0 1:1\n"), "m.txt:1: no ':' after the sender's rank, expected SENDER: "
                                        "DEST:COUNT DEST:COUNT ...");
  EXPECT_EQ(problemOfMatrix("0: 1\n"),
            "m.txt:1: no ':' after the destination's rank, expected SENDER: "
            "DEST:COUNT DEST:COUNT ...");
  EXPECT_EQ(problemOfMatrix("0: 1:\n"), "m.txt:1: found nothing, expected a count of items");
  EXPECT_EQ(problemOfMatrix("0: 1:1.5\n"),
            "m.txt:1: found '.' after a count, expected DEST:COUNT and a space");
  EXPECT_EQ(problemOfMatrix("0: 1:1 1:2\n"),
            "m.txt:1: destination 1 is named twice, expected it once");
  EXPECT_EQ(problemOfMatrix("0: 1:1\n0: 2:1\n"),
            "m.txt:2: rank 0 has a line already (line 1), expected one line per sender");
  EXPECT_EQ(problemOfMatrix("# K=2\n0: 2:1\n"), "m.txt:2: rank 2, expected ranks below K=2");
  EXPECT_EQ(problemOfMatrix("# K=0\n"), "m.txt:1: K=0, expected 1 to 4194304 ranks");
  EXPECT_EQ(problemOfMatrix("0: 99999999999:1\n"),
            "m.txt:1: rank 99999999999, expected ranks below 4194304");
}

TEST(MatrixFile, WhatIsWrittenIsReadAgain) {
  const CommunicationMatrix matrix = parseMatrix("# K=9\n2: 1:7 0:1\n0: 3:2\n", "m");
  std::string text;
  formatMatrix(matrix, "K=3\nor so", [&](std::string_view piece) { text += piece; });
  EXPECT_EQ(text, "# K=9: K=3\\nor so\n0: 3:2\n2: 1:7 0:1\n");
  EXPECT_EQ(parseMatrix(text, "m").rows, matrix.rows);
}

TEST(MatrixFile, MissingFileIsNamed) {
  EXPECT_THROW(readMatrix("no-such-folder/m.txt"), FormatError);
}
