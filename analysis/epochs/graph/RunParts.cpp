// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/graph/RunParts.h"

#include <algorithm>
#include <utility>

namespace sendwright {

RunParts::RunParts(const Profile &profile, const GraphBuilder &builder, std::uint64_t events)
    : profile(profile), shapes(builder.eventShapes()), channels(builder.messageChannels()),
      taken(profile.ranks.size()), collectives(builder.collectiveSequences().communicatorCount()) {
  std::uint64_t length = 0;
  ranks.reserve(profile.ranks.size());
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    ranks.emplace_back(profile.ranks[rank].sequence);
    length += ranks.back().length;
    possible = possible && !profile.ranks[rank].truncated;
    findEffects(rank, builder.collectiveSequences());
  }
  underWay.resize(channels.size());
  parts = std::max<std::uint64_t>(1, length / std::max<std::uint64_t>(1, events));
}

/// A posted receive that takes its message from a channel that only its completion tells.
bool RunParts::waitsForMatch(const EventShape &shape) const {
  return shape.nodes == 1 && shape.kinds[0] == NodeKind::PostedReceive &&
         (shape.channel == noNode || channels[shape.channel].tag == anyTag);
}

void RunParts::findEffects(std::uint32_t rank, const CollectiveSequences &sequences) {
  std::unordered_map<std::uint32_t, std::uint32_t> slotOf; // by communicator
  const std::vector<Event> &events = profile.ranks[rank].events;
  for (std::uint32_t number = 0; number < events.size(); ++number) {
    const EventShape &shape = shapes.ofRank(rank)[number];
    Effect &effect = ranks[rank].effects.emplace_back();
    effect.hasNodes = shape.nodes > 0;
    if (shape.nodes == 0)
      continue;
    const NodeKind kind = shape.kinds[0];
    if (shape.nodes == 3) {
      effect.sends = shape.channel;
      effect.receives = shape.receiveChannel;
    } else if (isSendKind(kind)) {
      effect.sends = shape.channel;
    } else if (isReceiveKind(kind) && !waitsForMatch(shape)) {
      effect.receives = shape.channel;
    }
    if (kind == NodeKind::Receive) {
      effect.waitsFor = effect.receives;
      possible = possible && shape.channel != noNode; // MPI_Imrecv from any source
    }
    if (effect.receives != none && channels[effect.receives].tag == anyTag)
      possible = false; // which message it takes depends on other channels
    if (kind == NodeKind::Wait && mpiFunction(events[number].function).role == MpiRole::Cancel)
      possible = false; // a receive may turn out to take no message
    if (shape.nodes == 1 &&
        (kind == NodeKind::Wait || kind == NodeKind::PostedSend ||
         kind == NodeKind::PostedReceive || kind == NodeKind::PostedSynchronousSend ||
         kind == NodeKind::PostedBufferedSend))
      effect.isPlain = false;
    if (kind != NodeKind::Collective && kind != NodeKind::PostedCollective)
      continue;
    effect.isPlain = false;
    const std::uint32_t communicator = sequences.communicator(rank, events[number].communicator);
    possible = possible && !sequences.isIntercommunicator(communicator);
    const auto [place, isNew] =
        slotOf.try_emplace(communicator, static_cast<std::uint32_t>(ranks[rank].slots.size()));
    if (isNew) {
      ranks[rank].slots.push_back({communicator, 0});
      collectives[communicator].members.emplace_back(rank, place->second);
    }
    effect.slot = place->second;
  }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> RunParts::partners() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  result.reserve(channels.size());
  for (std::uint32_t channel = 0; channel < channels.size(); ++channel)
    result.emplace_back(channels[channel].sender, channels[channel].receiver);
  for (const CollectiveCalls &each : collectives)
    for (std::size_t i = 0; i < each.members.size(); ++i)
      result.emplace_back(each.members[i > 0 ? i - 1 : 0].first, each.members[i].first);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

NextPart RunParts::next() {
  if (!possible)
    return NextPart::Impossible;
  for (std::vector<std::uint32_t> &each : taken)
    each.clear();
  for (Rank &rank : ranks)
    for (Slot &slot : rank.slots)
      slot = {slot.communicator};
  for (CollectiveCalls &each : collectives) {
    each.most = each.waiting = 0;
    each.calls = 0;
  }
  if (!takeFractions())
    return std::all_of(ranks.begin(), ranks.end(),
                       [](const Rank &each) { return each.cursor.atEnd(); })
               ? NextPart::End
               : NextPart::Impossible;
  return close() && possible ? NextPart::Found : NextPart::Impossible;
}

void RunParts::wake(std::uint32_t rank) {
  if (std::exchange(ranks[rank].isQueued, true))
    return;
  turns.push_back(rank);
}

/// False if no rank can go on.
bool RunParts::takeFractions() {
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    ranks[rank].left = (ranks[rank].length + parts - 1) / parts;
    ranks[rank].blockedOn = none;
    wake(rank);
  }
  bool any = false;
  while (!turns.empty()) {
    const std::uint32_t rank = turns.front();
    turns.pop_front();
    ranks[rank].isQueued = false;
    any = takeFraction(rank) || any;
  }
  return any;
}

