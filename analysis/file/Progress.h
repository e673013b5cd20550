// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far long work has come. Whoever works says so here and knows nothing of who looks; a command
// that wants to show it looks as often as it likes. If nobody looks, it costs a comparison.
//
//     Progress progress("events", events.size());
//     for (...) { ...; progress.advance(); }
//
// What is being done, and with which file, comes from Activity.h.

#ifndef SENDWRIGHT_ANALYSIS_FILE_PROGRESS_H
#define SENDWRIGHT_ANALYSIS_FILE_PROGRESS_H

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace sendwright {

/// What the work at hand has come to.
struct ProgressState {
  std::string activity; ///< "app.prof: planning"; empty: unknown
  std::string unit;     ///< of the numbers: "events"; empty: nothing is counted
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  bool isAtMost = false;   ///< the work may end before `total`
  bool isSteps = false;    ///< steps of different lengths: remaining time is a rough guess
  std::uint64_t stage = 0; ///< another number when something else is counted
};

class Progress {
public:
  enum class Total : std::uint8_t {
    Exact,
    AtMost,
    Steps ///< all of them, but they take differently long: shown only while nothing else is counted
  };

  /// `unit`: a plural such as "events", which must outlive this object.
  Progress(const char *unit, std::uint64_t total, Total kind = Total::Exact);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Any thread. Constant time.
  void advance(std::uint64_t by = 1) {
    if (isWatched)
      done.fetch_add(by, std::memory_order_relaxed);
  }

  /// From now on progress can be looked at. To be called once, before there are other threads.
  static void watch();
  static bool watched();
  /// The innermost activity, and the outermost of the numbers that are counted for it; of steps,
  /// the innermost, and only if nothing else is counted. Nothing if nothing is going on. Any
  /// thread.
  static std::optional<ProgressState> current();

  // For Activity: what the program is busy with. `text` must outlive the activity.
  static void beginActivity(const std::string *text);
  static void endActivity(const std::string *text);

private:
  const char *unit;
  std::uint64_t total;
  Total kind;
  std::uint64_t stage = 0;
  std::atomic<std::uint64_t> done{0};
  bool isWatched;
};

/// One line for a person about work that takes long. Has no clock of its own: times are seconds of
/// any clock that does not go back. Not thread-safe.
class ProgressText {
public:
  /// Work that takes less than `delay` seconds has no line.
  explicit ProgressText(double delay) : delay(delay) {}

  /// The line at the time `now`: what is done, how much of it, its rate and what is left; without
  /// the numbers that are not known. Empty: nothing to show. Names are escaped.
  std::string at(double now, const std::optional<ProgressState> &state);

private:
  double delay;
  std::optional<double> begin;            // of all work
  std::map<std::uint64_t, double> stages; // when each was first seen
};

} // namespace sendwright

#endif
