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

constexpr std::size_t mostPairs = 400'000;        // of the whole run
constexpr std::size_t mostPairsOfSites = 150'000; // of all sites together

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
  std::vector<std::uint64_t> senders, receivers, messages, bytes;
  for (const auto &[pair, amount] : traffic) {
    senders.push_back(pair.first);
    receivers.push_back(pair.second);
    messages.push_back(amount.messages);
    bytes.push_back(amount.bytes);
  }
  return {{"name", std::move(name)},           {"together", together},
          {"senders", packedSmall(senders)},   {"receivers", packedSmall(receivers)},
          {"messages", packedSmall(messages)}, {"bytes", packedSmall(bytes)}};
}

/// One instance of a shared exchange: the combined messages of all its stages, and the program's
/// own messages.
struct ExchangeTraffic {
  Traffic combined, own;
};

/// What the messages of the loop between two ranks have on average, in bytes.
std::uint64_t meanBytes(const Traffic *ofSite, std::int32_t source, std::int32_t destination) {
  if (!ofSite)
    return 0;
  const auto found =
      ofSite->find({static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination)});
  return found == ofSite->end() || found->second.messages == 0
             ? 0
             : found->second.bytes / found->second.messages;
}

void addMessage(Traffic &traffic, std::int32_t from, std::int32_t to, std::uint64_t bytes) {
  PairTraffic &pair = traffic[{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)}];
  ++pair.messages;
  pair.bytes += bytes;
}

void addPart(ExchangeTraffic &traffic, const RankExchange &part, std::int32_t rank,
             const Traffic *ofSite) {
  std::vector<std::uint64_t> bytes;
  for (const SharedMessage &message : part.messages) {
    bytes.push_back(meanBytes(ofSite, message.source, message.destination));
    if (message.source == rank)
      addMessage(traffic.own, rank, message.destination, bytes.back());
  }
  for (const RankStage &stage : part.stages)
    for (const Transfer &transfer : stage.sends) {
      std::uint64_t sum = 0;
      for (const std::uint32_t message : transfer.messages)
        sum += sharedRecordHeader + bytes[message];
      addMessage(traffic.combined, rank, transfer.peer, sum);
    }
}

/// By exchange. Bytes are means of the loop's messages: a plan does not hold them.
std::vector<ExchangeTraffic> exchangesOf(const ReportData &data, const RunTraffic &run) {
  const SharedExchanges &plan = data.part->of<SharedExchanges>();
  const std::vector<SiteIdentity> &sites = data.profile.sites;
  std::vector<const Traffic *> ofSites;
  for (const SharedExchange &exchange : plan.exchanges) {
    const SiteIdentity &planned = data.part->sites[exchange.site].site;
    const auto site = std::find_if(sites.begin(), sites.end(), [&](const SiteIdentity &known) {
      return planned.sameAs(known) || (planned.instantiation.empty() && planned.sameLoopAs(known));
    });
    const auto found = run.sites.find(static_cast<int>(site - sites.begin()));
    ofSites.push_back(found == run.sites.end() ? nullptr : &found->second);
  }
  std::vector<ExchangeTraffic> traffic(plan.exchanges.size());
  for (std::size_t rank = 0; rank < plan.rankExchanges.size(); ++rank)
    for (const RankExchange &part : plan.rankExchanges[rank])
      addPart(traffic[part.exchange], part, static_cast<std::int32_t>(rank),
              ofSites[part.exchange]);
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
  std::vector<ExchangeTraffic> exchanges;
  if (data.part)
    exchanges = exchangesOf(data, traffic);
  Json matrices = Json::array();
  matrices.push_back(matrixJson("The whole run", std::move(traffic.all), mostPairs));
  const std::size_t room = std::max<std::size_t>(
      mostPairsOfSites / std::max<std::size_t>(traffic.sites.size() + 2 * exchanges.size(), 1), 64);
  for (auto &[site, pairs] : traffic.sites)
    matrices.push_back(matrixJson(data.profile.sites[static_cast<std::size_t>(site)].display(),
                                  std::move(pairs), room));
  for (std::size_t index = 0; index < exchanges.size(); ++index) {
    const SharedExchange &exchange = data.part->of<SharedExchanges>().exchanges[index];
    const std::string site = data.part->sites[exchange.site].site.display();
    matrices.push_back(matrixJson("One exchange at " + site + ", as written",
                                  std::move(exchanges[index].own), room));
    matrices.push_back(matrixJson("One exchange at " + site + ", shared: " + exchange.method,
                                  std::move(exchanges[index].combined), room));
  }
  return {{"ranks", data.profile.ranks.size()},
          {"hosts", hostsOf(data.profile)},
          {"matrices", std::move(matrices)}};
}

} // namespace sendwright
