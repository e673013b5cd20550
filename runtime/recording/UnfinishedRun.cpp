// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which rank prints the line, so that there is only one. When a rank is gone, Open MPI's
// launcher ends the others by SIGTERM, whatever happened to the first: rank 0 prints the line.
// Other launchers kill the ranks at once, so that only the dying rank can print it.
//
// Signals that the program handles are left to it. Handlers of MPI's libraries, which print where a
// process died, get the signal afterwards, as they would without the runtime.

#include "runtime/recording/UnfinishedRun.h"

#include <mpi.h>

#ifdef SMPI_H // a simulation has all ranks in one process

namespace sendwright {
void watchForEnd(int) {}
void endWatchForEnd() {}
} // namespace sendwright

#else

#include <dlfcn.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace sendwright {

namespace {

constexpr int fatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int endingSignals[] = {SIGTERM, SIGINT, SIGHUP};

volatile std::sig_atomic_t watching = 0;
pid_t watchedProcess = 0; ///< its child processes have no profile of their own
char lastWords[96];
std::size_t lengthOfLastWords = 0;
struct sigaction previous[NSIG];

/// Safe in a signal handler.
void speak() {
  if (!watching || getpid() != watchedProcess)
    return;
  watching = 0;
  const ssize_t ignored = write(STDERR_FILENO, lastWords, lengthOfLastWords);
  static_cast<void>(ignored);
}

void onSignal(int signal, siginfo_t *information, void *) {
  speak();
  sigaction(signal, &previous[signal], nullptr);
  if (information->si_code <= 0)
    raise(signal); // sent by a process; else what caused it happens again
}

/// Whether MPI or a library that it uses installed the handler.
bool isOfMpi(const struct sigaction &action) {
  void *handler = nullptr;
  static_assert(sizeof handler == sizeof action.sa_sigaction);
  std::memcpy(static_cast<void *>(&handler), static_cast<const void *>(&action.sa_sigaction),
              sizeof handler);
  Dl_info info;
  if (!dladdr(handler, &info) || !info.dli_fname)
    return false;
  for (const char *library : {"libopen-pal", "libopen-rte", "libmpi", "libucs"})
    if (std::strstr(info.dli_fname, library))
      return true;
  return false;
}

void watchSignal(int signal) {
  struct sigaction &before = previous[signal];
  if (sigaction(signal, nullptr, &before) != 0)
    return;
  const bool isDefault = !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL;
  const bool isIgnored = !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_IGN;
  if (!isDefault && (isIgnored || !isOfMpi(before)))
    return;
  struct sigaction ours{};
  ours.sa_sigaction = onSignal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  sigaction(signal, &ours, nullptr);
}

void leaveSignal(int signal) {
  struct sigaction now;
  if (sigaction(signal, nullptr, &now) == 0 && now.sa_flags & SA_SIGINFO &&
      now.sa_sigaction == onSignal)
    sigaction(signal, &previous[signal], nullptr);
}

} // namespace

void watchForEnd(int rank) {
  const bool launcherTellsFirstRank = std::getenv("OMPI_COMM_WORLD_RANK") != nullptr;
  if (rank != 0 && launcherTellsFirstRank)
    return;
  lengthOfLastWords = static_cast<std::size_t>(std::snprintf(
      lastWords, sizeof lastWords,
      "sendwright: rank %d ends without MPI_Finalize: no profile is written\n", rank));
  watchedProcess = getpid();
  watching = 1;
  for (const int signal : fatalSignals)
    watchSignal(signal);
  if (rank == 0)
    for (const int signal : endingSignals)
      watchSignal(signal);
}

void endWatchForEnd() {
  if (!watchedProcess)
    return;
  watching = 0;
  for (const int signal : fatalSignals)
    leaveSignal(signal);
  for (const int signal : endingSignals)
    leaveSignal(signal);
}

namespace {

/// Runs after the program's exit handlers and the destructors of its static objects, which may call
/// MPI_Finalize.
__attribute__((destructor)) void speakAtExit() { speak(); }

} // namespace

} // namespace sendwright

#endif
