// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines for the user: on standard error of rank 0, each text once.

#include "runtime/base/Interception.h"

#include "analysis/file/Escaping.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

namespace sendwright {

namespace {

/// The rank in MPI_COMM_WORLD; before MPI_Init and after MPI_Finalize, the rank that the launcher
/// gives, or 0.
int rankToSayAs() {
  int initialized = 0, finalized = 0, rank = 0;
  PMPI_Initialized(&initialized);
  PMPI_Finalized(&finalized);
  if (initialized && !finalized) {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
  }
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    if (const char *text = std::getenv(name))
      return std::atoi(text);
  return 0;
}

} // namespace

void sayOnce(const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (rankToSayAs() != 0)
    return;
  try {
    static std::mutex mutex;
    static std::set<std::string> said;
    const std::string shown = printable(line);
    const std::lock_guard lock(mutex);
    if (said.insert(shown).second)
      std::fprintf(stderr, "sendwright: %s\n", shown.c_str());
  } catch (...) {
    // Out of memory: better print twice than never, and drop characters that would need escaping.
    for (char *letter = line; *letter; ++letter)
      if (*letter < ' ' || *letter > '~')
        *letter = '?';
    std::fprintf(stderr, "sendwright: %s\n", line);
  }
}

} // namespace sendwright
