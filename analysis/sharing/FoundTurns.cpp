// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/FoundTurns.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace sendwright {

namespace {

constexpr std::size_t longestCycle = 1024;
constexpr std::size_t longestRest = 64; ///< executions behind the last cycle

/// How the turns begin and repeat: turns [first, first + cycle) and so on.
struct TurnCycle {
  std::size_t first = 0, cycle = 0;
  bool isKnown() const { return cycle > 0; }
};

/// The shortest repetition of the first `size` turns that covers at least half of them, twice.
TurnCycle turnCycleOf(const std::vector<std::uint32_t> &turns, std::size_t size) {
  TurnCycle best;
  for (std::size_t cycle = 1; cycle <= std::min(size / 2, longestCycle); ++cycle) {
    std::size_t first = size - cycle;
    while (first > 0 && turns[first - 1] == turns[first - 1 + cycle])
      --first;
    if (first + 2 * cycle <= size && 2 * first <= size &&
        (!best.isKnown() || first + cycle < best.first + best.cycle))
      best = {first, cycle};
  }
  return best;
}

/// A turn that comes only behind the last cycle is added to it. If the turns do not repeat, each
/// comes once: then messages decide.
ExchangeTurns shortened(const std::vector<std::uint32_t> &turns) {
  ExchangeTurns result;
  for (std::size_t rest = 0; rest <= std::min(longestRest, turns.size() / 4); ++rest) {
    const TurnCycle found = turnCycleOf(turns, turns.size() - rest);
    if (!found.isKnown())
      continue;
    const auto begin = turns.begin();
    const auto cycle = begin + static_cast<std::ptrdiff_t>(found.first);
    result.first.assign(begin, cycle);
    result.cycle.assign(cycle, cycle + static_cast<std::ptrdiff_t>(found.cycle));
    break;
  }
  std::set<std::uint32_t> known(result.first.begin(), result.first.end());
  known.insert(result.cycle.begin(), result.cycle.end());
  for (const std::uint32_t turn : turns)
    if (known.insert(turn).second)
      result.cycle.push_back(turn);
  return result;
}

class TurnSearch {
public:
  TurnSearch(const SharableExchange &exchange, const std::vector<bool> &isShared)
      : exchange(exchange) {
    for (std::uint32_t number = 0; number < exchange.patterns.size(); ++number) {
      if (!isShared[number])
        continue;
      for (const std::uint64_t instance : exchange.patterns[number].members)
        patternOf[instance] = number;
      for (const ExchangedMessage &message : exchange.patterns[number].messages)
        own[message.source][number].insert({message.destination, message.tag});
    }
  }

  std::optional<std::map<int, ExchangeTurns>> run() const {
    std::map<int, ExchangeTurns> found;
    for (const auto &[rank, messages] : own) {
      const auto executions = exchange.executions.find(rank);
      if (executions == exchange.executions.end() || !hasAll(messages, executions->second))
        return {};
      const std::vector<std::uint32_t> turns = turnsOf(messages, executions->second);
      ExchangeTurns shorter = shortened(turns);
      if (!decides(shorter, messages, executions->second, turns))
        return {};
      found[rank] = std::move(shorter);
    }
    return found;
  }

private:
  using OwnMessages = std::map<std::uint32_t, std::set<SentEnvelope>>; // by pattern

  /// Whether the rank takes part in all instances of its patterns. If the run was cut, the last of
  /// them may be missing.
  bool hasAll(const OwnMessages &messages,
              const std::vector<LoopExecutionOfRank> &executions) const {
    std::map<std::uint32_t, std::vector<std::uint64_t>> instances;
    for (const LoopExecutionOfRank &execution : executions)
      if (const auto pattern = patternOf.find(execution.instance); pattern != patternOf.end())
        instances[pattern->second].push_back(execution.instance);
    return std::ranges::all_of(messages, [&](const auto &entry) {
      const std::vector<std::uint64_t> &all = exchange.patterns[entry.first].members;
      const std::vector<std::uint64_t> &here = instances[entry.first];
      return (exchange.cut || here.size() == all.size()) && here.size() <= all.size() &&
             std::equal(here.begin(), here.end(), all.begin());
    });
  }

  std::vector<std::uint32_t> turnsOf(const OwnMessages &messages,
                                     const std::vector<LoopExecutionOfRank> &executions) const {
    std::vector<std::uint32_t> turns;
    turns.reserve(executions.size());
    for (const LoopExecutionOfRank &execution : executions) {
      const auto pattern = patternOf.find(execution.instance);
      const bool isOwn = pattern != patternOf.end() && messages.contains(pattern->second);
      turns.push_back(isOwn ? pattern->second : ExchangeTurns::nothing);
    }
    return turns;
  }

  static bool decides(const ExchangeTurns &shorter, const OwnMessages &messages,
                      const std::vector<LoopExecutionOfRank> &executions,
                      const std::vector<std::uint32_t> &turns) {
    if (turns.empty())
      return false;
    TurnsOfRank rank(shorter);
    for (const auto &[pattern, sent] : messages)
      for (const SentEnvelope &message : sent)
        rank.addOwn(pattern, message.destination, {message.tag});
    for (std::size_t index = 0; index < turns.size(); ++index) {
      std::vector<SentEnvelope> sent = executions[index].sent;
      std::erase_if(sent, [&](const SentEnvelope &message) { return !rank.has(message); });
      if (rank.take(sent) != turns[index])
        return false;
    }
    return true;
  }

  const SharableExchange &exchange;
  std::map<std::uint64_t, std::uint32_t> patternOf; // by instance
  std::map<int, OwnMessages> own;                   // by rank
};

} // namespace

std::optional<std::map<int, ExchangeTurns>> findTurns(const SharableExchange &exchange,
                                                      const std::vector<bool> &isShared) {
  return TurnSearch(exchange, isShared).run();
}

} // namespace sendwright
