// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks have come to their n-th blocking collective call on the world. A rank that enters its
// call at once says so to nobody: it stores the number where any other rank can read it, also
// while it waits inside MPI. So a rank with a reason to wait for all others can do so alone.
//
// The reason is a receive for which a sender may wait, but of which no message can tell the sender
// whether it will get its message: from any source, or of any tag beside others
// (SharedCommunicator::hasUntold()). Inside the call its rank looks for no messages.
//
// Why nobody waits for ever. Let a rank with such receives have come to its n-th call. It serves
// others, and enters once the receives have their messages, or all ranks have come to their n-th
// call. A rank that has not come there may need this rank to serve it, which it does; but it cannot
// need this rank to enter the call, because MPI's call may itself wait for all ranks. So it comes
// there if it does in the program as written. Once all have come, no rank waits for messages that
// were sent before the call: a rank that did would not have come. What a rank does after the call
// nobody needs to leave it.
//
// The numbers lie in a window of MPI, which is read without the other rank's help. SMPI simulates
// all ranks in one process, so there they lie in memory that all share; since a waiting rank cannot
// look again and again there, those who come send it a message.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_ARRIVALS_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_ARRIVALS_H

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace sendwright::exchange {

class Arrivals {
public:
  Arrivals() = default;
  Arrivals(const Arrivals &) = delete;
  Arrivals &operator=(const Arrivals &) = delete;
  virtual ~Arrivals() = default;

  /// This rank has come to its call of that number. Returns the ranks that wait for it and cannot
  /// look again by themselves: each must get a message.
  virtual const std::vector<int> &come(std::uint64_t call) = 0;
  /// Whether all ranks have come to their call of that number, as far as this rank knows. If not,
  /// it looks again when it is asked again.
  virtual bool haveAllCome(std::uint64_t call) = 0;
  /// This rank waits no longer.
  virtual void endWait() = 0;
  /// Collective. No rank waits.
  virtual void end() = 0;
};

/// Under SMPI, at rank 0 of the world: where the numbers lie; elsewhere 0.
std::int64_t placeOfArrivals();

/// Begins to count. Collective over the world; no rank waits for another elsewhere. `place`: the
/// largest placeOfArrivals() of any rank. Null if MPI cannot; the same on all ranks.
std::unique_ptr<Arrivals> beginArrivals(std::int64_t place);

} // namespace sendwright::exchange

#endif
