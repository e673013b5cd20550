// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one rank sends and receives in a redistribution, and in which order.
//
// Where each rank has one interval of each array before and after, all messages are known along the
// array, and the schedule that was asked for is computed from them. Other patterns are ordered
// by the same function as long as there are not too many messages for every rank to know all of
// them. The rest are staggered: in round r each rank sends to the one r places behind it. Messages
// that need not be packed at either end are sent from and into the blocks themselves; others in
// smaller chunks.
//
// In every order the messages can be done one after another at both ends. So a rank that packs may
// wait for one message before it has memory for the next.

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

/// The messages that a rank exchanges with one other: all arrays together.
struct PeerMessage {
  int peer = 0;
  std::uint64_t bytes = 0;
  std::uint64_t chunkBytes = 0; ///< all chunks but the last have as many; the same at both ends
  bool direct = false;          ///< packed at neither end
  std::vector<MessagePart> parts;
};

struct RankSchedule {
  /// Remote messages, in the order to send and to post receives. Never empty ones.
  std::vector<PeerMessage> sends, receives;
  /// What stays, as it lies before and after.
  std::vector<MessagePart> keptBefore, keptAfter;
  std::uint64_t keptBytes = 0;
  std::uint64_t stagingBytes = 0; ///< for packing, at each side; 0: nothing is packed
  std::size_t memory = 0;         ///< of this structure, about

  std::vector<RankMessages> outgoing, incoming; ///< what the parts refer to, one each array
  RankSchedule() = default;
  RankSchedule(RankSchedule &&) = default; // vectors keep their elements where they are
  RankSchedule(const RankSchedule &) = delete;
};

/// The schedule of `rank`. `kind`: SENDWRIGHT_SCHEDULE_...; `known`, which may be null, is used
/// where it fits. Throws std::bad_alloc. Linear in the rank's messages, and in
/// all messages where they are ordered together.
RankSchedule scheduleOf(int rank, int ranks, std::span<const ArrayMotion> arrays, unsigned kind,
                        const sendwright_schedule *known, std::uint64_t memoryBound);

} // namespace sendwright::redistribution

#endif
