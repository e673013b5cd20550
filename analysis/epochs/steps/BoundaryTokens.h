// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who must tell whom that it has come to a super epoch, so that the buffers suffice.
//
// A rank's buffers must hold messages of only one super epoch at a time. So before a rank sends a
// message that may take a buffer, it waits until the receiver has done everything that belongs
// before the message's super epoch. Nobody else waits, and the sender waits only before that
// message. If the program's own messages show that the receiver has come so far (Dependencies), no
// token is needed.
//
// Why nobody waits forever: let k be the first super epoch in which something is left to do.
// Everything that ranks wait for before messages of k is done, so within k each rank goes on as if
// it had not waited. There the buffers suffice: they hold only messages of k, and messages that
// outlast super epochs, which are counted in each super epoch.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_BOUNDARYTOKENS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_BOUNDARYTOKENS_H

#include "analysis/epochs/EpochAnalysis.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sendwright {

/// Before the node at `position`, `sender` must know that `receiver` has done what belongs before
/// `superEpoch`.
struct BoundaryToken {
  std::uint32_t sender = 0, position = 0, receiver = 0, superEpoch = 0;
};

class BoundaryTokens {
public:
  /// Linear in the graph, times the logarithm of a rank's super epochs; 32 bytes for each token.
  explicit BoundaryTokens(const EpochAnalysis &analysis);

  /// In the order of the sender's nodes.
  std::span<const BoundaryToken> awaitedBy(std::uint32_t sender) const;
  /// By super epoch, then sender. Between two ranks, the n-th token here is the n-th token there.
  std::span<const BoundaryToken> announcedBy(std::uint32_t receiver) const;

private:
  void addTokensOf(const EpochAnalysis &analysis, std::uint32_t sender);

  std::vector<BoundaryToken> bySender, byReceiver;
  std::vector<std::uint64_t> senderBegins, receiverBegins;
};

} // namespace sendwright

#endif
