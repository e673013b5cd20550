// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/exchange/Routes.h"

#include <algorithm>
#include <cstring>

namespace sendwright::exchange {

namespace {

void addOnce(std::vector<std::uint32_t> &list, std::uint32_t value) {
  if (std::find(list.begin(), list.end(), value) == list.end())
    list.push_back(value);
}

} // namespace

Routes::Routes(const RankExchange &part, int rank, Link &link, int firstTag, std::string name,
               Delivery delivery)
    : part(part), link(link), name(std::move(name)), delivery(std::move(delivery)) {
  connect(firstTag, rank);
  for (Incoming &channel : incoming)
    link.listen(channel.peer, firstTag + channel.stage,
                [this, &channel](int, std::uint64_t number, std::span<std::byte> message) {
                  arrive(channel, number, message);
                });
}

/// From what is received and sent in each stage to who adds to what.
void Routes::connect(int firstTag, int rank) {
  struct Came {
    Incoming *channel = nullptr;
    std::size_t place = 0;
  };
  std::vector<Came> came(part.messages.size());
  for (std::size_t stage = 0; stage < part.stages.size(); ++stage) {
    for (const Transfer &transfer : part.stages[stage].sends) {
      const auto number = static_cast<std::uint32_t>(outgoing.size());
      outgoing.push_back({transfer.peer, firstTag + static_cast<int>(stage), 0, {}, 0});
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
          incoming.emplace_back(Incoming{transfer.peer, static_cast<int>(stage), {}, {}, 0});
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

Routes::Waiting &Routes::waiting(std::uint32_t transfer, std::uint64_t number) {
  Outgoing &out = outgoing[transfer];
  while (out.first + out.instances.size() <= number)
    out.instances.emplace_back();
  Waiting &message = out.instances[number - out.first];
  if (!message.begun) {
    message.bytes = link.buffer();
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
  link.send(out.peer, out.tag, number, std::move(message.bytes));
  while (!out.instances.empty() && out.instances.front().left) {
    out.instances.pop_front();
    ++out.first;
  }
}

void Routes::arrive(Incoming &channel, std::uint64_t number, std::span<std::byte> message) {
  channel.arrived = std::max(channel.arrived, number + 1);
  forEachRecord(message, [&](Record record, std::span<std::byte> bytes) {
    const Onward &onward = channel.places[record.place];
    if (onward.ends) {
      delivery(part.messages[onward.message].source, record, bytes);
      return;
    }
    record.place = onward.place;
    std::byte *room = append(waiting(onward.transfer, number).bytes, record);
    std::memcpy(room, bytes.data(), bytes.size());
  });
  for (const std::uint32_t transfer : channel.feeds)
    oneLess(transfer, number);
}

void Routes::open() {
  if (capturing)
    close();
  capturing = true;
  captured = false;
}

void Routes::close() {
  if (!capturing)
    return;
  capturing = false;
  const std::uint64_t number = instance++;
  for (const std::uint32_t transfer : ownFeeds)
    oneLess(transfer, number);
}

std::byte *Routes::capture(const FirstHop &hop, Record record) {
  captured = true;
  record.place = hop.place;
  return append(waiting(hop.transfer, instance).bytes, record);
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
                     " waits here for combined messages of";
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
