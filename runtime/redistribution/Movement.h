// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages under way from old blocks into new ones, while the ranks still agree on whether to move.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_MOVEMENT_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_MOVEMENT_H

#include "runtime/base/Waiting.h"
#include "runtime/base/Watchdog.h"
#include "runtime/include/sendwright/runtime.h"
#include "runtime/redistribution/Agreement.h"
#include "runtime/redistribution/ChunkStream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sendwright::redistribution {

/// The first bytes of all arrays' blocks.
struct Blocks {
  std::vector<char *> before, after;
};

/// One redistribution on one rank. The constructor's arguments must outlive it.
class Movement {
public:
  /// `digest` is that of what this rank proposes. Throws std::bad_alloc; nothing else does.
  Movement(const PrivateGroup &group, const RankSchedule &schedule, const Blocks &blocks,
           const sendwright_site *site, std::uint64_t digest);

  /// Agrees with all other ranks, and moves the arrays if `move`. Returns when the result is known
  /// and none of its requests is under way. Collective.
  const Vote &run(const Vote &own, bool move);
  /// Moves the arrays without agreement. Returns a rank that proposes something else, as a message
  /// of it shows that comes before those that are awaited; -1: there is no such rank. After such a
  /// rank, messages that are sent still need this object.
  int runTrusting();
  /// The first MPI error of a message, valid if the vote passed.
  int error() const { return requests.error; }

private:
  void begin(const Vote &own);
  /// Begins messages while there is room: only few before the agreement is known, and none after a
  /// failed one.
  void beginMore();
  /// Copies some of the elements that stay; false where none are left.
  bool copyKept();
  void takePart(bool wait);
  void completed(Purpose purpose);
  bool moved() const { return sends.done() && receives.done() && keptLeft == 0; }
  void takeBack(bool began);
  void cancelBeyond(std::uint32_t message, int &arriving);
  void receiveAndDiscard(int peer);
  int findStranger();
  std::string awaited() const;

  const PrivateGroup &group;
  const sendwright_site *site;
  const int tag; ///< of elements
  ActiveRequests requests;
  Agreement agreement;
  ChunkStream sends, receives;
  SpanCursor keptBefore, keptAfter;
  std::uint64_t keptLeft;
  bool moving = false, trusting = false;
  int stranger = -1;         ///< see runTrusting()
  int suspect = -1;          ///< a rank that may be one
  double suspectedSince = 0; ///< PMPI_Wtime() when that began
  IdleTurns idleTurns;
  Watchdog watchdog;
};

} // namespace sendwright::redistribution

#endif
