// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routes are sought between positions in a communicator, where neighbours are likely to share a
// node; plans name world ranks.

#include "analysis/sharing/ChosenRoutes.h"

#include "analysis/sharing/routes/SharingCosts.h"
#include "analysis/sharing/search/Sharing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace sendwright {

namespace {

struct PairOfRanks {
  double bytes = 0;
  std::vector<std::int32_t> tags; ///< one for each message, ascending
};
using PairsOfRanks = std::map<std::pair<int, int>, PairOfRanks>;

/// Merges everything that one rank has for another into one message of the pattern. A message's
/// bytes and record header count in proportion to the part of `instances` that sends it; if
/// `instances` is 0, they count fully.
PairsOfRanks pairsOf(const std::vector<ExchangedMessage> &messages, std::uint64_t instances) {
  PairsOfRanks pairs;
  for (const ExchangedMessage &message : messages) {
    PairOfRanks &pair = pairs[{message.source, message.destination}];
    const double part =
        instances > 0 ? static_cast<double>(message.instances) / static_cast<double>(instances) : 1;
    pair.bytes += part * (message.bytes + static_cast<double>(sharedRecordHeader));
    pair.tags.push_back(message.tag);
  }
  for (auto &[ranks, pair] : pairs)
    std::sort(pair.tags.begin(), pair.tags.end());
  return pairs;
}

/// The pattern as the program sends it: without record headers.
ExchangePattern asWritten(ExchangePattern pattern, const PairsOfRanks &pairs,
                          const std::vector<int> &group) {
  for (PatternMessage &message : pattern.messages) {
    const PairOfRanks &pair = pairs.at({group[static_cast<std::size_t>(message.source)],
                                        group[static_cast<std::size_t>(message.destination)]});
    message.items -= std::min(message.items, sharedRecordHeader * pair.tags.size());
  }
  return pattern;
}

/// The members that send or receive in the exchange: only these pass messages on.
std::vector<int> ranksOf(const SharableExchange &exchange) {
  std::set<int> involved;
  for (const ExchangedMessage &message : exchange.messages)
    involved.insert({message.source, message.destination});
  std::vector<int> group;
  std::copy_if(exchange.communicator.members.begin(), exchange.communicator.members.end(),
               std::back_inserter(group), [&](int rank) { return involved.contains(rank); });
  return group;
}

/// The pattern between positions in the group.
ExchangePattern patternAmong(const std::vector<int> &group, const PairsOfRanks &pairs) {
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

/// Translates pattern and routes from positions in the group to world ranks, into `decision`.
void nameRanks(const std::vector<int> &group, const ExchangePattern &pattern,
               const RouteTable &table, ChosenRoutes &decision) {
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

/// Direct messages of one pattern.
struct DirectMessages {
  SharingFigures figures;
  double seconds = 0;
};

DirectMessages directMessages(const ExchangePattern &pattern, const PairsOfRanks &pairs,
                              const std::vector<int> &group, const Machine &machine) {
  const RouteTable direct = directRoutes(pattern);
  return {sharingFigures(pattern, direct, combinedMessages(pattern, direct)),
          predictSeconds(combinedMessages(asWritten(pattern, pairs, group), direct), pattern.ranks,
                         machine, 1)};
}

/// `pattern` with the sizes that its pairs have in one of the alternating patterns: mostly 0.
ExchangePattern withSizes(ExchangePattern pattern, const PairsOfRanks &pairs,
                          const std::vector<int> &group) {
  for (PatternMessage &message : pattern.messages) {
    const auto pair = pairs.find({group[static_cast<std::size_t>(message.source)],
                                  group[static_cast<std::size_t>(message.destination)]});
    message.items =
        pair == pairs.end() ? 0 : static_cast<std::uint64_t>(std::llround(pair->second.bytes));
  }
  return pattern;
}

/// Weighted means of figures that are whole numbers in each pattern.
class MeanFigures {
public:
  void add(const SharingFigures &figures, double part) {
    mean.averageSends += part * figures.averageSends;
    sends += part * static_cast<double>(figures.maxSends);
    receives += part * static_cast<double>(figures.maxReceives);
    load += part * static_cast<double>(figures.maxLoad);
    mean.stages = figures.stages;
    mean.maxHops = std::max(mean.maxHops, figures.maxHops);
  }
  SharingFigures figures() const {
    SharingFigures rounded = mean;
    rounded.maxSends = std::llround(sends);
    rounded.maxReceives = std::llround(receives);
    rounded.maxLoad = std::llround(load);
    return rounded;
  }

private:
  SharingFigures mean;
  double sends = 0, receives = 0, load = 0;
};

std::string turnsText(std::size_t patterns) {
  return patterns == 1 ? "" : " for " + std::to_string(patterns) + " patterns in turn";
}

/// The mean time of an instance if `exchange` has alternating patterns. `all`: the messages of all
/// patterns together; `table`: their routes.
void predictByTurns(const SharableExchange &exchange, const ExchangePattern &all,
                    const RouteTable &table, const std::vector<int> &group, const Machine &machine,
                    SharingPrediction &prediction) {
  double instances = 0;
  for (const AlternatingPattern &pattern : exchange.patterns)
    instances += static_cast<double>(pattern.instances);
  MeanFigures direct;
  prediction.directSeconds = prediction.seconds = 0;
  for (const AlternatingPattern &turn : exchange.patterns) {
    const double part = static_cast<double>(turn.instances) / instances;
    const PairsOfRanks pairs = pairsOf(turn.messages, 0);
    const DirectMessages written =
        directMessages(patternAmong(group, pairs), pairs, group, machine);
    direct.add(written.figures, part);
    prediction.directSeconds += part * written.seconds;
    prediction.seconds +=
        part * (table.stages < 2
                    ? written.seconds
                    : predictSeconds(combinedMessages(withSizes(all, pairs, group), table),
                                     all.ranks, machine, 1));
  }
  prediction.direct = direct.figures();
  if (table.stages < 2)
    prediction.shared = prediction.direct;
  else
    prediction.method += turnsText(exchange.patterns.size());
}

} // namespace

std::vector<ChosenRoutes> promisingRoutes(const SharableExchange &exchange, int ranks,
                                          const Machine &ofAll, SearchEffort effort,
                                          SharingMethod method) {
  const bool byTurns = !exchange.patterns.empty();
  const PairsOfRanks pairs = pairsOf(exchange.messages, byTurns ? exchange.instances : 0);
  const std::vector<int> group = ranksOf(exchange);
  const Machine machine = machineOfGroup(ofAll, group);
  const ExchangePattern pattern = patternAmong(group, pairs);
  const DirectMessages direct = directMessages(pattern, pairs, group, machine);
  std::vector<ChosenRoutes> promising;
  const auto add = [&](const SharedRoutes &routes) {
    ChosenRoutes &decision = promising.emplace_back();
    decision.pattern.ranks = ranks;
    nameRanks(group, pattern, routes.table, decision);
    for (auto [pair, known] : pairs) {
      known.tags.erase(std::unique(known.tags.begin(), known.tags.end()), known.tags.end());
      decision.tags.push_back(std::move(known.tags));
    }
    decision.prediction = {routes.method,  direct.figures, routes.figures,
                           direct.seconds, routes.seconds, 0};
    if (byTurns)
      predictByTurns(exchange, pattern, routes.table, group, machine, decision.prediction);
  };
  const SharingChoice choice = selectRoutes(pattern, machine, 1, effort, method);
  add(choice.routes);
  for (const SharedRoutes &other : choice.others)
    add(other);
  return promising;
}

ChosenRoutes chooseRoutes(const SharableExchange &exchange, int ranks, const Machine &machine) {
  return std::move(promisingRoutes(exchange, ranks, machine, SearchEffort::Usual).front());
}

std::vector<ChosenRoutes> chooseRoutesByTurns(const SharableExchange &exchange, int ranks,
                                              const Machine &machine, SearchEffort effort,
                                              SharingMethod method) {
  std::vector<ChosenRoutes> chosen;
  for (const AlternatingPattern &pattern : exchange.patterns) {
    SharableExchange alone;
    alone.communicator = exchange.communicator;
    alone.instances = pattern.instances;
    alone.messages = pattern.messages;
    chosen.push_back(std::move(promisingRoutes(alone, ranks, machine, effort, method).front()));
  }
  return chosen;
}

SharingPrediction predictionByTurns(const SharableExchange &exchange,
                                    const std::vector<ChosenRoutes> &routes,
                                    const std::vector<bool> &isShared) {
  double instances = 0;
  for (const AlternatingPattern &pattern : exchange.patterns)
    instances += static_cast<double>(pattern.instances);
  SharingPrediction mean;
  MeanFigures direct, shared;
  std::set<std::string> methods;
  std::int32_t stages = 1;
  double volume = 0;
  for (std::size_t turn = 0; turn < routes.size(); ++turn) {
    const double part = static_cast<double>(exchange.patterns[turn].instances) / instances;
    const SharingPrediction &own = routes[turn].prediction;
    direct.add(own.direct, part);
    shared.add(isShared[turn] ? own.shared : own.direct, part);
    mean.directSeconds += part * own.directSeconds;
    mean.seconds += part * (isShared[turn] ? own.seconds : own.directSeconds);
    volume += part * (isShared[turn] ? own.shared.volumeFactor : 1);
    if (isShared[turn]) {
      methods.insert(own.method);
      stages = std::max(stages, own.shared.stages);
    }
  }
  mean.direct = direct.figures();
  mean.shared = shared.figures();
  mean.shared.stages = stages;
  mean.shared.volumeFactor = volume;
  const std::string turns = turnsText(exchange.patterns.size());
  if (methods.empty())
    mean.method = "direct";
  else if (methods.size() == 1)
    mean.method = *methods.begin() + turns;
  else
    mean.method = "routes of its own for each pattern" + turns;
  return mean;
}

double meetingSeconds(std::size_t members, const Machine &machine) {
  const LinkParameters &link = machine.between;
  return std::ceil(std::log2(static_cast<double>(members))) * (link.L + link.o_send + link.o_recv);
}

} // namespace sendwright
