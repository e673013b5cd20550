// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line of progress while a machine is measured, on a terminal only. Whoever measures says so
// between measurements: a thread of its own would take a processor from them.
//
// mpirun passes on what its programs print through pipes, so a program cannot see that a person
// looks. If its own standard error is such a pipe, the line goes to that of the mpirun that started
// it, if this is a terminal.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_PROGRESSLINE_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_PROGRESSLINE_H

#include <cstdio>
#include <string>

namespace sendwright {

class ProgressLine {
public:
  /// For measurements that take about `seconds`. Shows nothing if `isShown` is false, or if they
  /// take two seconds or less.
  ProgressLine(double seconds, bool isShown);
  ~ProgressLine(); ///< erases the line
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// From now on this is measured: "messages within a node".
  void begin(const std::string &stage);
  /// The measurements go on. Draws the line anew, at most five times a second.
  void advance();
  void erase();

private:
  std::FILE *terminal = nullptr; // null: nobody looks
  std::string stage;
  double seconds, start, drawn = 0;
  bool isDrawn = false;
};

} // namespace sendwright

#endif
