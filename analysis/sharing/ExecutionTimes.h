// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the last executions of a loop took at one rank, each with what the program does until
// the next. Some are disturbed: the runtime itself made the ranks meet. These count only if there
// are few others.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_EXECUTIONTIMES_H
#define SENDWRIGHT_ANALYSIS_SHARING_EXECUTIONTIMES_H

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

namespace sendwright {

class ExecutionTimes {
public:
  void add(double seconds, bool disturbed) {
    times.push_back({seconds, disturbed});
    if (times.size() > mostKept)
      times.pop_front();
  }
  void clear() { times.clear(); }

  std::size_t count() const { return times.size(); }
  std::size_t undisturbed() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(times, [](const Time &time) { return !time.disturbed; }));
  }
  /// Their median in seconds, which a few unusual executions do not change; 0 if there are too few.
  double typical() const {
    std::vector<double> counted = countedTimes();
    if (counted.size() < fewest)
      return 0;
    const auto middle = counted.begin() + static_cast<std::ptrdiff_t>(counted.size() / 2);
    std::ranges::nth_element(counted, middle);
    return *middle;
  }
  /// The shortest, in seconds; 0 if there are too few.
  double least() const {
    const std::vector<double> counted = countedTimes();
    return counted.size() < fewest ? 0 : *std::ranges::min_element(counted);
  }

private:
  std::vector<double> countedTimes() const {
    std::vector<double> counted;
    const bool all = undisturbed() < fewest;
    for (const Time &time : times)
      if (all || !time.disturbed)
        counted.push_back(time.seconds);
    return counted;
  }

  static constexpr std::size_t fewest = 3, mostKept = 16;
  struct Time {
    double seconds = 0;
    bool disturbed = false;
  };
  std::deque<Time> times;
};

} // namespace sendwright

#endif
