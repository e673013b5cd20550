// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that may lie in a buffer beyond their epoch: the program sent them without waiting, and
// their receive is posted in another epoch. Nobody waits for such a buffer, but until the receive
// is posted it may be missing to others: it is counted where epochs need buffers.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_LASTINGMESSAGES_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_LASTINGMESSAGES_H

#include "analysis/epochs/BufferTimeline.h"
#include "analysis/epochs/EpochWalk.h"
#include "analysis/epochs/Epochs.h"
#include "analysis/epochs/graph/UnboundedExecution.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace sendwright {

/// Per rank how many such messages it may hold at each of its nodes.
class LastingMessages {
public:
  bool empty() const { return ranks.empty(); }
  /// The most at a node from position `first` to `last`. Ranges of one rank must not go back.
  /// Linear in the changes within.
  std::uint32_t most(std::uint32_t rank, std::uint32_t first, std::uint32_t last);

private:
  friend LastingMessages findLastingMessages(const CommunicationGraph &, const Epochs &,
                                             const Dependencies &);
  struct Rank {
    std::vector<std::pair<std::uint32_t, std::int32_t>> changes; // from this position on
    std::size_t next = 0;
    std::int32_t count = 0;
  };
  std::vector<Rank> ranks;
};

/// Empty where there are none. Linear in the graph, and sorts such messages.
LastingMessages findLastingMessages(const CommunicationGraph &graph, const Epochs &epochs,
                                    const Dependencies &dependencies);

/// True where the message of `send` is one.
bool lastsBeyondEpoch(const CommunicationGraph &graph, const Epochs &epochs, Node send);

/// Adds the intervals in which messages received in `range` need a buffer, from `tail` nodes of the
/// rank on; lasting messages are counted apart. False where there are neither. Linear in the range.
bool addIntervals(const CommunicationGraph &graph, const Epochs &epochs,
                  const Dependencies &dependencies, const NodeRange &range, std::uint32_t tail,
                  BufferTimeline &timeline);

} // namespace sendwright

#endif
