// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command is doing, and with which file. When memory runs out or our own code fails, the
// user gets one sentence made from this instead of the name of an exception. Where the work takes
// long, this is what a person is shown (Progress.h).
//
//     const Activity activity("planning", name);   // lasts as long as the work

#ifndef SENDWRIGHT_ANALYSIS_FILE_ACTIVITY_H
#define SENDWRIGHT_ANALYSIS_FILE_ACTIVITY_H

#include <exception>
#include <string>

namespace sendwright {

class Activity {
public:
  /// `what`: a participle such as "reading". `file`: named as in other messages.
  Activity(const char *what, const std::string &file);
  ~Activity(); ///< remembers the activity where an exception leaves it
  Activity(const Activity &) = delete;
  Activity &operator=(const Activity &) = delete;

private:
  std::string text;    // "FILE: " and what failed
  std::string ongoing; // "FILE: planning", if anyone looks
  int exceptions;
};

/// The line to print for `error`, in FormatError's form: "app.prof: memory ran out while planning,
/// expected ...", or that Sendwright itself failed. It names the innermost activity of this thread
/// that the exception left. If there was no activity, the line begins with `otherwise`.
std::string describeFailure(const std::exception &error, const std::string &otherwise);

} // namespace sendwright

#endif
