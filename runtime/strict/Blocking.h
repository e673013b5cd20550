// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the program that wait: all of them wait in waitUntil(), which makes progress, and tells
// rank 0 if it takes long.

#ifndef SENDWRIGHT_RUNTIME_STRICT_BLOCKING_H
#define SENDWRIGHT_RUNTIME_STRICT_BLOCKING_H

#include "runtime/base/Waiting.h"
#include "runtime/strict/Report.h"
#include "runtime/strict/StrictBuffers.h"
#include "runtime/strict/StrictRank.h"

#include <mpi.h>

#include <span>

namespace sendwright::strict {

/// What a call waits for: all of it, or any one.
struct BlockedCall {
  Origin origin = strictRank()->caller;
  bool any = false;
  std::span<const MPI_Request> requests{}; ///< as the program has them
  std::span<const std::int64_t> sends{};   ///< numbers of blocking sends
  const WaitItem *item = nullptr;          ///< something else, whose origin is the call
};

/// While this object lives, this rank waits for what `call` describes.
class Blocked {
public:
  explicit Blocked(const BlockedCall &call);
  ~Blocked();
  Blocked(const Blocked &) = delete;
  Blocked &operator=(const Blocked &) = delete;
  /// To be called once in each turn of the loop: makes progress, yields, and tells rank 0 if it
  /// takes long.
  void turn();

private:
  const BlockedCall *outer;
  double reportAt;
  IdleTurns turns;
};

/// Makes progress until done() is true.
template <typename Done> void waitUntil(const BlockedCall &call, Done done) {
  progress();
  if (done())
    return;
  Blocked blocked(call);
  do
    blocked.turn();
  while (!done());
}

/// Where the program made the call.
Place placeOf(const Origin &origin);

} // namespace sendwright::strict

#endif
