// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smaller rows of the tables of J. Sampson, Buffer allocation in message passing systems (UNLV
// 2007). test/benchmark/epochs prints all of them.

#include "analysis/epochs/EpochAnalysis.h"
#include "test/benchmark/epochs/Applications.h"

#include <gtest/gtest.h>

#include <numeric>

namespace sendwright {
namespace {

EpochAnalysis analyze(const Profile &profile, std::vector<std::uint32_t> buffers = {}) {
  return analyzeEpochs(profile, TraceLocation("test", profile), std::move(buffers));
}

void expectRow(const Profile &profile, std::uint64_t epochs, std::uint32_t superEpochs,
               std::uint64_t partial, std::uint64_t full) {
  const EpochAnalysis result = analyze(profile);
  EXPECT_EQ(result.figures.epochs, epochs);
  EXPECT_EQ(result.superEpochs.count, superEpochs);
  EXPECT_EQ(result.superEpochs.partial, partial);
  EXPECT_EQ(result.superEpochs.full, full);
}

TEST(EpochTables, EpochsAndSynchronizations) {
  expectRow(matrixMultiplication(17), 112, 5, 65, 68);
  expectRow(matrixMultiplication(101), 1300, 11, 1001, 1010);
  expectRow(fourierTransform(16), 105750, 9000, 143984, 143984);
  expectRow(heatGrid(17), 2128, 2001, 32001, 34000);
  expectRow(bodyRing(16), 450, 151, 2400, 2400);
  expectRow(bodyRing(64), 1890, 631, 40320, 40320);
  expectRow(equationString(33), 1032, 1001, 32001, 33000);
}

TEST(EpochTables, LargerAllocations) {
  EXPECT_EQ(analyze(matrixMultiplication(257), {5}).superEpochs.count, 7U);
  EXPECT_EQ(analyze(matrixMultiplication(257), {10}).superEpochs.count, 5U);
  EXPECT_EQ(analyze(heatGrid(33, 100), {4}).superEpochs.count, 2U);
}

std::vector<std::uint32_t> string(std::size_t ranks, std::uint32_t first, std::uint32_t ends,
                                  std::uint32_t inner) {
  std::vector<std::uint32_t> result(ranks, inner);
  result[0] = first;
  result[1] = result.back() = ends;
  return result;
}

TEST(EpochTables, Allocations) {
  EXPECT_EQ(analyze(heatGrid(9, 20)).figures.buffers, string(9, 0, 1, 2));
  EXPECT_EQ(analyze(equationString(9, 20)).figures.buffers, string(9, 0, 1, 2));
  EXPECT_EQ(analyze(bodyRing(8)).figures.buffers, std::vector<std::uint32_t>(8, 1));
  EXPECT_EQ(analyze(fourierTransform(8, 20)).figures.buffers, std::vector<std::uint32_t>(8, 1));
  EXPECT_EQ(analyze(heatGrid(9, 20)).figures.wholeProgramBuffers, string(9, 24, 6, 7));
  EXPECT_EQ(analyze(equationString(9, 20)).figures.wholeProgramBuffers, string(9, 8, 2, 4));
  EXPECT_EQ(analyze(bodyRing(8)).figures.wholeProgramBuffers, std::vector<std::uint32_t>(8, 8));
  EXPECT_EQ(analyze(matrixMultiplication(17)).figures.wholeProgramBuffers[0], 16U);
}

} // namespace
} // namespace sendwright
