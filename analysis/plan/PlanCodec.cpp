// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/PlanCodec.h"

#include "analysis/file/FormatError.h"
#include "analysis/machine/MachineRanges.h"
#include "analysis/program/FunctionSummary.h"
#include "analysis/trace/ProfileCodec.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace sendwright {

namespace {

double decodeMachineTime(ByteReader &in) {
  const double seconds = in.finite("a machine's parameter");
  if (!isMachineTime(seconds))
    in.fail("a machine's parameter of " + std::to_string(seconds) +
            " s, expected 0, or 1e-18 to 1e6");
  return seconds;
}

double decodeUpTo(ByteReader &in, double most, const char *what) {
  const double value = in.finite(what);
  if (value < 0 || value > most)
    in.fail(std::string(what) + " of " + std::to_string(value) + ", expected 0 to " +
            std::to_string(most));
  return value;
}

void encode(ByteWriter &out, const LinkParameters &link) {
  for (double value :
       {link.L, link.o_send, link.o_recv, link.g, link.G, link.O, link.O_recv, link.eager_limit})
    out.real(value);
  out.number(link.large.has_value());
  if (const auto &large = link.large)
    for (double value : {large->from, large->o_send, large->o_recv, large->O, large->O_recv})
      out.real(value);
}

void decode(ByteReader &in, LinkParameters &link) {
  for (double *value :
       {&link.L, &link.o_send, &link.o_recv, &link.g, &link.G, &link.O, &link.O_recv})
    *value = decodeMachineTime(in);
  link.eager_limit = decodeUpTo(in, mostMachineBytes, "an eager limit");
  if (!in.flag())
    return;
  LargeMessages &large = link.large.emplace();
  large.from = decodeUpTo(in, mostMachineBytes, "a size of messages");
  for (double *value : {&large.o_send, &large.o_recv, &large.O, &large.O_recv})
    *value = decodeMachineTime(in);
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
  out.number(machine.duplication.has_value());
  if (machine.duplication) {
    out.signedNumber(machine.duplication->ranks);
    out.real(machine.duplication->seconds);
  }
}

void decode(ByteReader &in, Machine &machine) {
  machine.name = in.text();
  decode(in, machine.between);
  if (in.flag())
    decode(in, machine.within.emplace());
  machine.ranks_per_node = static_cast<int>(in.signedNumber(1, mostPlannedRanks, "ranks per node"));
  in.resize(machine.incast, 17);
  for (IncastRow &row : machine.incast) {
    row.senders = static_cast<int>(in.signedNumber(0, mostPlannedRanks, "senders"));
    row.bytes = decodeUpTo(in, mostMachineBytes, "a size of messages");
    row.factor = decodeUpTo(in, mostIncastFactor, "a factor");
  }
  if (in.flag()) {
    Duplication &duplication = machine.duplication.emplace();
    duplication.ranks = static_cast<int>(in.signedNumber(1, mostPlannedRanks, "ranks"));
    duplication.seconds = decodeMachineTime(in);
  }
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

void encode(ByteWriter &out, const CollectivePrediction &prediction) {
  out.byte(static_cast<std::uint8_t>(prediction.operation));
  out.text(prediction.algorithm);
  out.number(prediction.ranks);
  out.number(prediction.bytes);
  out.number(prediction.instances);
  out.real(prediction.writtenSeconds);
  out.real(prediction.seconds);
}

void decode(ByteReader &in, CollectivePrediction &prediction) {
  prediction.operation = static_cast<Collective>(
      in.number(static_cast<std::uint64_t>(Collective::Reduce), "operation"));
  prediction.algorithm = in.text();
  prediction.ranks = static_cast<std::uint32_t>(in.number(mostPlannedRanks, "number of ranks"));
  prediction.bytes = in.number();
  prediction.instances = in.number();
  prediction.writtenSeconds = in.finite("a time");
  prediction.seconds = in.finite("a time");
}

} // namespace

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
    int rankCount = static_cast<int>(in.number(mostPlannedRanks, "number of ranks"));
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

/// One site has one decision.
static void failWhereRepeated(const ByteReader &in, const std::vector<SiteIdentity> &sites) {
  std::vector<const SiteIdentity *> sorted;
  sorted.reserve(sites.size());
  for (const SiteIdentity &site : sites)
    sorted.push_back(&site);
  const auto key = [](const SiteIdentity *site) {
    return std::tie(site->hash, site->line, site->ordinal, site->file, site->function,
                    site->instantiation);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](const auto *one, const auto *other) { return key(one) < key(other); });
  const auto twice =
      std::adjacent_find(sorted.begin(), sorted.end(), [&](const auto *one, const auto *other) {
        return key(one) == key(other);
      });
  if (twice != sorted.end())
    in.fail("site " + sendwright::quoted((*twice)->display()) + " twice, expected each site once");
}

std::vector<SiteIdentity> decodeSites(ByteReader &in) {
  std::vector<SiteIdentity> sites(in.count(leastSiteBytes, sizeof(SitePlan)));
  for (SiteIdentity &site : sites)
    site = decodeSite(in);
  in.expectEnd();
  failWhereRepeated(in, sites);
  return sites;
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
    out.number(site.collective.has_value());
    if (site.collective)
      encode(out, *site.collective);
    out.text(site.notCollective);
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
    in.resize(site.ordering, 64);
    for (OrderingFigures &figures : site.ordering)
      decode(in, figures);
    if (in.flag())
      decode(in, site.sharing.emplace());
    site.notShared = in.text();
    if (in.flag())
      decode(in, site.collective.emplace());
    site.notCollective = in.text();
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
  std::vector<RankSite> rank(in.countOf<RankSite>(2));
  std::unordered_set<std::uint32_t> known;
  for (RankSite &site : rank) {
    site.site = static_cast<std::uint32_t>(in.number(UINT32_MAX, "site"));
    if (site.site >= siteCount)
      in.fail("site " + std::to_string(site.site) + ", expected one of " +
              std::to_string(siteCount));
    if (!known.insert(site.site).second)
      in.fail("site " + std::to_string(site.site) + " twice, expected each site once");
    in.resize(site.orders, 3);
    for (SendOrder &order : site.orders) {
      order.window = static_cast<std::uint32_t>(in.number(UINT32_MAX, "window"));
      order.instances = in.number();
      in.resize(order.destinations);
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
  in.resize(plan.buffers);
  if (!plan.buffers.empty() && plan.buffers.size() != static_cast<std::size_t>(rankCount))
    in.fail(std::to_string(plan.buffers.size()) + " numbers of buffers, expected one for each of " +
            std::to_string(rankCount) + " ranks");
  for (std::uint32_t &buffers : plan.buffers)
    buffers = static_cast<std::uint32_t>(in.number(UINT32_MAX, "number of buffers"));
  plan.superEpochs = in.number();
  plan.synchronizations = in.number();
  plan.wildcardReceives = in.number();
  in.resize(plan.calls, leastSiteBytes + 2);
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

} // namespace sendwright
