// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of a timeline, found from the events that post and complete them.

#ifndef SENDWRIGHT_ANALYSIS_SIMULATION_RUNMESSAGES_H
#define SENDWRIGHT_ANALYSIS_SIMULATION_RUNMESSAGES_H

#include "analysis/run/Timeline.h"

#include <cstdint>
#include <vector>

namespace sendwright {

class RunMessages {
public:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// `timeline` must outlive this object. Linear; four bytes for each event and twelve for each
  /// message.
  explicit RunMessages(const Timeline &timeline) : timeline(timeline) {
    const std::size_t count = timeline.messages.size();
    firstSend.resize(timeline.ranks.size() + 1, static_cast<std::uint32_t>(count));
    std::size_t events = 0;
    for (const RankTimeline &rank : timeline.ranks) {
      offsets.push_back(events);
      events += rank.size() + 1;
    }
    heads.assign(events, none);
    nextAtReceiver.assign(count, none);
    nextAtSender.assign(count, none);
    nextPosted.assign(count, none);
    // Backwards, so that each list is in the order of the messages.
    for (auto index = static_cast<std::uint32_t>(count); index-- > 0;)
      enter(index);
    for (std::size_t rank = timeline.ranks.size(); rank-- > 0;)
      firstSend[rank] = std::min(firstSend[rank], firstSend[rank + 1]);
  }

  /// The first message that the rank sends; others follow in the order of its sends.
  std::uint32_t firstSentBy(std::size_t rank) const { return firstSend[rank]; }

  /// Calls posted(message) for messages whose receive is posted here, and sent(message) and
  /// received(message) for messages whose send or receive is completed here by a separate call.
  template <typename Posted, typename Sent, typename Received>
  void at(std::size_t rank, std::size_t position, Posted &&posted, Sent &&sent,
          Received &&received) const {
    for (std::uint32_t item = heads[offsets[rank] + position]; item != none;) {
      const std::uint32_t message = item / 3;
      switch (item % 3) {
      case postedHere:
        posted(message);
        item = nextPosted[message];
        break;
      case sentHere:
        sent(message);
        item = nextAtSender[message];
        break;
      default:
        received(message);
        item = nextAtReceiver[message];
      }
    }
  }

private:
  enum : std::uint32_t { postedHere, sentHere, receivedHere };

  void enter(std::uint32_t index) {
    const MatchedMessage &message = timeline.messages[index];
    if (message.send.position != noPosition)
      firstSend[message.send.rank] = index;
    if (!message.matched())
      return;
    if (message.completion != noPosition)
      push(message.receive.rank, message.completion, 3 * index + receivedHere,
           nextAtReceiver[index]);
    if (message.sendCompletion != noPosition && message.sendCompletion != message.send.position)
      push(message.send.rank, message.sendCompletion, 3 * index + sentHere, nextAtSender[index]);
    push(message.receive.rank, message.receive.position, 3 * index + postedHere, nextPosted[index]);
  }

  void push(std::size_t rank, std::size_t position, std::uint32_t item, std::uint32_t &next) {
    std::uint32_t &head = heads[offsets[rank] + position];
    next = head;
    head = item;
  }

  const Timeline &timeline;
  std::vector<std::size_t> offsets; // by rank, into heads
  std::vector<std::uint32_t> heads; // by event: a list of 3 * message + what happens to it
  std::vector<std::uint32_t> nextAtReceiver, nextAtSender, nextPosted;
  std::vector<std::uint32_t> firstSend;
};

} // namespace sendwright

#endif
