// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/run/Exchanges.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace sendwright {

namespace {

/// Disjoint sets of numbers, joined with path halving.
class DisjointSets {
public:
  std::size_t add() {
    parent.push_back(parent.size());
    return parent.size() - 1;
  }
  std::size_t find(std::size_t member) {
    while (parent[member] != member)
      member = parent[member] = parent[parent[member]];
    return member;
  }
  void join(std::size_t one, std::size_t other) { parent[find(other)] = find(one); }

private:
  std::vector<std::size_t> parent;
};

class ExchangeFinder {
public:
  ExchangeFinder(const Profile &profile, const Matching &matching)
      : profile(profile), matching(matching) {}

  std::vector<Exchange> find() {
    for (const MatchedMessage &message : matching.messages)
      if (message.matched())
        sets.join(numberOf(placeOf(message.send)), numberOf(placeOf(message.receive)));
    std::map<std::size_t, Exchange> exchanges;
    for (const MatchedMessage &message : matching.messages)
      if (message.matched())
        add(message, exchanges[sets.find(numberOf(placeOf(message.send)))]);
    std::vector<Exchange> sorted;
    sorted.reserve(exchanges.size());
    for (auto &[set, exchange] : exchanges)
      sorted.push_back(std::move(exchange));
    std::stable_sort(sorted.begin(), sorted.end(), [](const Exchange &left, const Exchange &right) {
      return left.messages > right.messages;
    });
    return sorted;
  }

private:
  const Profile &profile;
  const Matching &matching;
  DisjointSets sets;
  std::map<Place, std::size_t> numbers;

  const Event &eventAt(EventPosition at) const {
    return profile.ranks[at.rank].events[matching.events[at.rank][at.position]];
  }

  Place placeOf(EventPosition at) const {
    const Event &event = eventAt(at);
    if (event.site != noSite)
      return {event.site, ""};
    const std::vector<std::string> &callers = profile.ranks[at.rank].callers;
    return {noSite,
            event.address > 0 && event.address <= callers.size() ? callers[event.address - 1] : ""};
  }

  std::size_t numberOf(const Place &place) {
    const auto [known, isNew] = numbers.try_emplace(place, 0);
    if (isNew)
      known->second = sets.add();
    return known->second;
  }

  void add(const MatchedMessage &message, Exchange &exchange) const {
    exchange.sends.insert(placeOf(message.send));
    exchange.receives.insert(placeOf(message.receive));
    if (message.sendCompletion != noPosition && message.sendCompletion != message.send.position)
      exchange.completions.insert(placeOf({message.send.rank, message.sendCompletion}));
    if (message.completion != noPosition && message.completion != message.receive.position)
      exchange.completions.insert(placeOf({message.receive.rank, message.completion}));
    ++exchange.messages;
    exchange.bytes += eventAt(message.send).bytes;
  }
};

} // namespace

std::vector<Exchange> findExchanges(const Profile &profile, const Matching &matching) {
  return ExchangeFinder(profile, matching).find();
}

} // namespace sendwright
