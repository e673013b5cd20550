// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/ParallelTasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace sendwright {
namespace {

class ParallelTasks : public testing::TestWithParam<unsigned> {
protected:
  void SetUp() override { allowThreads(GetParam()); }
  void TearDown() override { allowThreads(1); }
};

TEST_P(ParallelTasks, EachIsCalledOnce) {
  std::vector<int> calls(1000);
  runTasks(calls.size(), [&](std::size_t number) { ++calls[number]; });
  EXPECT_EQ(calls, std::vector<int>(1000, 1));
  runTasks(0, [](std::size_t) { FAIL(); });
}

TEST_P(ParallelTasks, TasksOfTasksAreDone) {
  std::vector<int> sums(20);
  runTasks(sums.size(), [&](std::size_t number) {
    std::vector<int> parts(10);
    runTasks(parts.size(), [&](std::size_t part) { parts[part] = static_cast<int>(number); });
    sums[number] = std::accumulate(parts.begin(), parts.end(), 0);
  });
  for (std::size_t number = 0; number < sums.size(); ++number)
    EXPECT_EQ(sums[number], 10 * static_cast<int>(number));
}

TEST_P(ParallelTasks, TheFirstProblemIsThrownAfterAllTasks) {
  std::atomic<int> calls{0};
  try {
    runTasks(50, [&](std::size_t number) {
      ++calls;
      if (number % 10 == 7)
        throw std::runtime_error("task " + std::to_string(number));
    });
    FAIL();
  } catch (const std::runtime_error &error) {
    EXPECT_STREQ(error.what(), "task 7");
  }
  EXPECT_EQ(calls, 50);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelTasks, testing::Values(1U, 2U, 8U));

TEST(AllowedThreads, AreAtLeastOne) {
  EXPECT_EQ(allowedThreads(), 1U);
  allowThreads(0);
  EXPECT_EQ(allowedThreads(), 1U);
  allowThreads(1000);
  EXPECT_EQ(allowedThreads(), 64U);
  allowThreads(1);
}

} // namespace
} // namespace sendwright
