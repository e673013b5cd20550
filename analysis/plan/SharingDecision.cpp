// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routes are found among the positions of a communicator, where neighbours are likely to share a
// node; plans speak of world ranks.

#include "analysis/plan/SharingDecision.h"

#include "analysis/sharing/Sharing.h"
#include "analysis/sharing/SharingCosts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace sendwright {

namespace {

struct PairOfRanks {
  double bytes = 0;
  std::vector<std::int32_t> tags;
};

/// All that one rank has for another is one message of the pattern.
std::map<std::pair<int, int>, PairOfRanks> pairsOf(const SharableExchange &exchange) {
  std::map<std::pair<int, int>, PairOfRanks> pairs;
  for (const ExchangedMessage &message : exchange.messages) {
    PairOfRanks &pair = pairs[{message.source, message.destination}];
    pair.bytes += message.bytes + static_cast<double>(sharedRecordHeader);
    pair.tags.push_back(message.tag);
  }
  for (auto &[ranks, pair] : pairs)
    std::sort(pair.tags.begin(), pair.tags.end());
  return pairs;
}

/// Seconds of the messages as the program sends them.
double directSeconds(ExchangePattern pattern,
                     const std::map<std::pair<int, int>, PairOfRanks> &pairs,
                     const std::vector<int> &group, const Machine &machine) {
  for (PatternMessage &message : pattern.messages) {
    const PairOfRanks &pair = pairs.at({group[static_cast<std::size_t>(message.source)],
                                        group[static_cast<std::size_t>(message.destination)]});
    message.items -= std::min(message.items, sharedRecordHeader * pair.tags.size());
  }
  return predictSeconds(combinedMessages(pattern, directRoutes(pattern)), pattern.ranks, machine,
                        1);
}

/// The members that have to do with the exchange: only these pass messages on.
std::vector<int> ranksOf(const SharableExchange &exchange) {
  std::set<int> involved;
  for (const ExchangedMessage &message : exchange.messages)
    involved.insert({message.source, message.destination});
  std::vector<int> group;
  std::copy_if(exchange.communicator.members.begin(), exchange.communicator.members.end(),
               std::back_inserter(group), [&](int rank) { return involved.contains(rank); });
  return group;
}

/// The pattern among positions of the group.
ExchangePattern patternAmong(const std::vector<int> &group,
                             const std::map<std::pair<int, int>, PairOfRanks> &pairs) {
  std::map<int, std::int32_t> position;
  for (std::size_t at = 0; at < group.size(); ++at)
    position[group[at]] = static_cast<std::int32_t>(at);
  ExchangePattern pattern;
  pattern.ranks = static_cast<std::int32_t>(group.size());
  for (const auto &[ranks, pair] : pairs)
    pattern.messages.push_back({position.at(ranks.first), position.at(ranks.second),
                                static_cast<std::uint64_t>(std::llround(pair.bytes))});
  std::sort(pattern.messages.begin(), pattern.messages.end(),
            [](const PatternMessage &left, const PatternMessage &right) {
              return std::pair(left.source, left.destination) <
                     std::pair(right.source, right.destination);
            });
  return pattern;
}

/// Puts pattern and routes, which are among positions of the group, into `decision`.
void nameRanks(const std::vector<int> &group, const ExchangePattern &pattern,
               const RouteTable &table, SharingDecision &decision) {
  std::map<std::pair<int, int>, std::size_t> messages; // by world ranks
  for (std::size_t index = 0; index < pattern.messages.size(); ++index) {
    const PatternMessage &message = pattern.messages[index];
    messages[{group[static_cast<std::size_t>(message.source)],
              group[static_cast<std::size_t>(message.destination)]}] = index;
  }
  decision.table.stages = table.stages;
  for (const auto &[ranks, index] : messages) {
    decision.pattern.messages.push_back({ranks.first, ranks.second, pattern.messages[index].items});
    std::vector<Hop> &route = decision.table.routes.emplace_back(table.routes[index]);
    for (Hop &hop : route)
      hop.target = group[static_cast<std::size_t>(hop.target)];
  }
}

} // namespace

SharingDecision decideSharing(const SharableExchange &exchange, int ranks, const Machine &machine) {
  const std::map<std::pair<int, int>, PairOfRanks> pairs = pairsOf(exchange);
  const std::vector<int> group = ranksOf(exchange);
  const ExchangePattern pattern = patternAmong(group, pairs);
  const SharingChoice choice = selectRoutes(pattern, machine, 1);
  const RouteTable direct = directRoutes(pattern);
  SharingDecision decision;
  decision.pattern.ranks = ranks;
  nameRanks(group, pattern, choice.routes.table, decision);
  for (const auto &[pair, known] : pairs)
    decision.tags.push_back(known.tags);
  decision.prediction = {
      choice.routes.method,  sharingFigures(pattern, direct, combinedMessages(pattern, direct)),
      choice.routes.figures, directSeconds(pattern, pairs, group, machine),
      choice.routes.seconds, 0};
  return decision;
}

double meetingSeconds(std::size_t members, const Machine &machine) {
  const LinkParameters &link = machine.between;
  return std::ceil(std::log2(static_cast<double>(members))) * (link.L + link.o_send + link.o_recv);
}

} // namespace sendwright
