// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command is doing, and with which file: for the one sentence that a user gets where memory
// runs out or our own code fails, in place of an exception's name.
//
//     const Activity activity("planning", name);   // as long as it is being done

#ifndef SENDWRIGHT_ANALYSIS_FILE_ACTIVITY_H
#define SENDWRIGHT_ANALYSIS_FILE_ACTIVITY_H

#include <exception>
#include <string>

namespace sendwright {

class Activity {
public:
  /// `what`: a participle, as "reading". `file` as in other messages.
  Activity(const char *what, const std::string &file);
  ~Activity(); ///< remembers the activity where an exception leaves it
  Activity(const Activity &) = delete;
  Activity &operator=(const Activity &) = delete;

private:
  std::string text; // "FILE: " and what failed
  int exceptions;
};

/// "app.prof: memory ran out while planning, expected ...", or for other exceptions that Sendwright
/// itself failed: of the innermost activity of this thread that `error` left, in FormatError's
/// form. `otherwise` begins the line where there was none.
std::string describeFailure(const std::exception &error, const std::string &otherwise);

} // namespace sendwright

#endif
