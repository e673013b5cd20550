// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning and the end, and what happens in between whenever the program is in MPI.

#include "runtime/strict/StrictBuffers.h"

#include "runtime/base/Units.h"

#include <cstdlib>

namespace sendwright::strict {

void (*afterProgress)() = nullptr;

} // namespace sendwright::strict

#ifdef SMPI_H

namespace sendwright {

namespace strict {
CallFrom::CallFrom(const char *, const char *) {}
CallFrom::~CallFrom() {}
void progress() {}
int progressUntil(MPI_Request *request, MPI_Status *status) { return PMPI_Wait(request, status); }
int awaitBoundary(MPI_Request *request, int, bool) { return PMPI_Wait(request, MPI_STATUS_IGNORE); }
void noteTold(int) {}
void noteFortran() {}
void dropCommunicator(MPI_Comm) {}
void meet(MPI_Comm) {}
} // namespace strict

void startStrictBuffers(int) {
  if (const char *value = std::getenv("SENDWRIGHT_BUFFERS"); value && *value)
    sayOnce("SENDWRIGHT_BUFFERS is ignored under SMPI: it polls, which costs simulated time");
}

void endStrictBuffers() {}

} // namespace sendwright

#else

#include "runtime/strict/Blocking.h"
#include "runtime/strict/BufferCounts.h"

#include <cstdio>
#include <utility>

namespace sendwright::strict {

State *theState = nullptr;

namespace {

int rankIn(MPI_Comm communicator) {
  int rank = 0;
  PMPI_Comm_rank(communicator, &rank);
  return rank;
}

int sizeOf(MPI_Comm communicator) {
  int size = 0;
  PMPI_Comm_size(communicator, &size);
  return size;
}

} // namespace

State::State(MPI_Comm world, MPI_Comm self, int buffers)
    : rank(rankIn(world)), ranks(sizeOf(world)), world(world), self(self), tokens(world),
      pool(buffers) {
  communicators.setBegun(finalizeId, 0);
}

void State::tell(int to, const Token &token) {
  if (to == rank)
    handle(token, rank);
  else
    tokens.send(to, token);
}

void State::handle(const Token &token, int from) {
  switch (token.kind) {
  case Token::Want:
    pool.want({from, token.number});
    break;
  case Token::Done:
    pool.done({from, token.number});
    break;
  case Token::Grant:
    sends.grant(token.number);
    return;
  case Token::Suspect:
    investigation.suspect();
    return;
  case Token::Query:
    tokens.sendReport(makeReport(token.number).write());
    return;
  case Token::Arrived:
    meetings.arrived(token.number);
    return;
  case Token::Go:
    meetings.go(token.number);
    return;
  default: // no others are sent
    return;
  }
  while (const std::optional<Ticket> granted = pool.grantNext())
    tell(static_cast<int>(granted->rank), {Token::Grant, granted->number});
}

void State::makeProgress() {
  Token token;
  int from = 0;
  while (tokens.receive(token, from))
    handle(token, from);
  sends.testMatched(blocked != nullptr);
  tokens.releaseSent();
  if (rank == 0)
    investigation.step();
}

void progress() {
  if (!theState || !(sendwright_interception & interceptStrict) || theState->progressing)
    return;
  struct Inside { // an error handler may throw
    Inside() { theState->progressing = true; }
    ~Inside() { theState->progressing = false; }
  } inside;
  theState->makeProgress();
  if (afterProgress)
    afterProgress();
}

void enter(const char *function, const void *address) {
  theState->caller = {function, address, nullptr};
  ++theState->calls;
  progress();
}

CallFrom::CallFrom(const char *function, const char *place) {
  if (!on())
    return;
  const Origin from = std::exchange(theState->caller, {function, nullptr, place});
  this->function = from.function;
  this->address = from.address;
  this->place = from.place;
}

CallFrom::~CallFrom() {
  if (function)
    theState->caller = {function, address, place};
}

void noteFortran() {
  sayOnce("SENDWRIGHT_BUFFERS does not limit what is sent by calls of MPI from Fortran");
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
      sayOnce("not all ranks come to use SENDWRIGHT_BUFFERS: is it set for every rank (mpirun -x "
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
  const int ranks = sizeOf(MPI_COMM_WORLD);
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

int tagUpperBound() {
  int *value = nullptr, found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void *>(&value), &found);
  return found ? *value : 32767; // what every MPI allows
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
  theState = new State(world, self, buffers); // for good: the program's exit may call MPI
  theState->tagLimit = tagUpperBound();
  sendwright_interception |= interceptStrict;
}

void endStrictBuffers() {
  using namespace strict;
  if (!theState || !(sendwright_interception & interceptStrict))
    return;
  State &state = *theState;
  state.caller = {"MPI_Finalize", nullptr, nullptr};
  ++state.calls;
  state.communicators.setBegun(finalizeId, 1);
  WaitItem all;
  all.kind = WaitItem::Meeting;
  all.communicator = finalizeId;
  all.number = all.wholeWorld = 1;
  for (int rank = 0; rank < state.ranks; ++rank)
    all.members.push_back(rank);
  BlockedCall call;
  call.item = &all;
  // After the first, no rank sends on the program's behalf; after the second, none answers others.
  for (int meeting = 0; meeting < 2; ++meeting) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Ibarrier(state.world, &request);
    waitUntil(call, [&] {
      int done = 0;
      PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }
  sendwright_interception &= ~interceptStrict;
  state.tokens.drain();
  state.sends.abandonAll();
}

} // namespace sendwright

#endif
