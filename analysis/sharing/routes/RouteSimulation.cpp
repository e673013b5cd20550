// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/routes/RouteSimulation.h"

#include <algorithm>

namespace sendwright {

namespace {

constexpr std::int32_t underWay = -1;

std::string shown(std::uint32_t message) { return "message " + std::to_string(message); }

std::string shown(std::int32_t rank, std::size_t stage) {
  return "rank " + std::to_string(rank) + " in stage " + std::to_string(stage);
}

const Transfer *transferWith(const std::vector<Transfer> &transfers, std::int32_t peer) {
  const auto found = std::lower_bound(
      transfers.begin(), transfers.end(), peer,
      [](const Transfer &transfer, std::int32_t wanted) { return transfer.peer < wanted; });
  return found != transfers.end() && found->peer == peer ? &*found : nullptr;
}

class RouteSimulation {
public:
  RouteSimulation(const ExchangePattern &pattern, const std::vector<RankStages> &ranks)
      : pattern(pattern), ranks(ranks) {
    for (const PatternMessage &message : pattern.messages)
      holders.push_back(message.source);
  }

  std::string run() {
    std::size_t stages = 0;
    for (const RankStages &rank : ranks)
      stages = std::max(stages, rank.size());
    for (std::size_t stage = 0; stage < stages && problem.empty(); ++stage) {
      everybody(stage, &RouteSimulation::send);
      everybody(stage, &RouteSimulation::receive);
      if (problem.empty() && sent != 0)
        problem = std::to_string(sent) + " messages of stage " + std::to_string(stage) +
                  " are not received";
    }
    for (std::uint32_t message = 0; message < holders.size() && problem.empty(); ++message)
      if (holders[message] != pattern.messages[message].destination)
        problem = shown(message) + " ends at rank " + std::to_string(holders[message]);
    return problem;
  }

private:
  void everybody(std::size_t stage, void (RouteSimulation::*act)(std::int32_t, std::size_t)) {
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(ranks.size()); ++rank)
      if (problem.empty() && stage < ranks[rank].size())
        (this->*act)(rank, stage);
  }

  void send(std::int32_t rank, std::size_t stage) {
    for (const Transfer &transfer : ranks[rank][stage].sends)
      for (std::uint32_t message : transfer.messages) {
        if (message >= holders.size() || holders[message] != rank) {
          problem = shown(rank, stage) + " has no " + shown(message);
          return;
        }
        holders[message] = underWay;
        ++sent;
      }
  }

  void receive(std::int32_t rank, std::size_t stage) {
    for (const Transfer &transfer : ranks[rank][stage].receives) {
      const bool known = transfer.peer >= 0 && transfer.peer < static_cast<int>(ranks.size()) &&
                         stage < ranks[transfer.peer].size();
      const Transfer *sending =
          known ? transferWith(ranks[transfer.peer][stage].sends, rank) : nullptr;
      if (!sending || sending->messages != transfer.messages) {
        problem = shown(rank, stage) + " expects of rank " + std::to_string(transfer.peer) +
                  " what it does not send";
        return;
      }
      for (std::uint32_t message : transfer.messages) {
        if (holders[message] != underWay) {
          problem = shown(message) + " arrives twice";
          return;
        }
        holders[message] = rank;
        --sent;
      }
    }
  }

  const ExchangePattern &pattern;
  const std::vector<RankStages> &ranks;
  std::vector<std::int32_t> holders; ///< the rank that holds each message
  std::size_t sent = 0;              ///< sent in this stage, not yet received
  std::string problem;
};

} // namespace

std::string simulateStages(const ExchangePattern &pattern, const std::vector<RankStages> &ranks) {
  return RouteSimulation(pattern, ranks).run();
}

std::string simulateRoutes(const ExchangePattern &pattern, const RouteTable &table) {
  if (!keepsRouteRules(pattern, table))
    return "the table does not hold routes of this pattern";
  return simulateStages(pattern, stagesOfRanks(pattern, table));
}

} // namespace sendwright
