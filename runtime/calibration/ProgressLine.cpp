// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/calibration/ProgressLine.h"

#include <mpi.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace sendwright {

namespace {

constexpr double shortestShown = 2, secondsBetweenDrawings = 0.2;
constexpr int mostLaunchers = 2; // a process of the MPI on this node, and mpirun

bool isPipe(int file) {
  struct stat status{};
  return fstat(file, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/// The second field after the name in brackets, which may contain anything.
pid_t parentOf(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name = text.rfind(')');
  if (name == std::string::npos || name + 4 >= text.size())
    return 0;
  return static_cast<pid_t>(std::atol(text.c_str() + name + 4));
}

bool passesOnOutput(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm");
  std::string name;
  std::getline(file, name);
  return name.starts_with("hydra_pmi_proxy") || name == "orted" || name == "prted";
}

/// A terminal on which somebody sees the standard error of this process; -1 if there is none.
int terminalOfErrors() {
  if (isatty(STDERR_FILENO))
    return dup(STDERR_FILENO);
  if (!isPipe(STDERR_FILENO))
    return -1;
  pid_t launcher = getppid();
  for (int level = 0; level < mostLaunchers && launcher > 1; ++level) {
    const std::string name = "/proc/" + std::to_string(launcher) + "/fd/2";
    const int file = open(name.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && isatty(file)) {
      fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
      return file;
    }
    if (file >= 0)
      close(file);
    if (!passesOnOutput(launcher))
      return -1;
    launcher = parentOf(launcher);
  }
  return -1;
}

bool canErase() {
  const char *const name = std::getenv("TERM");
  return name && *name && std::string_view(name) != "dumb";
}

} // namespace

ProgressLine::ProgressLine(double seconds, bool isShown) : seconds(seconds), start(MPI_Wtime()) {
  const int file = isShown && seconds > shortestShown && canErase() ? terminalOfErrors() : -1;
  if (file < 0)
    return;
  terminal = fdopen(file, "w");
  if (!terminal)
    close(file);
}

ProgressLine::~ProgressLine() {
  erase();
  if (terminal)
    std::fclose(terminal);
}

void ProgressLine::begin(const std::string &next) {
  stage = next;
  drawn = -secondsBetweenDrawings;
  advance();
}

void ProgressLine::advance() {
  if (!terminal)
    return;
  const double gone = MPI_Wtime() - start;
  if (gone < drawn + secondsBetweenDrawings)
    return;
  drawn = gone;
  isDrawn = true;
  std::fprintf(terminal, "\r\x1b[Kmeasuring %s, %.0f s of about %.0f s, about %.0f s left",
               stage.c_str(), std::floor(gone), seconds, std::ceil(std::max(seconds - gone, 0.0)));
  std::fflush(terminal);
}

void ProgressLine::erase() {
  if (isDrawn) {
    std::fputs("\r\x1b[K", terminal);
    std::fflush(terminal);
  }
  isDrawn = false;
}

} // namespace sendwright
