// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plan files. Sections: what holds for the whole plan, then for each rank count the sites'
// identities (all that a running program needs of them), the decisions and figures (for the
// compiler and for people), each rank's orders, where ranks synchronise, and, where messages are
// shared, the exchanges and each rank's part of them. A running rank unpacks a few short sections.

#include "analysis/plan/Plan.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/Container.h"
#include "analysis/file/Hashing.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/plan/FunctionSummary.h"
#include "analysis/trace/ProfileCodec.h"

#include <limits>

namespace sendwright {

namespace {

constexpr std::uint32_t planVersion = 6;
constexpr int maximumRanks = 1 << 22;

// Section tags, in the order of the file. The numbers of the key: rank count, rank.
enum : std::uint32_t {
  commonTag = 1,
  functionsTag,
  sitesTag,
  decisionsTag,
  ordersTag,
  synchronizationTag,
  stepsTag,
  exchangesTag,
  partsTag,
  redistributionsTag
};

void encode(ByteWriter &out, const LinkParameters &link) {
  for (double value :
       {link.L, link.o_send, link.o_recv, link.g, link.G, link.O, link.O_recv, link.eager_limit})
    out.real(value);
}

void decode(ByteReader &in, LinkParameters &link) {
  for (double *value : {&link.L, &link.o_send, &link.o_recv, &link.g, &link.G, &link.O,
                        &link.O_recv, &link.eager_limit})
    *value = in.finite("a machine's parameter");
}

void encode(ByteWriter &out, const Machine &machine) {
  out.text(machine.name);
  encode(out, machine.between);
  out.number(machine.within.has_value());
  if (machine.within)
    encode(out, *machine.within);
  out.signedNumber(machine.ranks_per_node);
  out.number(machine.incast.size());
  for (const IncastRow &row : machine.incast) {
    out.signedNumber(row.senders);
    out.real(row.bytes);
    out.real(row.factor);
  }
}

void decode(ByteReader &in, Machine &machine) {
  machine.name = in.text();
  decode(in, machine.between);
  if (in.flag())
    decode(in, machine.within.emplace());
  machine.ranks_per_node = static_cast<int>(in.signedNumber(1, maximumRanks, "ranks per node"));
  machine.incast.resize(in.count(17));
  for (IncastRow &row : machine.incast) {
    row.senders = static_cast<int>(in.signedNumber(0, maximumRanks, "senders"));
    row.bytes = in.finite("bytes");
    row.factor = in.finite("a factor");
  }
}

std::string encodeCommon(const Plan &plan) {
  ByteWriter out;
  out.number(plan.machineMeasured);
  encode(out, plan.machine);
  out.number(plan.rankCounts.size());
  for (const auto &[rankCount, part] : plan.rankCounts) {
    out.number(static_cast<std::uint64_t>(rankCount));
    out.text(part.profile);
  }
  return out.take();
}

void decodeCommon(ByteReader &in, Plan &plan) {
  plan.machineMeasured = in.flag();
  decode(in, plan.machine);
  int previous = 0;
  for (std::size_t count = in.count(2); count > 0; --count) {
    int rankCount = static_cast<int>(in.number(maximumRanks, "number of ranks"));
    if (rankCount <= previous)
      in.fail("rank counts out of order, expected each once");
    plan.rankCounts[rankCount].profile = in.text();
    previous = rankCount;
  }
  in.expectEnd();
}

std::string encodeFunctionsOf(const Plan &plan) {
  ByteWriter out;
  encodeFunctions(out, plan.functions);
  out.number(plan.functionFiles.size());
  for (const std::string &file : plan.functionFiles)
    out.text(file);
  return out.take();
}

void decodeFunctionsOf(ByteReader &in, Plan &plan) {
  plan.functions = decodeFunctions(in);
  for (std::size_t count = in.count(); count > 0; --count)
    plan.functionFiles.insert(in.text());
  in.expectEnd();
}

std::string encodeSites(const RankCountPlan &part) {
  ByteWriter out;
  out.number(part.sites.size());
  for (const SitePlan &site : part.sites)
    encodeSite(out, site.site);
  return out.take();
}

std::vector<SiteIdentity> decodeSites(ByteReader &in) {
  std::vector<SiteIdentity> sites(in.count(leastSiteBytes));
  for (SiteIdentity &site : sites)
    site = decodeSite(in);
  in.expectEnd();
  return sites;
}

void encode(ByteWriter &out, const OrderingFigures &figures) {
  out.text(figures.phase);
  for (double value : {figures.given, figures.planned, figures.worst, figures.lowerBound,
                       figures.unit, figures.keyed, figures.staggered, figures.overlapLost})
    out.real(value);
  out.text(figures.key);
  out.text(figures.reason);
  out.number(figures.window);
  out.number(figures.messages);
  out.number(figures.bytes);
}

void decode(ByteReader &in, OrderingFigures &figures) {
  figures.phase = in.text();
  for (double *value : {&figures.given, &figures.planned, &figures.worst, &figures.lowerBound,
                        &figures.unit, &figures.keyed, &figures.staggered, &figures.overlapLost})
    *value = in.finite("a figure");
  figures.key = in.text();
  figures.reason = in.text();
  figures.window = static_cast<std::uint32_t>(in.number(UINT32_MAX, "window"));
  figures.messages = in.number();
  figures.bytes = in.number();
}

void encode(ByteWriter &out, const SharingFigures &figures) {
  for (const std::int64_t value :
       {std::int64_t{figures.stages}, figures.maxSends, figures.maxReceives, figures.maxLoad,
        std::int64_t{figures.maxHops}})
    out.number(static_cast<std::uint64_t>(value));
  out.real(figures.averageSends);
  out.real(figures.volumeFactor);
}

void decode(ByteReader &in, SharingFigures &figures) {
  figures.stages = static_cast<std::int32_t>(in.number(INT32_MAX, "number of stages"));
  for (std::int64_t *value : {&figures.maxSends, &figures.maxReceives, &figures.maxLoad})
    *value = static_cast<std::int64_t>(in.number(INT64_MAX, "number of messages"));
  figures.maxHops = static_cast<std::int32_t>(in.number(INT32_MAX, "number of hops"));
  figures.averageSends = in.finite("a figure");
  figures.volumeFactor = in.finite("a figure");
}

void encode(ByteWriter &out, const SharingPrediction &prediction) {
  out.text(prediction.method);
  encode(out, prediction.direct);
  encode(out, prediction.shared);
  out.real(prediction.directSeconds);
  out.real(prediction.seconds);
  out.real(prediction.collectiveSeconds);
}

void decode(ByteReader &in, SharingPrediction &prediction) {
  prediction.method = in.text();
  decode(in, prediction.direct);
  decode(in, prediction.shared);
  prediction.directSeconds = in.finite("a time");
  prediction.seconds = in.finite("a time");
  prediction.collectiveSeconds = in.finite("a time");
}

std::string encodeDecisions(const RankCountPlan &part) {
  ByteWriter out;
  for (const SitePlan &site : part.sites) {
    out.byte(static_cast<std::uint8_t>(site.decision));
    out.text(site.transformation);
    out.text(site.reason);
    out.real(site.gain);
    out.real(site.gainPercent);
    out.number(site.executions);
    out.number(site.sends);
    out.number(site.bytes);
    out.number(site.ordering.size());
    for (const OrderingFigures &figures : site.ordering)
      encode(out, figures);
    out.number(site.sharing.has_value());
    if (site.sharing)
      encode(out, *site.sharing);
    out.text(site.notShared);
  }
  return out.take();
}

void decodeDecisions(ByteReader &in, std::vector<SitePlan> &sites) {
  for (SitePlan &site : sites) {
    site.decision = static_cast<Decision>(in.number(1, "decision"));
    site.transformation = in.text();
    site.reason = in.text();
    site.gain = in.finite("a gain");
    site.gainPercent = in.finite("a gain");
    site.executions = in.number();
    site.sends = in.number();
    site.bytes = in.number();
    site.ordering.resize(in.count(64));
    for (OrderingFigures &figures : site.ordering)
      decode(in, figures);
    if (in.flag())
      decode(in, site.sharing.emplace());
    site.notShared = in.text();
  }
  in.expectEnd();
}

std::string encodeOrders(const std::vector<RankSite> &rank) {
  ByteWriter out;
  out.number(rank.size());
  for (const RankSite &site : rank) {
    out.number(site.site);
    out.number(site.orders.size());
    for (const SendOrder &order : site.orders) {
      out.number(order.window);
      out.number(order.instances);
      out.number(order.destinations.size());
      int previous = 0;
      for (int destination : order.destinations) {
        out.signedNumber(std::int64_t{destination} - previous);
        previous = destination;
      }
    }
  }
  return out.take();
}

std::vector<RankSite> decodeOrders(ByteReader &in, int rankCount, std::size_t siteCount) {
  std::vector<RankSite> rank(in.count(2));
  for (RankSite &site : rank) {
    site.site = static_cast<std::uint32_t>(in.number(UINT32_MAX, "site"));
    if (site.site >= siteCount)
      in.fail("site " + std::to_string(site.site) + ", expected one of " +
              std::to_string(siteCount));
    site.orders.resize(in.count(3));
    for (SendOrder &order : site.orders) {
      order.window = static_cast<std::uint32_t>(in.number(UINT32_MAX, "window"));
      order.instances = in.number();
      order.destinations.resize(in.count());
      std::int64_t previous = 0;
      for (int &destination : order.destinations) {
        previous += in.signedNumber(-previous, rankCount - 1 - previous, "destination, relative,");
        destination = static_cast<int>(previous);
      }
    }
  }
  in.expectEnd();
  return rank;
}

std::string encodeSynchronization(const SynchronizationPlan &plan) {
  ByteWriter out;
  out.byte(static_cast<std::uint8_t>(plan.kind));
  out.number(plan.buffers.size());
  for (const std::uint32_t buffers : plan.buffers)
    out.number(buffers);
  out.number(plan.superEpochs);
  out.number(plan.synchronizations);
  out.number(plan.wildcardReceives);
  out.number(plan.calls.size());
  for (const SynchronizedCall &call : plan.calls) {
    encodeSite(out, call.site);
    out.number(call.actions.acts);
    out.number(call.actions.ranks);
  }
  out.number(plan.actsUnmarked);
  out.number(plan.actsAtEnd);
  return out.take();
}

SynchronizationPlan decodeSynchronization(ByteReader &in, int rankCount) {
  SynchronizationPlan plan;
  plan.kind = static_cast<SynchronizationKind>(in.number(3, "kind of synchronisation"));
  plan.buffers.resize(in.count());
  if (!plan.buffers.empty() && plan.buffers.size() != static_cast<std::size_t>(rankCount))
    in.fail(std::to_string(plan.buffers.size()) + " numbers of buffers, expected one for each of " +
            std::to_string(rankCount) + " ranks");
  for (std::uint32_t &buffers : plan.buffers)
    buffers = static_cast<std::uint32_t>(in.number(UINT32_MAX, "number of buffers"));
  plan.superEpochs = in.number();
  plan.synchronizations = in.number();
  plan.wildcardReceives = in.number();
  plan.calls.resize(in.count(leastSiteBytes + 2));
  for (SynchronizedCall &call : plan.calls) {
    call.site = decodeSite(in);
    call.actions.acts = in.number();
    call.actions.ranks = static_cast<std::uint32_t>(
        in.number(static_cast<std::uint64_t>(rankCount), "number of ranks that make a call"));
  }
  plan.actsUnmarked = in.number();
  plan.actsAtEnd = in.number(static_cast<std::uint64_t>(rankCount), "number of ranks");
  in.expectEnd();
  return plan;
}

RankSteps decodeStepsOf(ByteReader &in, int rankCount, int rank) {
  RankSteps steps = decodeSteps(in, rankCount, rank);
  in.expectEnd();
  return steps;
}

ContainerReader openPlan(const void *data, std::size_t size, const std::string &name) {
  return {std::string_view(static_cast<const char *>(data), size), FileKind::Plan, planVersion,
          name};
}

/// Calls `decode` with a reader over the content of a section that must be there.
template <typename Decode>
auto readSection(const ContainerReader &file, const SectionKey &key, Decode decode) {
  const ContainerReader::Section *section = file.find(key);
  if (!section)
    file.fail("incomplete (no section " + std::to_string(key.tag) + " for " +
              std::to_string(key.first) + " ranks)");
  const std::string content = file.content(*section);
  ByteReader reader(content, file.where(*section));
  return decode(reader);
}

void addExchanges(ContainerWriter &file, std::uint32_t ranks, const RankCountPlan &part) {
  if (part.exchanges.empty())
    return;
  ByteWriter exchanges;
  encodeExchanges(exchanges, part.exchanges);
  file.add({exchangesTag, ranks, 0}, packSection(exchanges.take()));
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    ByteWriter parts;
    encodeParts(parts, rank < part.rankExchanges.size() ? part.rankExchanges[rank]
                                                        : std::vector<RankExchange>());
    file.add({partsTag, ranks, rank}, packSection(parts.take()));
  }
}

std::vector<SharedExchange> readExchanges(const ContainerReader &file, int rankCount,
                                          std::size_t sites) {
  const SectionKey key{exchangesTag, static_cast<std::uint32_t>(rankCount), 0};
  if (!file.find(key))
    return {};
  return readSection(file, key,
                     [&](ByteReader &in) { return decodeExchanges(in, rankCount, sites); });
}

std::vector<RankExchange> readParts(const ContainerReader &file, int rankCount, int rank,
                                    const std::vector<SharedExchange> &exchanges) {
  if (exchanges.empty())
    return {};
  return readSection(
      file, {partsTag, static_cast<std::uint32_t>(rankCount), static_cast<std::uint32_t>(rank)},
      [&](ByteReader &in) { return decodeParts(in, rankCount, rank, exchanges); });
}

/// Reads them into `part`; returns how many sections they are.
std::size_t readAllExchanges(const ContainerReader &file, int rankCount, RankCountPlan &part) {
  part.exchanges = readExchanges(file, rankCount, part.sites.size());
  if (part.exchanges.empty())
    return 0;
  for (int rank = 0; rank < rankCount; ++rank)
    part.rankExchanges.push_back(readParts(file, rankCount, rank, part.exchanges));
  return 1 + part.rankExchanges.size();
}

void addRedistributions(ContainerWriter &file, std::uint32_t ranks, const RankCountPlan &part) {
  if (part.redistributions.empty())
    return;
  ByteWriter out;
  encodeRedistributions(out, part.redistributions);
  file.add({redistributionsTag, ranks, 0}, packSection(out.take()));
}

/// Reads them into `part`; returns how many sections they are.
std::size_t readRedistributions(const ContainerReader &file, int rankCount, RankCountPlan &part) {
  const SectionKey key{redistributionsTag, static_cast<std::uint32_t>(rankCount), 0};
  if (!file.find(key))
    return 0;
  part.redistributions = readSection(file, key, [&](ByteReader &in) {
    return decodeRedistributions(in, static_cast<std::size_t>(rankCount));
  });
  return 1;
}

} // namespace

