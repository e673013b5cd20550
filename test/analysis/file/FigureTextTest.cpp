// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How figures are printed: digits, units, and what lies between two units.

#include "analysis/file/FigureText.h"

#include <gtest/gtest.h>

using namespace sendwright;

TEST(FigureText, AFormattedTextIsAsLongAsItMustBe) {
  const std::string longText(1000, 'x');
  EXPECT_EQ(formatted("%s, %d", longText.c_str(), 7), longText + ", 7");
  EXPECT_EQ(formatted("%s", ""), "");
}

TEST(FigureText, SecondsHaveTheUnitThatKeepsThemSmall) {
  EXPECT_EQ(timeText(12.345), "12.3 s");
  EXPECT_EQ(timeText(1), "1 s");
  EXPECT_EQ(timeText(0.9999), "1e+03 ms");
  EXPECT_EQ(timeText(0.0493), "49.3 ms");
  EXPECT_EQ(timeText(1e-3), "1 ms");
  EXPECT_EQ(timeText(2.5e-9), "0.0025 us");
  EXPECT_EQ(timeText(0), "0 us");
  EXPECT_EQ(runTimeText(0.0492817), "49.2817 ms");
  EXPECT_EQ(runTimeText(1234.5678), "1234.57 s");
}

TEST(FigureText, AGainMayBeALoss) {
  EXPECT_EQ(gainText(0.0493), "49.3 ms");
  EXPECT_EQ(gainText(-0.0493), "-49.3 ms");
  EXPECT_EQ(gainText(-2), "-2.0 s");
  EXPECT_EQ(gainText(0), "0.0 us");
}

TEST(FigureText, MicrosecondsStayMicroseconds) {
  EXPECT_EQ(microseconds(0.0012345), "1234.5 us");
  EXPECT_EQ(microseconds(1.5e-6, 3), "1.500 us");
}

TEST(FigureText, QuantitiesHaveThreeDigitsAndAPrefix) {
  EXPECT_EQ(scaled(12.5e-6, "s"), "12.5 us");
  EXPECT_EQ(scaled(3e-10, "s"), "0 s");
  EXPECT_EQ(scaled(-1, "s"), "0 s");
  EXPECT_EQ(bytesText(999), "999 B");
  EXPECT_EQ(bytesText(999'600), "1 MB"); // not "1e+03 kB"
  EXPECT_EQ(bytesText(3'210'000), "3.21 MB");
}

TEST(FigureText, PercentagesHaveSoManyDigits) {
  EXPECT_EQ(percentText(1.25), "1.2 %");
  EXPECT_EQ(percentText(12.345, 3), "12.3 %");
}
