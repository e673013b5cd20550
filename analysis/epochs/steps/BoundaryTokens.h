// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who has to tell whom that it has come to a super epoch, so that the buffers suffice.
//
// A buffer of a rank is to hold messages of one super epoch only. So whoever sends a message that
// may take one waits until its receiver has done all that belongs before the super epoch in which
// it is sent; nobody else need wait, and the sender not before that message. Where what the program
// itself exchanges shows that the receiver has come so far (Dependencies), nothing need be told.
//
// Why nobody waits forever: let k be the first super epoch in which something is left to do. All
// that ranks wait for before messages of k is done, so within k each rank goes on as if it had not
// waited; and there the buffers suffice, for at each rank they hold nothing but messages of k and
// those that outlast super epochs, which are counted in each of them.

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
  /// Linear in the graph times the logarithm of the super epochs of a rank; 32 bytes a token.
  explicit BoundaryTokens(const EpochAnalysis &analysis);

  /// In the order of the sender's nodes.
  std::span<const BoundaryToken> awaitedBy(std::uint32_t sender) const;
  /// By super epochs, then senders. Of two ranks the n-th token here is the n-th there.
  std::span<const BoundaryToken> announcedBy(std::uint32_t receiver) const;

private:
  void addTokensOf(const EpochAnalysis &analysis, std::uint32_t sender);

  std::vector<BoundaryToken> bySender, byReceiver;
  std::vector<std::uint64_t> senderBegins, receiverBegins;
};

} // namespace sendwright

#endif
