// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line is redrawn by a thread of its own, so that work need not look at the clock. Debian has
// no well-kept library for such a line in C++, and it is little code.

#include "tool/command/base/Terminal.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/Progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>

namespace sendwright {

namespace {

constexpr double secondsUntilShown = 2;
constexpr std::chrono::milliseconds betweenDrawings{200};
constexpr std::size_t bufferOfOutput = std::size_t{1} << 20;
constexpr const char *eraseLine = "\r\x1b[K";

Colours chosenColours = Colours::Auto;

std::string_view environment(const char *name) {
  const char *const value = std::getenv(name);
  return value ? value : "";
}

/// Whether the terminal understands more than lines of text.
bool isCapable(std::FILE *file) {
  return isatty(fileno(file)) && !environment("TERM").empty() && environment("TERM") != "dumb";
}

std::size_t columnsOfTerminal() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The first `columns` characters.
std::string cut(const std::string &text, std::size_t columns) {
  std::size_t end = 0;
  for (std::size_t column = 0; column < columns && end < text.size(); ++column)
    end += std::max<std::size_t>(ordinaryCharacter(std::string_view(text).substr(end)), 1);
  return text.substr(0, end);
}

} // namespace

void chooseColours(Colours colours) { chosenColours = colours; }

bool errorsHaveColours() {
  return chosenColours == Colours::Auto ? isCapable(stderr) && environment("NO_COLOR").empty()
                                        : chosenColours == Colours::Always;
}

struct TerminalProgress::Display {
  static Display *current;

  Display() {
    Progress::watch();
    if (isatty(STDOUT_FILENO))
      std::setvbuf(stdout, nullptr, _IOFBF, bufferOfOutput);
    thread = std::thread([this] { drawUntilEnded(); });
    current = this;
  }

  ~Display() {
    {
      const std::lock_guard lock(mutex);
      hasEnded = true;
    }
    ended.notify_one();
    thread.join();
    current = nullptr;
    erase();
  }

  void drawUntilEnded() {
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, betweenDrawings, [this] { return hasEnded; })) {
      const std::chrono::duration<double> now = std::chrono::steady_clock::now() - begin;
      const std::string line = text.at(now.count(), Progress::current());
      if (line.empty())
        erase();
      else
        std::fprintf(stderr, "%s%s", eraseLine, cut(line, columnsOfTerminal() - 1).c_str());
      isDrawn = !line.empty();
    }
  }

  void erase() {
    if (isDrawn)
      std::fputs(eraseLine, stderr);
    isDrawn = false;
  }

  std::mutex mutex;
  std::condition_variable ended;
  bool hasEnded = false, isDrawn = false;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  ProgressText text{secondsUntilShown};
  std::thread thread;
};

TerminalProgress::Display *TerminalProgress::Display::current = nullptr;

TerminalProgress::TerminalProgress() {
  try {
    if (isCapable(stderr))
      display = std::make_unique<Display>();
  } catch (const std::system_error &) {
    // Without another thread there is no line, but the work goes on.
  }
}

TerminalProgress::~TerminalProgress() = default;

ProgressPause::ProgressPause() {
  if (TerminalProgress::Display *const display = TerminalProgress::Display::current) {
    display->mutex.lock();
    display->erase();
  }
}

ProgressPause::~ProgressPause() {
  if (TerminalProgress::Display *const display = TerminalProgress::Display::current)
    display->mutex.unlock();
}

void printMessage(MessageKind kind, const std::string &line) {
  const ProgressPause pause;
  const std::size_t prefix = line.find(": ");
  if (prefix == std::string::npos || !errorsHaveColours()) {
    std::fprintf(stderr, "%s\n", line.c_str());
    return;
  }
  std::fprintf(stderr, "\x1b[1%sm%s:\x1b[0m%s\n", kind == MessageKind::Error ? ";31" : "",
               line.substr(0, prefix).c_str(), line.c_str() + prefix + 1);
}

} // namespace sendwright
