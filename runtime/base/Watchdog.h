// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notices that a wait inside the runtime takes long, and says who waits for whom, and where. A slow
// peer or a debugger is no deadlock, so ending the program must be asked for.

#ifndef SENDWRIGHT_RUNTIME_BASE_WATCHDOG_H
#define SENDWRIGHT_RUNTIME_BASE_WATCHDOG_H

#include <string>

namespace sendwright {

/// SENDWRIGHT_WATCHDOG: "SECONDS", "abort" or "SECONDS,abort"; 0 seconds: never.
struct WatchdogSettings {
  double seconds = 60;
  bool abort = false;
};

/// What the environment says, which is read once. A value of another form is reported with sayOnce
/// and ignored.
const WatchdogSettings &watchdogSettings();

/// One wait, which begins with the construction.
class Watchdog {
public:
  Watchdog();
  /// True when the limit has passed and this process has not reported yet.
  bool due() const;
  /// Prints one line, "sendwright: rank R has waited ...", and ends the program if that was asked
  /// for. `what` continues the line.
  void report(const std::string &what);

private:
  double begin;
  static bool reported;
};

} // namespace sendwright

#endif
