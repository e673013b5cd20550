// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits while messages are shared: loops in which this rank passes on what other ranks need.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_WAITINGWHILESHARING_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_WAITINGWHILESHARING_H

#include "runtime/base/Waiting.h"
#include "runtime/sharing/planned/MessageSharing.h"

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sendwright::exchange {

/// The program waits: tells learning.
inline void noteWait() {
  if (MessageSharing *sharing = messageSharing(); sharing && sharing->policy())
    sharing->policy()->noteWait();
}

/// Makes progress until done() is true; `what` describes the wait for the watchdog. `arrivals`:
/// only what arrives for the runtime can make it true.
template <typename Done, typename What>
void waitUntil(Done done, What what, bool arrivals = false) {
  noteWait();
  if (!isSimulated)
    return serveUntil(done, what);
  if (!arrivals)
    progress();
  while (!done())
    messageSharing()->makeProgress(arrivals);
}

/// Waits for a request under SMPI, as PMPI_Wait() does, while making progress.
int waitSimulated(MPI_Request *request, MPI_Status *status);

/// Makes progress until a request of the runtime or of MPI is complete. Returns MPI's error code.
template <typename What> int waitForRequest(MPI_Request *request, MPI_Status *status, What what) {
  if (isSimulated)
    return waitSimulated(request, status);
  noteWait();
  return serveUntilComplete(request, status, what);
}
int waitForRequest(MPI_Request *request, MPI_Status *status, const char *function);

/// How other layers of the runtime serve others while messages are shared.
const Service &serviceWhileSharing();

/// Makes progress until all members of the communicator have called it. Returns whether all have
/// `own`; false if MPI cannot tell. Collective.
bool allAgree(MPI_Comm communicator, bool own, const char *function);
/// Makes progress until all members of the communicator have called it, with equally many numbers.
/// Replaces each number by the largest of any member. Collective.
void agreeOnLargest(MPI_Comm communicator, std::vector<std::int64_t> &numbers,
                    const char *function);
/// Said to agreeOnLargest() by a rank that has no number to say.
constexpr std::int64_t saidNothing = std::numeric_limits<std::int64_t>::min();
/// Whether all ranks that said a number said the same: `largest` of these, and of their negatives.
constexpr bool saidTheSame(std::int64_t largest, std::int64_t largestOfNegatives) {
  return largest == saidNothing || largest == -largestOfNegatives;
}
/// The same as allAgree() for some ranks of MPI_COMM_WORLD without a communicator, listed in the
/// same order at each.
bool allOfThemAgree(const std::vector<int> &members, bool own, const char *function);
/// agreeOnLargest() for such ranks.
void agreeOnLargest(const std::vector<int> &members, std::vector<std::int64_t> &numbers,
                    const char *function);
/// Makes progress until all members of the communicator are here.
void waitForMembers(MPI_Comm communicator, const char *function);

/// Part of a line of the watchdog: "in FUNCTION" and what is under way.
std::string waitingIn(const std::string &call);

/// Calls the error handler of the program's communicator if `error` is an error; returns `error`.
int raise(MPI_Comm communicator, int error);

} // namespace sendwright::exchange

#endif
