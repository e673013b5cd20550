// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of one loop that may be a collective operation.

#ifndef SENDWRIGHT_TEST_ANALYSIS_COLLECTIVES_LOOPRUN_H
#define SENDWRIGHT_TEST_ANALYSIS_COLLECTIVES_LOOPRUN_H

#include "test/analysis/collectives/CollectiveLoop.h"
#include "test/analysis/run/RunBuilder.h"

#include "analysis/ordering/KeyedOrder.h"

namespace sendwright {

inline constexpr unsigned sendLine = 11, receiveLine = 20;

/// What the source says of the loop.
inline CollectiveInSource inSource(Collective operation) {
  return {operation,
          identityAt(loopLine),
          {identityAt(sendLine)},
          {identityAt(receiveLine)},
          operation == Collective::Reduce ? "sum" : "",
          ""};
}

/// Runs with one loop, whose sends and receives are marked calls.
struct LoopRun : RunBuilder {
  explicit LoopRun(int ranks) : RunBuilder(ranks), loop(addSite(loopLine)) {
    profile.callSites = {identityAt(sendLine), identityAt(receiveLine)};
  }

  /// The root's loop goes over all other ranks, which have one call each.
  void instance(Collective operation, int root = 0, std::uint64_t bytes = 8) {
    const int ranks = static_cast<int>(profile.ranks.size());
    for (int rank = 0; rank < ranks; ++rank)
      if (rank != root)
        loopReceives(operation) ? send(rank, root, bytes, noSite) : receive(rank, root);
    enter(root, loop);
    for (int rank = 0; rank < ranks; ++rank)
      if (rank != root)
        loopReceives(operation) ? receive(root, rank, loop) : send(root, rank, bytes, loop);
    leave(root, loop);
    mark();
  }

  /// All post their receives, send and wait.
  void exchange(std::uint64_t bytes = 8, bool own = false) {
    const int ranks = static_cast<int>(profile.ranks.size());
    SendLists lists(profile.ranks.size());
    for (int rank = 0; rank < ranks; ++rank)
      for (int other = 0; other < ranks; ++other)
        if (own || other != rank)
          lists[static_cast<std::size_t>(rank)].push_back(other);
    phase(lists, loop, bytes);
    mark();
  }

  /// Marks the calls of all messages so far.
  void mark() {
    for (RankProfile &rank : profile.ranks)
      for (Event &event : rank.events)
        if (event.kind == EventKind::Call && (event.site == loop || event.site == noSite) &&
            event.tag == 0)
          event.call = sendsMessage(event) ? 0 : receivesMessage(event) ? 1 : noSite;
  }

  const int loop;
};

/// Instances of the operation, with a barrier behind each.
inline LoopRun runOf(Collective operation, int ranks = 4, int instances = 3) {
  LoopRun run(ranks);
  for (int instance = 0; instance < instances; ++instance) {
    hasRoot(operation) ? run.instance(operation) : run.exchange();
    run.barrier();
  }
  return run;
}

} // namespace sendwright

#endif
