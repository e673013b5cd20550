// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a person at a terminal gets beyond what a file gets: a line of progress while work takes
// long, and colours in messages. Both only where standard error is a terminal that can do it.
//
// Colours follow what others do: NO_COLOR, if not empty, turns them off, and so does TERM=dumb. The
// option --color says otherwise.

#ifndef SENDWRIGHT_TOOL_COMMAND_BASE_TERMINAL_H
#define SENDWRIGHT_TOOL_COMMAND_BASE_TERMINAL_H

#include <memory>
#include <string>

namespace sendwright {

enum class Colours { Auto, Always, Never };

/// From now on standard error shows colours always, never, or where it is a terminal that can do it
/// and NO_COLOR does not forbid it.
void chooseColours(Colours colours);

/// Whether standard error shows colours.
bool errorsHaveColours();

enum class MessageKind { Error, Note };

/// Prints `line`, which must be safe to print, and a newline on standard error; on a terminal with
/// what is before its first ": " in bold, for an error in red. Erases the line of progress before.
void printMessage(MessageKind kind, const std::string &line);

/// While it exists, shows on standard error what Progress.h says, in one line that it redraws, as
/// soon as the work has taken two seconds; nothing if standard error is no terminal or TERM says
/// that the terminal cannot erase. If standard output is a terminal, too, it is buffered meanwhile,
/// so that the two do not mix. At most one at a time.
class TerminalProgress {
public:
  TerminalProgress();
  ~TerminalProgress(); ///< erases the line
  TerminalProgress(const TerminalProgress &) = delete;
  TerminalProgress &operator=(const TerminalProgress &) = delete;

private:
  struct Display;
  friend class ProgressPause;
  std::unique_ptr<Display> display; // null: nothing is shown
};

/// While it exists there is no line of progress: whoever prints on standard error holds it.
class ProgressPause {
public:
  ProgressPause();
  ~ProgressPause();
  ProgressPause(const ProgressPause &) = delete;
  ProgressPause &operator=(const ProgressPause &) = delete;
};

} // namespace sendwright

#endif
