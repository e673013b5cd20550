// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one rank sends and receives in a redistribution, and in which order.
//
// Where each rank has one interval of each array before and after, all messages are known along the
// array, and the requested schedule is computed from them. Other patterns are ordered by the same
// function as long as there are few enough messages for every rank to know all of them. The rest
// are staggered: in round r each rank sends to the rank r places behind it. Messages that need no
// packing at either end are sent and received directly in the blocks; others in smaller chunks.
//
// In every order the messages can be carried out one after another at both ends. So a rank that
// packs may wait for one message before it has memory for the next.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_RANKSCHEDULE_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_RANKSCHEDULE_H

#include "analysis/redistribution/Messages.h"
#include "runtime/include/sendwright/redistribution.h"
#include "runtime/redistribution/MessageOrder.h"
#include "runtime/redistribution/SpanCursor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sendwright::redistribution {

/// The messages that a rank exchanges with one other rank, for all arrays together.
struct PeerMessage {
  int peer = 0;
  std::uint64_t bytes = 0;
  std::uint64_t chunkBytes = 0; ///< bytes of every chunk but the last; the same at both ends
  bool direct = false;          ///< packed at neither end
  std::vector<MessagePart> parts;
};

struct RankSchedule {
  /// Remote messages, in the order to send and to post receives. No message is empty.
  std::vector<PeerMessage> sends, receives;
  /// What stays on this rank, as it lies before and after.
  std::vector<MessagePart> keptBefore, keptAfter;
  std::uint64_t keptBytes = 0;
  std::uint64_t stagingBytes = 0; ///< for packing, on each side; 0: nothing is packed
  std::size_t memory = 0;         ///< bytes of this structure, approximately

  std::vector<RankMessages> outgoing, incoming; ///< referred to by the parts; one for each array
  RankSchedule() = default;
  RankSchedule(RankSchedule &&) = default; // moved vectors keep their elements where they are
  RankSchedule(const RankSchedule &) = delete;
};

/// The schedule of `rank`. `kind`: SENDWRIGHT_SCHEDULE_...; `known` may be null, and is used where
/// it fits. Throws std::bad_alloc. Linear in the rank's messages; in all messages where they are
/// ordered together.
RankSchedule scheduleOf(int rank, int ranks, std::span<const ArrayMotion> arrays, unsigned kind,
                        const sendwright_schedule *known, std::uint64_t memoryBound);

} // namespace sendwright::redistribution

#endif