void writePlan(const Plan &plan, const std::string &name) {
  ContainerWriter file(name, FileKind::Plan, planVersion);
  file.add({commonTag, 0, 0}, packSection(encodeCommon(plan)));
  file.add({functionsTag, 0, 0}, packSection(encodeFunctionsOf(plan)));
  for (const auto &[rankCount, part] : plan.rankCounts)
    file.add({sitesTag, static_cast<std::uint32_t>(rankCount), 0}, packSection(encodeSites(part)));
  for (const auto &[rankCount, part] : plan.rankCounts)
    file.add({decisionsTag, static_cast<std::uint32_t>(rankCount), 0},
             packSection(encodeDecisions(part)));
  for (const auto &[rankCount, part] : plan.rankCounts)
    for (std::uint32_t rank = 0; rank < static_cast<std::uint32_t>(rankCount); ++rank)
      file.add({ordersTag, static_cast<std::uint32_t>(rankCount), rank},
               packSection(encodeOrders(rank < part.ranks.size() ? part.ranks[rank]
                                                                 : std::vector<RankSite>())));
  for (const auto &[rankCount, part] : plan.rankCounts)
    file.add({synchronizationTag, static_cast<std::uint32_t>(rankCount), 0},
             packSection(encodeSynchronization(part.synchronization)));
  for (const auto &[rankCount, part] : plan.rankCounts)
    for (std::uint32_t rank = 0; rank < part.synchronization.ranks.size(); ++rank) {
      ByteWriter steps;
      encodeSteps(steps, part.synchronization.ranks[rank]);
      file.add({stepsTag, static_cast<std::uint32_t>(rankCount), rank}, packSection(steps.take()));
    }
  for (const auto &[rankCount, part] : plan.rankCounts)
    addExchanges(file, static_cast<std::uint32_t>(rankCount), part);
  for (const auto &[rankCount, part] : plan.rankCounts)
    addRedistributions(file, static_cast<std::uint32_t>(rankCount), part);
  file.finish();
}

