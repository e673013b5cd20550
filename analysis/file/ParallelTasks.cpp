// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/ParallelTasks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace sendwright {

namespace {

constexpr unsigned mostThreads = 64;
std::atomic<unsigned> allowed{1};
thread_local bool isInTask = false;

} // namespace

void allowThreads(unsigned most) { allowed = std::clamp(most, 1U, mostThreads); }

unsigned allowedThreads() { return allowed; }

void runTasks(std::size_t count, const std::function<void(std::size_t)> &task) {
  std::vector<std::exception_ptr> problems(count);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    const bool wasInTask = isInTask;
    isInTask = true;
    for (std::size_t number = next++; number < count; number = next++)
      try {
        task(number);
      } catch (...) {
        problems[number] = std::current_exception();
      }
    isInTask = wasInTask;
  };
  const std::size_t threads = isInTask ? 1 : std::min<std::size_t>(allowed, count);
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    while (others.size() + 1 < threads)
      others.emplace_back(work);
  } catch (const std::system_error &) { // no further thread: those that there are do all
  }
  work();
  for (std::thread &other : others)
    other.join();
  for (const std::exception_ptr &problem : problems)
    if (problem)
      std::rethrow_exception(problem);
}

} // namespace sendwright
