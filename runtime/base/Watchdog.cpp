// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/Watchdog.h"

#include "analysis/file/Escaping.h"
#include "runtime/base/Interception.h"
#include "runtime/base/WorldRanks.h"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace sendwright {

bool Watchdog::reported = false;

namespace {

WatchdogSettings fromEnvironment() {
  WatchdogSettings settings;
  const char *text = std::getenv("SENDWRIGHT_WATCHDOG");
  if (!text || !*text)
    return settings;
  if (std::string_view(text) == "abort") {
    settings.abort = true;
    return settings;
  }
  char *end = nullptr;
  const double seconds = std::strtod(text, &end);
  const std::string_view rest = end;
  if (end == text || !(seconds >= 0) || (!rest.empty() && rest != ",abort")) {
    sayOnce("SENDWRIGHT_WATCHDOG=%s is ignored, expected SECONDS, abort or SECONDS,abort", text);
    return settings;
  }
  settings.seconds = seconds;
  settings.abort = !rest.empty();
  return settings;
}

} // namespace

const WatchdogSettings &watchdogSettings() {
  static const WatchdogSettings settings = fromEnvironment();
  return settings;
}

Watchdog::Watchdog() : begin(PMPI_Wtime()) {}

bool Watchdog::due() const {
  const double limit = watchdogSettings().seconds;
  return !reported && limit > 0 && PMPI_Wtime() - begin > limit;
}

void Watchdog::report(const std::string &what) {
  reported = true;
  const int rank = rankIn(MPI_COMM_WORLD);
  std::fprintf(stderr, "sendwright: rank %d has waited %g s %s\n", rank, watchdogSettings().seconds,
               printable(what).c_str());
  if (watchdogSettings().abort)
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

} // namespace sendwright
