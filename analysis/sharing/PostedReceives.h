// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank tells another before it looks for no messages for a while: which receives from that
// rank it has posted. From this the other rank knows which of its messages are sure to be received,
// so that a synchronous send need not wait for the receiver's runtime.
//
// Messages of a pair are numbered, all together and those of each tag. A receive stays posted until
// it gets a message, so the following holds whatever is still under way:
//
// - A receive with a tag takes only messages with this tag. So as many untaken messages with the
//   tag are sure to be received as there are such receives.
// - A message is not received only if the receives of its tag, and those of any tag, have all got
//   earlier messages. So it is sure to be if fewer messages precede it than there are of both.
//
// A receive from any source may get some of these messages. Then others here are left for the next.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_POSTEDRECEIVES_H
#define SENDWRIGHT_ANALYSIS_SHARING_POSTEDRECEIVES_H

#include <cstdint>
#include <vector>

namespace sendwright {

/// The receives that a rank has posted for the messages of one other rank alone, on one
/// communicator. Numbers count from 0 and may wrap.
struct PostedReceives {
  struct OfTag {
    std::int32_t tag = 0;
    std::uint32_t first = 0; ///< number of the first message with the tag that no receive has taken
    std::uint32_t count = 0; ///< receives
  };
  std::uint32_t first = 0;    ///< number of the first message that no receive has taken
  std::uint32_t ofAnyTag = 0; ///< receives
  std::vector<OfTag> ofTags;  ///< each tag once

  /// Whether the message is sure to be received. `number` is among all messages, `tagNumber` among
  /// those with its tag. Of messages that receives have already taken it may say no.
  bool areSureToReceive(std::int32_t tag, std::uint32_t number, std::uint32_t tagNumber) const;
};

} // namespace sendwright

#endif
