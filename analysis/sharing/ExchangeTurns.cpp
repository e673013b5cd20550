// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/ExchangeTurns.h"

#include "analysis/run/RecurringPatterns.h"
#include "analysis/trace/Profile.h"

#include <algorithm>
#include <string>

namespace sendwright {

bool ExchangeTurns::hold(std::uint32_t exchange) const {
  return std::ranges::find(first, exchange) != first.end() ||
         std::ranges::find(cycle, exchange) != cycle.end();
}

void LoopTurns::set(std::size_t rank, const ExchangeTurns &turns) {
  if (ofRanks.size() <= rank)
    ofRanks.resize(rank + 1, ExchangeTurns::nothing);
  const auto known = std::ranges::find(kinds, turns);
  ofRanks[rank] = static_cast<std::uint32_t>(known - kinds.begin());
  if (known == kinds.end())
    kinds.push_back(turns);
}

namespace {

/// A file has the number after it, so that `nothing` is 0.
void encodeWithNothing(ByteWriter &out, const std::vector<std::uint32_t> &numbers) {
  out.number(numbers.size());
  for (const std::uint32_t number : numbers)
    out.number(number == ExchangeTurns::nothing ? 0 : std::uint64_t{number} + 1);
}

void decodeWithNothing(ByteReader &in, std::size_t limit, const char *what,
                       std::vector<std::uint32_t> &numbers) {
  in.resize(numbers);
  for (std::uint32_t &number : numbers) {
    const std::uint64_t read = in.number(limit, what);
    number = read == 0 ? ExchangeTurns::nothing : static_cast<std::uint32_t>(read - 1);
  }
}

} // namespace

void encodeTurns(ByteWriter &out, const std::vector<LoopTurns> &loops) {
  out.number(loops.size());
  for (const LoopTurns &loop : loops) {
    out.number(loop.site);
    out.number(loop.kinds.size());
    for (const ExchangeTurns &turns : loop.kinds) {
      encodeWithNothing(out, turns.first);
      encodeWithNothing(out, turns.cycle);
    }
    encodeWithNothing(out, loop.ofRanks);
  }
}

std::vector<LoopTurns> decodeTurns(ByteReader &in, int rankCount, std::size_t sites,
                                   std::size_t exchanges) {
  std::vector<LoopTurns> loops(in.countOf<LoopTurns>(3));
  for (LoopTurns &loop : loops) {
    loop.site = static_cast<std::uint32_t>(in.number(UINT32_MAX, "site"));
    if (loop.site >= sites || (&loop != loops.data() && loop.site <= (&loop - 1)->site))
      in.fail("turns at site " + std::to_string(loop.site) + ", expected one of " +
              std::to_string(sites) + ", ascending");
    loop.kinds.resize(in.countOf<ExchangeTurns>(2));
    for (ExchangeTurns &turns : loop.kinds) {
      decodeWithNothing(in, exchanges, "an exchange", turns.first);
      decodeWithNothing(in, exchanges, "an exchange", turns.cycle);
      if (turns.cycle.empty())
        in.fail("turns without a cycle");
    }
    decodeWithNothing(in, loop.kinds.size(), "a kind of turns", loop.ofRanks);
    if (loop.ofRanks.size() != static_cast<std::size_t>(rankCount))
      in.fail("turns of " + std::to_string(loop.ofRanks.size()) + " ranks, expected " +
              std::to_string(rankCount));
  }
  in.expectEnd();
  return loops;
}

void TurnsOfRank::addOwn(std::uint32_t exchange, std::int32_t destination,
                         const std::vector<std::int32_t> &tags) {
  Messages &messages = own[exchange];
  for (const std::int32_t tag : tags)
    messages.insert({destination, tag});
}

bool TurnsOfRank::has(const SentEnvelope &message) const {
  return std::ranges::any_of(own, [&](const auto &entry) {
    return entry.second.contains(message) || entry.second.contains({message.destination, anyTag});
  });
}

/// How many of the messages belong to the exchange, divided by how many there are here or there.
double TurnsOfRank::likeness(const Messages &messages,
                             const std::vector<SentEnvelope> &sent) const {
  Messages distinct;
  std::size_t common = 0;
  for (SentEnvelope message : sent) {
    bool isOwn = messages.contains(message);
    if (!isOwn && messages.contains({message.destination, anyTag})) {
      message.tag = anyTag;
      isOwn = true;
    }
    common += distinct.insert(message).second && isOwn ? 1 : 0;
  }
  return static_cast<double>(common) /
         static_cast<double>(std::max(messages.size(), distinct.size()));
}

std::size_t TurnsOfRank::after(std::size_t at) const {
  return at + 1 < turns.first.size() + turns.cycle.size() ? at + 1 : turns.first.size();
}

std::uint32_t TurnsOfRank::turnAt(std::size_t at) const {
  return at < turns.first.size() ? turns.first[at] : turns.cycle[at - turns.first.size()];
}

/// Goes to the next turn that fulfils the condition, and behind it. Stays where it is if there is
/// no such turn.
template <typename Condition> std::uint32_t TurnsOfRank::goTo(Condition condition) {
  const std::size_t ahead =
      turns.cycle.size() + (position < turns.first.size() ? turns.first.size() - position : 0);
  std::size_t at = position;
  for (std::size_t step = 0; step < ahead; ++step, at = after(at))
    if (const std::uint32_t turn = turnAt(at); condition(turn)) {
      position = after(at);
      return turn;
    }
  return ExchangeTurns::nothing;
}

std::uint32_t TurnsOfRank::take(const std::vector<SentEnvelope> &sent) {
  constexpr std::uint32_t nothing = ExchangeTurns::nothing;
  const auto isThis = [](std::uint32_t wanted) {
    return [wanted](std::uint32_t turn) { return turn == wanted; };
  };
  const std::uint32_t due = turnAt(position);
  if (sent.empty()) {
    const bool hasIdleTurns = std::ranges::find(turns.first, nothing) != turns.first.end() ||
                              std::ranges::find(turns.cycle, nothing) != turns.cycle.end();
    return goTo(isThis(hasIdleTurns ? nothing : due));
  }
  std::map<std::uint32_t, double> alike;
  double most = 0;
  for (const auto &[exchange, messages] : own) {
    alike[exchange] = likeness(messages, sent);
    most = std::max(most, alike[exchange]);
  }
  if (const auto found = alike.find(due); found != alike.end() && found->second >= alikeEnough)
    return goTo(isThis(due));
  return goTo([&](std::uint32_t turn) { return turn != nothing && alike[turn] == most; });
}

} // namespace sendwright