bool RunParts::takeFraction(std::uint32_t rank) {
  Rank &own = ranks[rank];
  bool any = false;
  for (; own.left > 0 && !own.cursor.atEnd(); any = true) {
    const Effect &effect = own.effects[own.cursor.number()];
    if ((effect.waitsFor != none || effect.slot != none) && isHeld(rank, effect))
      break;
    --own.left;
    take(rank);
    if (effect.sends != none)
      if (const std::uint32_t receiver = channels[effect.sends].receiver;
          ranks[receiver].blockedOn == effect.sends)
        wake(receiver);
  }
  return any;
}

/// Whether the rank's next call waits for others. If the rank is the last that a collective
/// operation waits for, all of its ranks go on.
bool RunParts::isHeld(std::uint32_t rank, const Effect &effect) {
  Rank &own = ranks[rank];
  own.blockedOn = none;
  if (effect.waitsFor != none && underWay[effect.waitsFor] <= 0) {
    own.blockedOn = effect.waitsFor;
    return true;
  }
  if (effect.slot == none)
    return false;
  Slot &slot = own.slots[effect.slot];
  CollectiveCalls &calls = collectives[slot.communicator];
  if (slot.calls < calls.most)
    return false;
  if (std::exchange(slot.isWaiting, true))
    return true;
  if (++calls.waiting < calls.members.size())
    return true;
  calls.waiting = 0;
  ++calls.most;
  for (const auto &[member, place] : calls.members) {
    ranks[member].slots[place].isWaiting = false;
    wake(member);
  }
  return false;
}

void RunParts::take(std::uint32_t rank) {
  Rank &own = ranks[rank];
  const std::uint32_t number = own.cursor.number();
  own.cursor.next();
  const Effect &effect = own.effects[number];
  if (!effect.hasNodes)
    return;
  taken[rank].push_back(number);
  if (effect.sends != none)
    count(effect.sends, 1);
  if (effect.receives != none)
    count(effect.receives, -1);
  if (!effect.isPlain)
    takeSpecial(rank, number, effect);
}

void RunParts::count(std::uint32_t channel, std::int64_t change) {
  underWay[channel] += change;
  if (closing && underWay[channel] != 0)
    unfinished.push_back({Unfinished::Channel, channel});
}

void RunParts::takeSpecial(std::uint32_t rank, std::uint32_t number, const Effect &effect) {
  Rank &own = ranks[rank];
  const Event &event = profile.ranks[rank].events[number];
  const EventShape &shape = shapes.ofRank(rank)[number];
  if (effect.slot != none) {
    const std::uint32_t communicator = own.slots[effect.slot].communicator;
    CollectiveCalls &calls = collectives[communicator];
    calls.most = std::max(calls.most, ++own.slots[effect.slot].calls);
    ++calls.calls;
    if (closing && !calls.isEven())
      unfinished.push_back({Unfinished::Collectives, communicator});
  }
  if (shape.kinds[0] == NodeKind::Wait) {
    endRequests(rank, event);
  } else if (shape.kinds[0] != NodeKind::Collective) {
    for (int request : event.requests)
      own.open[request] = waitsForMatch(shape) ? number : none;
    if (closing && !own.open.empty())
      unfinished.push_back({Unfinished::Requests, rank});
  }
}

void RunParts::endRequests(std::uint32_t rank, const Event &event) {
  Rank &own = ranks[rank];
  for (const WildcardMatch &match : event.matches) {
    const auto found = own.open.find(match.request);
    if (found == own.open.end() || found->second == none)
      continue;
    const std::uint32_t channel =
        shapes.receiveChannel(rank, profile.ranks[rank].events[found->second], &match);
    found->second = none;
    if (channel < underWay.size() && channels[channel].tag != anyTag)
      count(channel, -1);
    else
      possible = false; // no send has this channel
  }
  for (int request : event.requests)
    if (const auto found = own.open.find(request); found != own.open.end()) {
      possible = possible && found->second == none; // nobody says which message it took
      own.open.erase(found);
    }
}

void RunParts::collectUnfinished() {
  for (std::uint32_t channel = 0; channel < underWay.size(); ++channel)
    if (underWay[channel] != 0)
      unfinished.push_back({Unfinished::Channel, channel});
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    if (!ranks[rank].open.empty())
      unfinished.push_back({Unfinished::Requests, rank});
  for (std::uint32_t communicator = 0; communicator < collectives.size(); ++communicator)
    if (!collectives[communicator].isEven())
      unfinished.push_back({Unfinished::Collectives, communicator});
}

/// False if the run ends before everything is closed.
bool RunParts::close() {
  collectUnfinished();
  closing = true;
  bool closed = true;
  while (closed && !unfinished.empty()) {
    const Unfinished each = unfinished.back();
    unfinished.pop_back();
    closed = finish(each);
  }
  unfinished.clear();
  closing = false;
  return closed;
}

bool RunParts::advance(std::uint32_t rank) {
  if (ranks[rank].cursor.atEnd())
    return false;
  take(rank);
  return true;
}

bool RunParts::finish(const Unfinished &each) {
  if (each.kind == Unfinished::Channel) {
    const MessageChannel &channel = channels[each.number];
    while (underWay[each.number] != 0)
      if (!advance(underWay[each.number] > 0 ? channel.receiver : channel.sender))
        return false;
    return true;
  }
  if (each.kind == Unfinished::Requests) { // a program need not complete what it posts
    while (!ranks[each.number].open.empty() && advance(each.number)) {
    }
    return true;
  }
  CollectiveCalls &calls = collectives[each.number];
  for (const auto &[rank, slot] : calls.members)
    while (ranks[rank].slots[slot].calls < calls.most)
      if (!advance(rank))
        return false;
  return true;
}

} // namespace sendwright
