// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First the messages: both ends of each message must agree. Then the run: every rank advances until
// it waits, and again whenever what it waits for comes. Last the outcome: every rank must have what
// the operation promises it.
//
// A rank has a slot of blocks or pieces, or lacks it; a slot has the same content in all the run.
// In a reduction a rank has a value: its own contribution, or a combination of two values. A value
// that would combine more contributions than there are ranks must hold one twice, so larger values
// are refused.

#include "analysis/collectives/CollectiveContradictions.h"

#include "analysis/collectives/OperationPromise.h"
#include "analysis/run/LoopInstances.h"
#include "analysis/run/RankDriver.h"
#include "analysis/run/SlotMap.h"
#include "analysis/schedules/CollectiveSteps.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace sendwright {

namespace {

/// Larger plans are refused: schedules for the most ranks that are supported come nowhere near
/// this, and a short file may ask for any number.
constexpr std::uint64_t mostSlotsMoved = std::uint64_t{1} << 25;

struct Contradiction {
  std::string text;
};

class CollectiveRun {
public:
  CollectiveRun(const PlannedCollective &collective,
                const std::vector<const std::vector<CollectiveStep> *> &parts)
      : collective(collective), parts(parts),
        ranks(static_cast<std::uint32_t>(collective.communicator.members.size())),
        reduces(collective.operation == Collective::Reduce), driver(ranks, TurnOrder::LastWoken) {}

  /// Throws Contradiction.
  void check() {
    checkSlots();
    match();
    follow();
    checkOutcome();
  }

private:
  /// In a reduction: a contribution if `own` is noValue, otherwise two values combined.
  struct Value {
    std::uint32_t own = noValue, received = noValue; ///< of a contribution: the rank
    std::uint32_t contributions = 1;
  };
  static constexpr std::uint32_t noValue = UINT32_MAX, noRank = UINT32_MAX;
  struct Message {
    std::uint32_t from = 0, to = 0;
    const CollectiveStep *step = nullptr;
    bool sent = false;
    bool reached = false;               ///< its receiver has come to the receive
    std::uint32_t waiting = noRank;     ///< the rank that waits for the message to be sent, or to
                                        ///< be reached
    std::vector<std::uint32_t> carried; ///< in a reduction: the slots' values when it was sent
  };
  struct Member {
    std::vector<std::uint32_t> messages; ///< by step
    std::size_t next = 0;                ///< step
    SlotMap held, passed;                ///< slots that came; those that were sent
    std::uint64_t destined = 0;          ///< how many slots came that the operation promises the
                                         ///< rank
    SlotMap values;                      ///< in a reduction: values other than the rank's
                                         ///< contribution
    SlotMap sends;                       ///< in a reduction, by slot: the last entry of `sentSlots`
  };

  [[noreturn]] void fail(const std::string &text) const { throw Contradiction{text}; }
  std::string rankName(std::uint32_t member) const {
    return "rank " + std::to_string(collective.communicator.members[member]);
  }
  template <typename Visit> static void forEachSlot(const CollectiveStep &step, Visit visit) {
    for (const SlotRange &range : step.slots)
      for (std::uint32_t index = 0; index < range.count; ++index)
        visit(range.first + index);
  }

  /// In a reduction: a message sent with a slot, and the previous such message with the same slot.
  struct SentSlot {
    std::uint32_t message = 0, before = noSend; ///< `before`: index into `sentSlots`
  };
  static constexpr std::uint32_t noSend = UINT32_MAX;

  void checkSlots();
  void checkSlots(std::uint32_t member, const CollectiveStep &step, std::uint64_t &moved) const;
  void checkTwice(const CollectiveStep &step, const std::function<std::string()> &where) const;
  std::uint64_t bytesOf(const CollectiveStep &step) const;
  void match();
  void matchReceives(std::uint32_t to, const std::vector<std::uint32_t> &inbox);
  void compare(const Message &message, const CollectiveStep &receive) const;
  void follow();
  RankProgress advance(std::uint32_t member);
  bool mayChange(std::uint32_t member, const CollectiveStep &step);
  void send(std::uint32_t member, Message &message);
  void receive(std::uint32_t member, const Message &message);
  void wake(Message &message);
  std::uint32_t valueOf(Member &one, std::uint32_t member, std::uint32_t slot);
  std::uint32_t combine(std::uint32_t own, std::uint32_t received, std::uint32_t member);
  void checkOutcome();
  void checkReduced(std::uint32_t slot, std::uint32_t value);

