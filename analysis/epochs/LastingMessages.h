// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that may lie in a buffer beyond their epoch: the program sent them without waiting, and
// their receive is posted in another epoch. Nobody waits for such a buffer, but until the receive
// is posted others may lack it, so it is counted wherever epochs need buffers.

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

/// For each rank, how many such messages it may hold at each of its nodes.
class LastingMessages {
public:
  bool empty() const { return ranks.empty(); }
  /// The most such messages at any node from position `first` to `last`. Ranges of one rank must
  /// not go back. Linear in the changes within the range.
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

/// Empty if there are no such messages. Linear in the graph, plus sorting such messages.
LastingMessages findLastingMessages(const CommunicationGraph &graph, const Epochs &epochs,
                                    const Dependencies &dependencies);

/// True if the message of `send` lasts beyond its epoch.
bool lastsBeyondEpoch(const CommunicationGraph &graph, const Epochs &epochs, Node send);

/// Adds the intervals in which messages received in `range` need a buffer, from node `tail` of the
/// rank on; lasting messages are counted separately. False if there are neither. Linear in the
/// range.
bool addIntervals(const CommunicationGraph &graph, const Epochs &epochs,
                  const Dependencies &dependencies, const NodeRange &range, std::uint32_t tail,
                  BufferTimeline &timeline);

} // namespace sendwright

#endif
