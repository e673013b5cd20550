// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning and the end, and what happens in between whenever the program is in MPI.

#include "runtime/strict/StrictBuffers.h"

#include "runtime/base/ServingOthers.h"
#include "runtime/base/Units.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/strict/Blocking.h"
#include "runtime/strict/BufferCounts.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace sendwright::strict {

void progress() {
  StrictRank *rank = strictRank();
  if (!rank || !(sendwright_interception & interceptStrict) || rank->progressing)
    return;
  struct Inside { // an error handler may throw
    explicit Inside(StrictRank &rank) : rank(rank) { rank.progressing = true; }
    ~Inside() { rank.progressing = false; }
    StrictRank &rank;
  } inside(*rank);
  rank->makeProgress();
  if (auto *listener = process.find<ProgressListener>())
    listener->afterProgress();
}

void enter(const char *function, const void *address) {
  strictRank()->caller = {function, address, nullptr};
  ++strictRank()->calls;
  progress();
}

CallFrom::CallFrom(const char *function, const char *place) {
  if (!on())
    return;
  const Origin from = std::exchange(strictRank()->caller, {function, nullptr, place});
  this->function = from.function;
  this->address = from.address;
  this->place = from.place;
}

CallFrom::~CallFrom() {
  if (function)
    strictRank()->caller = {function, address, place};
}

void noteFortran() {
  sayOnce("SENDWRIGHT_BUFFERS does not limit messages sent by MPI calls from Fortran");
  progress();
}

namespace {

/// All ranks must come here. A rank whose environment lacks SENDWRIGHT_BUFFERS never does.
void awaitAllRanks() {
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Ibarrier(MPI_COMM_WORLD, &request);
  const double begin = PMPI_Wtime();
  for (int done = 0; !done;) {
    PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
    sched_yield();
    if (!done && PMPI_Wtime() - begin > 10)
      sayOnce("not all ranks use SENDWRIGHT_BUFFERS: is it set for every rank (mpirun -x "
              "SENDWRIGHT_BUFFERS), and is every program linked with Sendwright's runtime?");
  }
}

[[noreturn]] void endWithError() {
  PMPI_Finalize();
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

/// This rank's number of buffers. Only rank 0 reads the setting, so that all ranks agree on errors.
int buffersOfThisRank(const char *value) {
  const int ranks = ranksIn(MPI_COMM_WORLD);
  BufferCounts counts;
  int valid = 0, buffers = 0;
  if (rankIn(MPI_COMM_WORLD) == 0) {
    counts = readBufferCounts(value, ranks);
    valid = counts.error.empty();
    if (!valid)
      sayOnce("%s", counts.error.c_str());
  }
  PMPI_Bcast(&valid, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!valid)
    endWithError();
  PMPI_Scatter(counts.byRank.data(), 1, MPI_INT, &buffers, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return buffers;
}

} // namespace

} // namespace sendwright::strict

namespace sendwright {

void startStrictBuffers(int threadLevel) {
  using namespace strict;
  const char *value = std::getenv("SENDWRIGHT_BUFFERS");
  if (!value || !*value)
    return;
  if (threadLevel >= MPI_THREAD_MULTIPLE) {
    sayOnce("SENDWRIGHT_BUFFERS is ignored: this run may call MPI from several threads at a time");
    return;
  }
  awaitAllRanks();
  if (!callsReachRuntime())
    endWithError();
  const int buffers = buffersOfThisRank(value);
  MPI_Comm world = MPI_COMM_NULL, self = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_WORLD, &world);
  PMPI_Comm_dup(MPI_COMM_SELF, &self);
  process.begin(std::make_unique<StrictRank>(world, self, buffers)).tagLimit = tagUpperBound();
  static const Service service{progress, meet, PMPI_Waitany}; // never under SMPI
  serveOthersBy(&service);
  sendwright_interception |= interceptStrict;
}

} // namespace sendwright