  const PlannedCollective &collective;
  const std::vector<const std::vector<CollectiveStep> *> &parts;
  const OperationPromise promise{collective};
  const std::uint32_t ranks;
  const bool reduces;
  std::vector<Message> messages;
  std::vector<Member> members;
  std::vector<Value> values; ///< begins with each rank's contribution
  std::vector<SentSlot> sentSlots;
  std::vector<std::size_t> nextOf; ///< by sender: its next message to the current receiver
  RankDriver driver;               ///< of members
  std::vector<std::uint32_t> seen; ///< by rank: the last slot + 1 whose result contains its
                                   ///< contribution
};

/// The bytes of a message's slots if the operation has PlannedCollective::bytes.
std::uint64_t CollectiveRun::bytesOf(const CollectiveStep &step) const {
  const bool pieces =
      collective.operation == Collective::Broadcast || collective.operation == Collective::Reduce;
  std::uint64_t bytes = 0;
  for (const SlotRange &range : step.slots)
    bytes += pieces ? bytesBefore(collective.bytes, range.first + range.count, collective.slots) -
                          bytesBefore(collective.bytes, range.first, collective.slots)
                    : collective.bytes * range.count;
  return bytes;
}

void CollectiveRun::checkTwice(const CollectiveStep &step,
                               const std::function<std::string()> &where) const {
  std::vector<SlotRange> sorted = step.slots;
  std::sort(sorted.begin(), sorted.end(),
            [](const SlotRange &one, const SlotRange &two) { return one.first < two.first; });
  for (std::size_t index = 1; index < sorted.size(); ++index)
    if (sorted[index - 1].first + sorted[index - 1].count > sorted[index].first)
      fail(where() + " with slot " + std::to_string(sorted[index].first) + " twice");
}

void CollectiveRun::checkSlots(std::uint32_t member, const CollectiveStep &step,
                               std::uint64_t &moved) const {
  const auto where = [&] {
    return rankName(member) + (step.isSend ? " sends " : " receives ") + "a message " +
           (step.isSend ? "to " : "from ") + rankName(step.peer);
  };
  if (step.peer >= ranks || step.peer == member)
    fail(rankName(member) + " has itself, or a rank that does not exist, as its peer");
  std::uint64_t count = 0;
  for (const SlotRange &range : step.slots) {
    if (range.first >= collective.slots || range.count > collective.slots - range.first)
      fail(where() + " with slots that do not exist");
    count += range.count;
  }
  if (count == 0)
    fail(where() + " without a slot");
  if (step.slots.size() > 1)
    checkTwice(step, where);
  moved += count;
  if (moved > mostSlotsMoved)
    fail("its messages carry more than " + std::to_string(mostSlotsMoved) + " slots");
  if (step.bytes != bytesOf(step))
    fail(where() + " of " + std::to_string(step.bytes) + " bytes, whose slots have " +
         std::to_string(bytesOf(step)));
  if (!reduces && step.arrival != Arrival::Store)
    fail(where() + " that is combined, which a " + std::string(nameOf(collective.operation)) +
         " does not do");
}

void CollectiveRun::checkSlots() {
  constexpr std::uint64_t mostBytes = std::uint64_t{1} << 48; // so that no sum overflows
  if (collective.bytes > mostBytes)
    fail(std::to_string(collective.bytes) + " bytes, which no program has");
  std::uint64_t moved = 0;
  for (std::uint32_t member = 0; member < ranks; ++member)
    for (const CollectiveStep &step : *parts[member])
      checkSlots(member, step, moved);
}

/// Whether two lists of ranges mean the same slots, however the slots are divided into ranges.
bool sameSlots(const std::vector<SlotRange> &one, const std::vector<SlotRange> &two) {
  if (one == two)
    return true;
  std::vector<std::uint32_t> all[2];
  for (const auto &[ranges, list] : {std::pair(&one, &all[0]), std::pair(&two, &all[1])})
    for (const SlotRange &range : *ranges)
      for (std::uint32_t index = 0; index < range.count; ++index)
        list->push_back(range.first + index);
  return all[0] == all[1];
}

/// A slot that one message has and the other lacks, for the text; otherwise the first slot.
std::uint32_t firstOnlyIn(const std::vector<SlotRange> &one, const std::vector<SlotRange> &two) {
  for (const SlotRange &range : one)
    for (std::uint32_t slot = range.first; slot - range.first < range.count; ++slot)
      if (std::none_of(two.begin(), two.end(), [&](const SlotRange &other) {
            return slot >= other.first && slot - other.first < other.count;
          }))
        return slot;
  return one.front().first;
}

void CollectiveRun::compare(const Message &message, const CollectiveStep &receive) const {
  const CollectiveStep &send = *message.step;
  const std::string from = rankName(message.from), to = rankName(message.to);
  if (!sameSlots(send.slots, receive.slots))
    fail(to + " receives slot " + std::to_string(firstOnlyIn(receive.slots, send.slots)) +
         " from " + from + ", which sends other slots, or in another order");
  if (send.bytes != receive.bytes)
    fail(to + " receives " + std::to_string(receive.bytes) + " bytes from " + from +
         ", which sends " + std::to_string(send.bytes));
  if (send.arrival != receive.arrival)
    fail(to + " stores or combines the message from " + from +
         " otherwise than its sender expects");
}

void CollectiveRun::matchReceives(std::uint32_t to, const std::vector<std::uint32_t> &inbox) {
  // The messages of one sender are consecutive, in the order of sending.
  for (std::size_t index = inbox.size(); index-- > 0;)
    nextOf[messages[inbox[index]].from] = index;
  std::size_t received = 0;
  Member &member = members[to];
  const std::vector<CollectiveStep> &steps = *parts[to];
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const CollectiveStep &step = steps[index];
    if (step.isSend)
      continue;
    std::size_t &next = nextOf[step.peer];
    if (next >= inbox.size() || messages[inbox[next]].from != step.peer)
      fail(rankName(to) + " receives slot " + std::to_string(step.slots.front().first) + " from " +
           rankName(step.peer) + ", which does not send it");
    const std::uint32_t message = inbox[next++];
    compare(messages[message], step);
    member.messages[index] = message;
    ++received;
  }
  for (std::size_t index = 0; index < inbox.size(); ++index)
    if (const Message &message = messages[inbox[index]];
        received < inbox.size() && index >= nextOf[message.from])
      fail(rankName(message.from) + " sends slot " +
           std::to_string(message.step->slots.front().first) + " to " + rankName(to) +
           ", which does not receive it");
}

