// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/Pauses.h"

#include "runtime/base/WorldRanks.h"
#include "runtime/sharing/planned/EnvelopeHash.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>

namespace sendwright::exchange {

bool pausing = false;

namespace {

constexpr std::uint64_t callsForExecution = 4; ///< in the first turn, in which promises begin, too
constexpr std::uint64_t fewestCalls = 2, mostCalls = 4096;
constexpr int mostFailures = 64;

} // namespace

/// Whether this rank has nothing to do with a message of the runtime.
bool Pauses::isQuiet() const {
  return sharing.isIdle() && sharing.holdsNothing() && !currentBatch()->open();
}

/// Receives what all ranks have sent to this one. Returns false if this rank has sent anything
/// meanwhile.
bool Pauses::takeInAll() {
  const std::vector<std::uint64_t> sent = sharing.link().messagesSent();
  sharing.takeInAll("a collective");
  return sent == sharing.link().messagesSent();
}

/// What each rank had sent was received, and nothing was sent since: nothing is under way.
bool Pauses::canPause(MPI_Comm communicator) {
  if (!allAgree(communicator, isQuiet(), "a collective"))
    return false;
  const bool sentNothing = takeInAll();
  return allAgree(communicator, sentNothing && isQuiet(), "a collective");
}

bool Pauses::canGoOn(MPI_Comm communicator) const {
  const std::uint64_t own[] = {balance, unknown};
  std::uint64_t all[] = {1, 1};
  PMPI_Allreduce(own, all, 2, MPI_UINT64_T, MPI_SUM, communicator);
  return all[0] == 0 && all[1] == 0;
}

/// How many executions of the busiest site a turn should have.
std::uint64_t Pauses::wanted() const { return sites.front()->lengthOfTurn(); }

std::uint64_t Pauses::firstCalls() const { return wanted() * callsForExecution; }

/// From the executions in the first calls.
void Pauses::setLength(MPI_Comm communicator) {
  std::uint64_t most = 0;
  for (const SiteTurns *site : sites)
    most = std::max(most, site->executionsOfTurn());
  std::vector<std::int64_t> executions{static_cast<std::int64_t>(most)};
  agreeOnLargest(communicator, executions, "a collective");
  const auto agreed = static_cast<std::uint64_t>(executions.front());
  length = agreed == 0 ? 0
                       : std::clamp((firstCalls() * wanted() + agreed - 1) / agreed, fewestCalls,
                                    mostCalls);
}

std::uint64_t Pauses::callsOfTurn() const {
  if (length == 0)
    return firstCalls();
  if (!pausing || period == 0)
    return length;
  return (length + period - 1) / period * period;
}

void Pauses::nextTurn() {
  for (SiteTurns *site : sites)
    site->nextTurn();
  calls = 0;
  failures = 0;
}

/// Tries to begin or end a pause at this call; in vain at most so many times in a row. If in vain,
/// a pause goes on for a whole period.
bool Pauses::change(MPI_Comm communicator) {
  if (failures < mostFailures && (pausing ? canGoOn(communicator) : canPause(communicator))) {
    pausing = !pausing;
    balance = unknown = 0;
    return true;
  }
  failures += failures < mostFailures ? 1 : 0;
  calls -= pausing ? std::clamp(period, std::uint64_t(1), calls) : 1;
  return false;
}

void Pauses::drop(MPI_Comm communicator) {
  if (communicator == where)
    where = MPI_COMM_NULL;
}

void Pauses::atCall(MPI_Comm communicator) {
  if (communicator != where) {
    if (pausing || !sharing.collectiveEntry().isBound(communicator) ||
        ranksIn(communicator) != ranksIn(MPI_COMM_WORLD))
      return;
    where = communicator; // promises have moved
    calls = 0;
  }
  if (++calls < callsOfTurn())
    return;
  if (length == 0) {
    setLength(communicator);
    if (length == 0) {
      calls = 0;
      return;
    }
  }
  if (!pausing)
    period = sharing.collectiveEntry().period();
  if (sites.front()->isNextAsPlanned() == !pausing || change(communicator))
    nextTurn();
}

void Pauses::noteSent(MPI_Comm communicator, int destination, int tag) {
  if (SharedCommunicator *known = sharing.find(communicator))
    if (const Target *target = known->target(destination))
      balance += envelopeHash(known->index, sharing.rank(), target->worldRank, tag);
}

void Pauses::noteReceive(MPI_Comm communicator, int source, int tag) {
  SharedCommunicator *known = sharing.find(communicator);
  if (!known || !known->serves(source))
    return;
  if (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG)
    ++unknown;
  else
    balance -= envelopeHash(known->index, known->identity.members[static_cast<std::size_t>(source)],
                            sharing.rank(), tag);
}

void Pauses::noteUnknown(MPI_Comm communicator) {
  if (sharing.find(communicator))
    ++unknown;
}

void noteSentInPause(MPI_Comm communicator, int destination, int tag) {
  messageSharing()->pauses()->noteSent(communicator, destination, tag);
}

void noteReceiveInPause(MPI_Comm communicator, int source, int tag) {
  messageSharing()->pauses()->noteReceive(communicator, source, tag);
}

void noteUnknownInPause(MPI_Comm communicator) {
  messageSharing()->pauses()->noteUnknown(communicator);
}

} // namespace sendwright::exchange