Plan decodePlan(const void *data, std::size_t size, const std::string &name) {
  const ContainerReader file = openPlan(data, size, name);
  Plan plan;
  readSection(file, {commonTag, 0, 0}, [&](ByteReader &in) { decodeCommon(in, plan); });
  readSection(file, {functionsTag, 0, 0}, [&](ByteReader &in) { decodeFunctionsOf(in, plan); });
  std::size_t expectedSections = 2;
  for (auto &[rankCount, part] : plan.rankCounts) {
    const auto ranks = static_cast<std::uint32_t>(rankCount);
    expectedSections += 2 + ranks;
    if (expectedSections > file.sections().size())
      file.fail("incomplete (too few sections for " + std::to_string(ranks) + " ranks)");
    for (SiteIdentity &site : readSection(file, {sitesTag, ranks, 0}, decodeSites))
      part.sites.emplace_back().site = std::move(site);
    readSection(file, {decisionsTag, ranks, 0},
                [&](ByteReader &in) { decodeDecisions(in, part.sites); });
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      part.ranks.push_back(readSection(file, {ordersTag, ranks, rank}, [&](ByteReader &in) {
        return decodeOrders(in, rankCount, part.sites.size());
      }));
  }
  for (auto &[rankCount, part] : plan.rankCounts) {
    const auto ranks = static_cast<std::uint32_t>(rankCount);
    part.synchronization = readSection(file, {synchronizationTag, ranks, 0}, [&](ByteReader &in) {
      return decodeSynchronization(in, rankCount);
    });
    ++expectedSections;
    if (part.synchronization.kind == SynchronizationKind::None)
      continue;
    for (std::uint32_t rank = 0; rank < ranks; ++rank, ++expectedSections)
      part.synchronization.ranks.push_back(
          readSection(file, {stepsTag, ranks, rank}, [&](ByteReader &in) {
            return decodeStepsOf(in, rankCount, static_cast<int>(rank));
          }));
  }
  for (auto &[rankCount, part] : plan.rankCounts)
    expectedSections +=
        readAllExchanges(file, rankCount, part) + readRedistributions(file, rankCount, part);
  if (file.sections().size() != expectedSections)
    file.fail("damaged (sections that nothing refers to)");
  return plan;
}