void CollectiveRun::match() {
  members.resize(ranks);
  nextOf.resize(ranks);
  std::vector<std::vector<std::uint32_t>> inboxes(ranks);
  for (std::uint32_t from = 0; from < ranks; ++from) {
    const std::vector<CollectiveStep> &steps = *parts[from];
    members[from].messages.resize(steps.size());
    for (std::size_t index = 0; index < steps.size(); ++index) {
      if (!steps[index].isSend)
        continue;
      const auto message = static_cast<std::uint32_t>(messages.size());
      members[from].messages[index] = message;
      inboxes[steps[index].peer].push_back(message);
      messages.push_back({from, steps[index].peer, &steps[index], false, false, noRank, {}});
    }
  }
  for (std::uint32_t to = 0; to < ranks; ++to)
    matchReceives(to, inboxes[to]);
}

std::uint32_t CollectiveRun::valueOf(Member &one, std::uint32_t member, std::uint32_t slot) {
  const std::uint32_t *known = one.values.find(slot);
  return known ? *known : member;
}

std::uint32_t CollectiveRun::combine(std::uint32_t own, std::uint32_t received,
                                     std::uint32_t member) {
  const std::uint64_t contributions =
      std::uint64_t{values[own].contributions} + values[received].contributions;
  if (contributions > ranks)
    fail(rankName(member) + " combines a contribution twice");
  values.push_back({own, received, static_cast<std::uint32_t>(contributions)});
  return static_cast<std::uint32_t>(values.size() - 1);
}

