// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent tasks on several processors. Each task writes only what is its own, so results do not
// depend on the number of threads. An analysis that runs inside a user's program has one thread;
// a command may allow more.

#ifndef SENDWRIGHT_ANALYSIS_FILE_PARALLELTASKS_H
#define SENDWRIGHT_ANALYSIS_FILE_PARALLELTASKS_H

#include <cstddef>
#include <functional>

namespace sendwright {

/// From now on tasks may use so many threads, the caller's included; initially 1. At least 1, at
/// most 64. Any thread.
void allowThreads(unsigned most);
/// How many are allowed. Any thread.
unsigned allowedThreads();

/// Calls `task` with each number below `count`, the lower numbers first, and returns when all calls
/// have returned. Tasks of a task run one after another. If tasks throw, all the same all of them
/// are called; then the exception of the lowest number is thrown.
void runTasks(std::size_t count, const std::function<void(std::size_t)> &task);

} // namespace sendwright

#endif