Plan readPlan(const std::string &name) {
  const std::string bytes = readTextFile(name);
  return decodePlan(bytes.data(), bytes.size(), name == "-" ? "<stdin>" : name);
}

RankPlan decodeRankPlan(const void *data, std::size_t size, const std::string &name, int rankCount,
                        int rank) {
  const ContainerReader file = openPlan(data, size, name);
  RankPlan result;
  Plan common;
  readSection(file, {commonTag, 0, 0}, [&](ByteReader &in) { decodeCommon(in, common); });
  for (const auto &[count, part] : common.rankCounts)
    result.rankCounts.push_back(count);
  if (rank < 0 || rank >= rankCount || !common.rankCounts.count(rankCount))
    return result;
  const auto ranks = static_cast<std::uint32_t>(rankCount);
  result.sites = readSection(file, {sitesTag, ranks, 0}, decodeSites);
  result.orders =
      readSection(file, {ordersTag, ranks, static_cast<std::uint32_t>(rank)},
                  [&](ByteReader &in) { return decodeOrders(in, rankCount, result.sites.size()); });
  result.exchanges = readExchanges(file, rankCount, result.sites.size());
  result.parts = readParts(file, rankCount, rank, result.exchanges);
  result.found = true;
  return result;
}

bool sharesMessages(const void *data, std::size_t size, int rankCount) noexcept {
  return listsSection({static_cast<const char *>(data), size},
                      {exchangesTag, static_cast<std::uint32_t>(rankCount), 0});
}

bool synchronizesRun(const void *data, std::size_t size, int rankCount) noexcept {
  return listsSection({static_cast<const char *>(data), size},
                      {stepsTag, static_cast<std::uint32_t>(rankCount), 0});
}

RankSteps decodeRankSteps(const void *data, std::size_t size, const std::string &name,
                          int rankCount, int rank) {
  const ContainerReader file = openPlan(data, size, name);
  const SectionKey key{stepsTag, static_cast<std::uint32_t>(rankCount),
                       static_cast<std::uint32_t>(rank)};
  return readSection(file, key, [&](ByteReader &in) { return decodeStepsOf(in, rankCount, rank); });
}

std::string planDigest(const void *data, std::size_t size) {
  const std::uint64_t digest = XXH64(data, size, 0);
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(digest >> shift) & 15];
  return text;
}

} // namespace sendwright