void CollectiveRun::wake(Message &message) {
  if (message.waiting != noRank)
    driver.wake(message.waiting);
  message.waiting = noRank;
}

void CollectiveRun::send(std::uint32_t member, Message &message) {
  Member &one = members[member];
  const auto number = static_cast<std::uint32_t>(&message - messages.data());
  const bool once = !reduces && collective.operation != Collective::Broadcast &&
                    collective.operation != Collective::Allgather;
  forEachSlot(*message.step, [&](std::uint32_t slot) {
    const auto slotName = [&] { return " slot " + std::to_string(slot) + " to "; };
    if (reduces) {
      message.carried.push_back(valueOf(one, member, slot));
      const std::uint32_t *before = one.sends.find(slot);
      sentSlots.push_back({number, before ? *before : noSend});
      one.sends.set(slot, static_cast<std::uint32_t>(sentSlots.size() - 1));
      return;
    }
    if (!promise.owns(member, slot) && !one.held.find(slot))
      fail(rankName(member) + " sends" + slotName() + rankName(message.to) +
           ", which it does not have yet");
    if (once && !promise.owns(member, slot) && promise.isFor(member, slot))
      fail(rankName(member) + " passes on" + slotName() + rankName(message.to) +
           ", which is its own");
    if (once && !one.passed.insert(slot, 0))
      fail(rankName(member) + " sends" + slotName() + rankName(message.to) +
           ", and has sent it before");
  });
  message.sent = true;
  wake(message);
}

void CollectiveRun::receive(std::uint32_t member, const Message &message) {
  Member &one = members[member];
  std::size_t index = 0;
  forEachSlot(*message.step, [&](std::uint32_t slot) {
    if (reduces) {
      const std::uint32_t received = message.carried[index++];
      one.values.set(slot, message.step->arrival == Arrival::Store
                               ? received
                               : combine(valueOf(one, member, slot), received, member));
      return;
    }
    const bool isNew = !promise.owns(member, slot) && one.held.insert(slot, 0);
    if (!isNew && collective.operation != Collective::Broadcast)
      fail(rankName(member) + " receives slot " + std::to_string(slot) + " from " +
           rankName(message.from) + ", but has it already");
    one.destined += isNew && promise.isFor(member, slot);
  });
}

/// A value that a rank combines into may still be leaving the rank. The runtime then waits until it
/// has left, which may take until its receiver reaches the receive.
bool CollectiveRun::mayChange(std::uint32_t member, const CollectiveStep &step) {
  bool may = true;
  Member &one = members[member];
  forEachSlot(step, [&](std::uint32_t slot) {
    std::uint32_t *last = may ? one.sends.find(slot) : nullptr;
    for (; last && *last != noSend; *last = sentSlots[*last].before)
      if (Message &sent = messages[sentSlots[*last].message]; !sent.reached) {
        sent.waiting = member;
        may = false;
        return;
      }
  });
  return may;
}

RankProgress CollectiveRun::advance(std::uint32_t member) {
  Member &one = members[member];
  if (one.next == parts[member]->size())
    return RankProgress::Ended;
  Message &message = messages[one.messages[one.next]];
  if ((*parts[member])[one.next].isSend) {
    send(member, message);
    ++one.next;
    return RankProgress::Advanced;
  }
  if (!message.reached) {
    message.reached = true;
    if (message.sent) // otherwise nobody waits for it
      wake(message);
  }
  if (!message.sent) {
    message.waiting = member;
    return RankProgress::Blocked;
  }
  if (reduces && !mayChange(member, *message.step))
    return RankProgress::Blocked;
  receive(member, message);
  ++one.next;
  return RankProgress::Advanced;
}

