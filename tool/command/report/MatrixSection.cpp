// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who sends to whom: messages and bytes of each pair of ranks, in the whole run and at each site,
// and the combined messages of shared exchanges. Where there are too many pairs for a page, ranks
// that follow one another are counted together.

#include "analysis/sharing/SharedExchanges.h"
#include "analysis/trace/SentMessages.h"
#include "tool/command/report/PackedNumbers.h"
#include "tool/command/report/ReportSections.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostPairs = 150'000;       // of the whole run
constexpr std::size_t mostPairsOfSites = 60'000; // of all sites together

struct PairTraffic {
  std::uint64_t messages = 0, bytes = 0;
};

/// By sender and receiver.
using Traffic = std::map<std::pair<std::uint32_t, std::uint32_t>, PairTraffic>;

struct RunTraffic {
  Traffic all;
  std::map<int, Traffic> sites;
};

RunTraffic trafficOf(const Profile &profile) {
  RunTraffic traffic;
  forEachSend(profile, [&](std::size_t rank, const Event &event, std::uint64_t count) {
    const std::pair key(static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(event.peer));
    for (Traffic *each : {&traffic.all, event.site < 0 ? nullptr : &traffic.sites[event.site]})
      if (each) {
        (*each)[key].messages += count;
        (*each)[key].bytes += count * event.bytes;
      }
  });
  return traffic;
}

/// Halves the number of rows and columns until few enough pairs are left; returns how many ranks
/// are counted together.
std::uint32_t bin(Traffic &traffic, std::size_t most) {
  std::uint32_t together = 1;
  for (; traffic.size() > most; together *= 2) {
    Traffic binned;
    for (const auto &[pair, amount] : traffic) {
      PairTraffic &sum = binned[{pair.first / 2, pair.second / 2}];
      sum.messages += amount.messages;
      sum.bytes += amount.bytes;
    }
    traffic = std::move(binned);
  }
  return together;
}

Json matrixJson(std::string name, Traffic traffic, std::size_t most) {
  const std::uint32_t together = bin(traffic, most);
  std::vector<std::uint32_t> senders, receivers;
  std::vector<std::uint64_t> messages, bytes;
  for (const auto &[pair, amount] : traffic) {
    senders.push_back(pair.first);
    receivers.push_back(pair.second);
    messages.push_back(amount.messages);
    bytes.push_back(amount.bytes);
  }
  return {{"name", std::move(name)},         {"together", together},
          {"senders", packed(senders)},      {"receivers", packed(receivers)},
          {"messages", std::move(messages)}, {"bytes", std::move(bytes)}};
}

/// One instance of a shared exchange: the combined messages of all its stages, and the program's
/// own messages.
struct ExchangeTraffic {
  Traffic combined, own;
};

std::vector<ExchangeTraffic> exchangesOf(const RankCountPlan &part) {
  const SharedExchanges &plan = part.of<SharedExchanges>();
  std::vector<ExchangeTraffic> traffic(plan.exchanges.size());
  for (std::size_t rank = 0; rank < plan.rankExchanges.size(); ++rank)
    for (const RankExchange &exchange : plan.rankExchanges[rank]) {
      for (const auto &stage : exchange.stages)
        for (const auto &transfer : stage.sends)
          ++traffic[exchange.exchange]
                .combined[{static_cast<std::uint32_t>(rank),
                           static_cast<std::uint32_t>(transfer.peer)}]
                .messages;
      for (const SharedMessage &message : exchange.messages)
        if (message.source == static_cast<std::int32_t>(rank))
          ++traffic[exchange.exchange]
                .own[{static_cast<std::uint32_t>(rank),
                      static_cast<std::uint32_t>(message.destination)}]
                .messages;
    }
  return traffic;
}

Json hostsOf(const Profile &profile) {
  std::map<std::string, std::uint32_t> numbers;
  Json hosts = Json::array();
  for (const RankProfile &rank : profile.ranks)
    hosts.push_back(
        numbers.try_emplace(rank.host, static_cast<std::uint32_t>(numbers.size())).first->second);
  return hosts;
}

} // namespace

Json matrixSection(const ReportData &data) {
  RunTraffic traffic = trafficOf(data.profile);
  if (traffic.all.empty())
    return {{"absent", "The run sends no messages from rank to rank."}};
  Json matrices = Json::array();
  matrices.push_back(matrixJson("The whole run", std::move(traffic.all), mostPairs));
  const std::size_t most = mostPairsOfSites / std::max<std::size_t>(traffic.sites.size(), 1);
  for (auto &[site, pairs] : traffic.sites)
    matrices.push_back(matrixJson(data.profile.sites[static_cast<std::size_t>(site)].display(),
                                  std::move(pairs), std::max<std::size_t>(most, 64)));
  if (data.part) {
    const SharedExchanges &plan = data.part->of<SharedExchanges>();
    std::vector<ExchangeTraffic> exchanges = exchangesOf(*data.part);
    const std::size_t room = mostPairsOfSites / std::max<std::size_t>(2 * exchanges.size(), 1);
    for (std::size_t index = 0; index < exchanges.size(); ++index) {
      const SharedExchange &exchange = plan.exchanges[index];
      const std::string site = data.part->sites[exchange.site].site.display();
      matrices.push_back(matrixJson("One exchange at " + site + ", as written",
                                    std::move(exchanges[index].own),
                                    std::max<std::size_t>(room, 64)));
      matrices.push_back(matrixJson("One exchange at " + site + ", shared: " + exchange.method,
                                    std::move(exchanges[index].combined),
                                    std::max<std::size_t>(room, 64)));
    }
  }
  return {{"ranks", data.profile.ranks.size()},
          {"hosts", hostsOf(data.profile)},
          {"matrices", std::move(matrices)}};
}

} // namespace sendwright
