// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/Routes.h"

#include "runtime/sharing/planned/SharedCommunicator.h"

#include <algorithm>
#include <cstring>

namespace sendwright::exchange {

namespace {

/// The number of the message that tells how many messages came before it.
constexpr std::uint64_t lastMessage = UINT64_MAX;

void addOnce(std::vector<std::uint32_t> &list, std::uint32_t value) {
  if (std::find(list.begin(), list.end(), value) == list.end())
    list.push_back(value);
}

} // namespace

Routes::Routes(const RankExchange &part, int rank, Link &link, RouteKinds kinds, std::string name,
               Delivery delivery, Straight straight)
    : part(part), link(link), kinds(kinds), name(std::move(name)), delivery(std::move(delivery)),
      straight(std::move(straight)) {
  connect(rank);
  for (Incoming &channel : incoming)
    if (!kinds.key)
      link.listen(channel.peer, kinds.first + kinds.step * channel.stage,
                  [this, &channel](int, std::uint64_t number, std::span<std::byte> message) {
                    arrive(channel, number, message);
                  });
}

/// An empty message with room for the header, and for the key if there is one.
std::vector<std::byte> Routes::emptyMessage(int stage) const {
  std::vector<std::byte> bytes = link.buffer();
  if (kinds.key) {
    const std::uint64_t key = *kinds.key | static_cast<std::uint64_t>(stage);
    const auto *begin = reinterpret_cast<const std::byte *>(&key);
    bytes.insert(bytes.end(), begin, begin + sizeof key);
  }
  return bytes;
}

void Routes::send(Outgoing &out, std::uint64_t number, std::vector<std::byte> &&message) {
  link.send(out.peer, kinds.first + kinds.step * out.stage, number, std::move(message));
}

std::span<std::byte> Routes::recordsOf(Waiting &message) const {
  return std::span(message.bytes)
      .subspan(sizeof(MessageHeader) + (kinds.key ? sizeof(std::uint64_t) : 0));
}

/// From the transfers of each stage, finds which of them contribute to which.
void Routes::connect(int rank) {
  struct Came {
    Incoming *channel = nullptr;
    std::size_t place = 0;
  };
  std::vector<Came> came(part.messages.size());
  for (std::size_t stage = 0; stage < part.stages.size(); ++stage) {
    for (const Transfer &transfer : part.stages[stage].sends) {
      const auto number = static_cast<std::uint32_t>(outgoing.size());
      outgoing.push_back({transfer.peer, static_cast<int>(stage), &transfer.messages, 0, 0, {}, 0});
      for (std::uint32_t place = 0; place < transfer.messages.size(); ++place) {
        const std::uint32_t message = transfer.messages[place];
        if (Came &from = came[message]; from.channel) {
          from.channel->places[from.place] = {message, false, number, place};
          addOnce(from.channel->feeds, number);
        } else {
          ownMessages.push_back({message, number, place});
          addOnce(ownFeeds, number);
        }
      }
    }
    for (const Transfer &transfer : part.stages[stage].receives) {
      Incoming &channel =
          incoming.emplace_back(Incoming{transfer.peer, static_cast<int>(stage), {}, {}});
      for (const std::uint32_t message : transfer.messages) {
        came[message] = {&channel, channel.places.size()};
        channel.places.push_back({message, part.messages[message].destination == rank, 0, 0});
      }
    }
  }
  for (const std::uint32_t transfer : ownFeeds)
    ++outgoing[transfer].feeders;
  for (const Incoming &channel : incoming)
    for (const std::uint32_t transfer : channel.feeds)
      ++outgoing[transfer].feeders;
}

bool Routes::passesOn() const {
  return std::any_of(incoming.begin(), incoming.end(),
                     [](const Incoming &channel) { return !channel.feeds.empty(); });
}

Routes::Waiting &Routes::waiting(std::uint32_t transfer, std::uint64_t number) {
  Outgoing &out = outgoing[transfer];
  while (out.first + out.instances.size() <= number)
    out.instances.emplace_back();
  Waiting &message = out.instances[number - out.first];
  if (!message.begun) {
    message.bytes = emptyMessage(out.stage);
    message.begun = true;
    message.missing = out.feeders;
  }
  return message;
}

void Routes::oneLess(std::uint32_t transfer, std::uint64_t number) {
  Waiting &message = waiting(transfer, number);
  if (--message.missing != 0)
    return;
  Outgoing &out = outgoing[transfer];
  message.left = true;
  ++out.sent;
  send(out, number, std::move(message.bytes));
  while (!out.instances.empty() && out.instances.front().left) {
    out.instances.pop_front();
    ++out.first;
  }
}

void Routes::arrive(Incoming &channel, std::uint64_t number, std::span<std::byte> message) {
  channel.arrived = std::max(channel.arrived, number + 1);
  ++channel.count;
  if (number != channel.below)
    channel.beyond.insert(number);
  else
    do
      ++channel.below;
    while (!channel.beyond.empty() && channel.beyond.erase(channel.below));
  forEachRecord(message, [&](Record record, std::span<std::byte> bytes) {
    const Onward &onward = channel.places[record.place];
    if (onward.ends) {
      delivery(part.messages[onward.message].source, record, bytes);
      return;
    }
    if (stopped()) {
      const SharedMessage &passing = part.messages[onward.message];
      straight(passing.source, passing.destination, record, bytes);
      return;
    }
    record.place = onward.place;
    std::byte *room = append(waiting(onward.transfer, number).bytes, record);
    std::memcpy(room, bytes.data(), bytes.size());
  });
  for (const std::uint32_t transfer : channel.feeds)
    if (!stopped())
      oneLess(transfer, number);
}

void Routes::open() {
  if (capturing)
    close();
  captured = 0;
  ++opened;
  capturing = instance < limit;
  deviated += capturing || instance >= end ? 0 : 1;
}

void Routes::contributeUpTo(std::uint64_t number) {
  close();
  const Fit before = fitSoFar; // the loop is not executed
  for (number = std::min(number, limit); hasOwn() && instance < number; ++deviated) {
    capturing = true;
    close();
  }
  fitSoFar = before;
}

void Routes::endAt(std::uint64_t number) {
  limit = number;
  contributeUpTo(number);
  end = number;
}

bool Routes::hasPassedOn(std::uint64_t number) const {
  number = std::min(number, end);
  if (stopped())
    return std::ranges::all_of(incoming, [&](const Incoming &channel) {
      return channel.feeds.empty() || channel.count == channel.expected || channel.below >= number;
    });
  return std::ranges::all_of(outgoing, [&](const Outgoing &out) { return out.first >= number; });
}

bool Routes::holdsNothing() const {
  return !capturing && std::ranges::all_of(outgoing, [](const Outgoing &out) {
    return std::ranges::none_of(
        out.instances, [](const Waiting &message) { return message.begun && !message.left; });
  });
}

void Routes::close() {
  if (!capturing)
    return;
  capturing = false;
  ++fitSoFar.instances;
  fitSoFar.planned += ownMessages.size();
  fitSoFar.captured += captured;
  const std::uint64_t number = instance++;
  for (const std::uint32_t transfer : ownFeeds)
    oneLess(transfer, number);
}

const FirstHop *Routes::hopOf(const Target &target, int tag) const {
  return capturing ? target.hopInto(*this, tag) : nullptr;
}

std::byte *Routes::capture(const Target & /*target*/, const FirstHop &hop, const Record &record) {
  Record placed = record;
  placed.place = hop.place;
  std::byte *room = append(waiting(hop.transfer, instance).bytes, placed);
  ++captured;
  return room;
}

bool Routes::arrive(int source, int stage, std::uint64_t number, std::span<std::byte> message) {
  for (Incoming &channel : incoming) {
    if (channel.peer != source || channel.stage != stage)
      continue;
    if (number == lastMessage)
      std::memcpy(&channel.expected, message.data(), sizeof channel.expected);
    else
      arrive(channel, number, message);
  }
  return number == lastMessage;
}

bool Routes::waitsLonger(Waiting &message, double limit, double now) const {
  if (!message.begun || message.left || recordsOf(message).empty())
    return false;
  if (message.since == 0)
    message.since = now;
  return now - message.since > limit;
}

bool Routes::holdsLongerThan(double limit, double now) {
  for (Outgoing &out : outgoing)
    for (Waiting &message : out.instances)
      if (waitsLonger(message, limit, now))
        return true;
  return false;
}

void Routes::sendStraight(const Outgoing &out, Waiting &message) {
  forEachRecord(recordsOf(message), [&](const Record &record, std::span<std::byte> bytes) {
    const SharedMessage &held = part.messages[(*out.messages)[record.place]];
    straight(held.source, held.destination, record, bytes);
  });
}

void Routes::release(double patience, double now) {
  for (Outgoing &out : outgoing)
    for (std::size_t index = 0; index < out.instances.size(); ++index) {
      Waiting &message = out.instances[index];
      if (out.first + index == instance && capturing)
        continue; // the program still adds to it
      if (!waitsLonger(message, patience, now))
        continue;
      sendStraight(out, message);
      message.bytes.resize(message.bytes.size() - recordsOf(message).size());
      message.since = 0;
      ++released;
    }
}

void Routes::stop() {
  if (stopped())
    return;
  capturing = false;
  isStopped = true;
  for (Outgoing &out : outgoing) {
    for (Waiting &message : out.instances)
      if (message.begun && !message.left)
        sendStraight(out, message);
    out.instances.clear();
    std::vector<std::byte> last = emptyMessage(out.stage);
    const auto *begin = reinterpret_cast<const std::byte *>(&out.sent);
    last.insert(last.end(), begin, begin + sizeof out.sent);
    send(out, lastMessage, std::move(last));
  }
}

bool Routes::finished() const {
  return stopped() && std::all_of(incoming.begin(), incoming.end(), [](const Incoming &channel) {
           return channel.count == channel.expected;
         });
}

std::string Routes::whatIsAwaited() const {
  std::uint64_t most = instance, least = UINT64_MAX;
  for (const Incoming &channel : incoming) {
    most = std::max(most, channel.arrived);
    least = std::min(least, channel.arrived);
  }
  if (incoming.empty() || least >= most)
    return "";
  constexpr int shown = 8;
  std::string text = "instance " + std::to_string(least) + " of the exchange at " + name +
                     " waits for combined messages from";
  int named = 0;
  for (const Incoming &channel : incoming) {
    if (channel.arrived != least)
      continue;
    if (++named > shown)
      return text + " and others";
    text += (named == 1 ? " rank " : ", rank ") + std::to_string(channel.peer) + " (stage " +
            std::to_string(channel.stage + 1) + ")";
  }
  return text;
}

} // namespace sendwright::exchange
