// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's own copy of MPI_COMM_WORLD: one for all layers that ranks begin together, because
// making a copy takes as long as dozens of messages. Each layer has tags of its own. Ranks agree by
// messages: at the first collective call on a communicator MPI libraries prepare it for such calls,
// which can take as long as making it.

#ifndef SENDWRIGHT_RUNTIME_BASE_PRIVATECOMMUNICATOR_H
#define SENDWRIGHT_RUNTIME_BASE_PRIVATECOMMUNICATOR_H

#include "runtime/base/Process.h"

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace sendwright {

class PrivateCommunicator final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::PrivateCommunicator;

  /// Makes it. Collective over MPI_COMM_WORLD. False if MPI cannot.
  bool begin();
  /// Frees it.
  void finish() override;

  MPI_Comm handle() const { return world; } ///< errors are returned

  /// Gives away `count` tags. Returns the first, or -1 if MPI has not so many. Layers ask in one
  /// order on all ranks, so all get the same.
  int takeTags(std::uint64_t count);
  /// Tags from this one on belong to nobody yet.
  int firstFreeTag() const { return freeTag; }
  /// Messages are still under way: it is not freed.
  void keep() { kept = true; }

  /// As findLeastOfRanks(): replaces each number by the least that any rank has, and each sum by
  /// that over all ranks. Collective.
  void findLeast(std::vector<unsigned long long> &numbers, std::span<unsigned long long> sums = {});
  /// Replaces the number by that of the first member. `members` are ranks of the world; all of them
  /// call this, each in the same order if it is called several times. Along a binomial tree. False
  /// if MPI fails.
  bool spread(const std::vector<int> &members, unsigned long long &number);

private:
  MPI_Comm world = MPI_COMM_NULL;
  int agreementTag = 0, freeTag = 0, largestTag = 0;
  bool kept = false;
};

/// The process's, made when it is first asked for: then collective over MPI_COMM_WORLD. Null if MPI
/// cannot make it.
PrivateCommunicator *privateCommunicator();

} // namespace sendwright

#endif
