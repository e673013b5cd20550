// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/ExchangeTurns.h"

#include "analysis/file/Fields.h"
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
template <typename Fields>
void describeWithNothing(Fields fields, Described<Fields, std::vector<std::uint32_t>> &numbers,
                         std::size_t limit, const char *what) {
  fields.length(numbers);
  for (auto &number : numbers) {
    std::uint64_t after = number == ExchangeTurns::nothing ? 0 : std::uint64_t{number} + 1;
    fields.number(after, limit, what);
    if constexpr (Fields::reads)
      number = after == 0 ? ExchangeTurns::nothing : static_cast<std::uint32_t>(after - 1);
  }
}

/// `exchanges`, `rankCount`: of the plan; a writer does not look at them.
template <typename Fields>
void describeLoopTurns(Fields fields, Described<Fields, LoopTurns> &loop, int rankCount,
                       std::size_t exchanges) {
  fields.length(loop.kinds, 2);
  for (auto &turns : loop.kinds) {
    describeWithNothing(fields, turns.first, exchanges, "an exchange");
    describeWithNothing(fields, turns.cycle, exchanges, "an exchange");
    fields.expect(!turns.cycle.empty(), [] { return "turns without a cycle"; });
  }
  describeWithNothing(fields, loop.ofRanks, loop.kinds.size(), "a kind of turns");
  fields.expect(loop.ofRanks.size() == static_cast<std::size_t>(rankCount), [&] {
    return "turns of " + std::to_string(loop.ofRanks.size()) + " ranks, expected " +
           std::to_string(rankCount);
  });
}

template <typename Fields>
void describeTurns(Fields fields, Described<Fields, std::vector<LoopTurns>> &loops, int rankCount,
                   std::size_t sites, std::size_t exchanges) {
  fields.length(loops, 3);
  const LoopTurns *before = nullptr;
  for (auto &loop : loops) {
    fields.number(loop.site, UINT32_MAX, "site");
    fields.expect(loop.site < sites && (!before || loop.site > before->site), [&] {
      return "turns at site " + std::to_string(loop.site) + ", expected one of " +
             std::to_string(sites) + ", ascending";
    });
    before = &loop;
    describeLoopTurns(fields, loop, rankCount, exchanges);
  }
}

} // namespace

void encodeTurns(ByteWriter &out, const std::vector<LoopTurns> &loops) {
  describeTurns(FieldWriter(out), loops, 0, 0, 0);
}

std::vector<LoopTurns> decodeTurns(ByteReader &in, int rankCount, std::size_t sites,
                                   std::size_t exchanges) {
  std::vector<LoopTurns> loops;
  describeTurns(FieldReader(in), loops, rankCount, sites, exchanges);
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