void CollectiveRun::follow() {
  if (reduces) {
    values.resize(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      values[rank].received = rank;
  }
  driver.run([&](std::size_t member) { return advance(static_cast<std::uint32_t>(member)); });
  if (const auto member = driver.firstStuck())
    fail(rankName(static_cast<std::uint32_t>(*member)) + " waits for " +
         rankName((*parts[*member])[members[*member].next].peer) +
         " for good: ranks wait for one another in a circle");
}

/// Whether a value made of as many contributions as there are ranks holds each rank's once.
void CollectiveRun::checkReduced(std::uint32_t slot, std::uint32_t value) {
  seen.resize(ranks);
  std::vector<std::uint32_t> open{value};
  while (!open.empty()) {
    const Value at = values[open.back()];
    open.pop_back();
    if (at.own != noValue) {
      open.push_back(at.own);
      open.push_back(at.received);
    } else if (seen[at.received] == slot + 1) {
      fail("the result has the contribution of " + rankName(at.received) + " twice in slot " +
           std::to_string(slot));
    } else {
      seen[at.received] = slot + 1;
    }
  }
}

void CollectiveRun::checkOutcome() {
  if (!reduces) {
    for (std::uint32_t member = 0; member < ranks; ++member)
      if (members[member].destined != promise.count(member))
        fail(rankName(member) + " gets " + std::to_string(members[member].destined) + " of the " +
             std::to_string(promise.count(member)) + " slots that the operation promises it");
    return;
  }
  for (std::uint32_t slot = 0; slot < collective.slots; ++slot) {
    const std::uint32_t value = valueOf(members[collective.root], collective.root, slot);
    if (values[value].contributions != ranks)
      fail("the result has the contributions of " + std::to_string(values[value].contributions) +
           " ranks in slot " + std::to_string(slot) + ", expected " + std::to_string(ranks));
    checkReduced(slot, value);
  }
}

/// Checks everything about a collective but its steps.
std::optional<std::string> contradictionInHead(const PlannedCollective &collective) {
  const std::vector<CollectiveAlgorithm> &algorithms = algorithmsOf(collective.operation);
  const bool isKnown =
      std::any_of(algorithms.begin(), algorithms.end(),
                  [&](const CollectiveAlgorithm &one) { return one.name == collective.algorithm; });
  if (!isKnown && !callsLibrary(collective))
    return "'" + collective.algorithm + "', which is not an algorithm of " +
           withArticle(collective.operation);
  if (collective.root >= collective.communicator.members.size())
    return "a root that does not exist";
  if (!hasRoot(collective.operation) && collective.root != 0)
    return "rank " + std::to_string(collective.root) + " as the root, which " +
           withArticle(collective.operation) + " does not have";
  const std::size_t ranks = collective.communicator.members.size();
  const bool fits =
      collective.slots == slotsOf(collective.operation, ranks, false) ||
      (collective.slots == slotsOf(collective.operation, ranks, true) && !callsLibrary(collective));
  if (!fits)
    return std::to_string(collective.slots) + " slots, which " + withArticle(collective.operation) +
           " of " + std::to_string(ranks) + " ranks by " + collective.algorithm + " does not have";
  if (callsLibrary(collective) && collective.bytes > mostLibraryBytes)
    return std::to_string(collective.bytes) + " bytes by " + collective.algorithm +
           ", which is for up to " + std::to_string(mostLibraryBytes);
  return {};
}

} // namespace

std::optional<std::string>
contradictionIn(const PlannedCollective &collective,
                const std::vector<const std::vector<CollectiveStep> *> &parts) {
  if (std::optional<std::string> problem = contradictionInHead(collective))
    return problem;
  if (callsLibrary(collective)) {
    const bool anySteps =
        std::any_of(parts.begin(), parts.end(), [](const auto *steps) { return !steps->empty(); });
    return anySteps ? std::optional(collective.algorithm + " is called, and a rank has steps")
                    : std::nullopt;
  }
  try {
    CollectiveRun(collective, parts).check();
    return {};
  } catch (const Contradiction &found) {
    return found.text;
  }
}

} // namespace sendwright
