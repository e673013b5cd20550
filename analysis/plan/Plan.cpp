// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plan files. Sections: the common part; then for each rank count the sites' identities (all that a
// running program needs of them), the decisions and figures (for the compiler and for people), each
// rank's orders, and where ranks synchronise. If messages are shared, the exchanges and each rank's
// part of them follow; likewise for collectives, and for the usual pairs of redistribute
// directives. A running rank unpacks a few short sections.

#include "analysis/plan/Plan.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/Container.h"
#include "analysis/file/Hashing.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/plan/PlanCodec.h"
#include "analysis/plan/PlanVerification.h"
#include "analysis/trace/ProfileCodec.h"

namespace sendwright {

namespace {

constexpr std::uint32_t planVersion = 8;

// Section tags, in the order of the file. The key's numbers are rank count and rank.
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
  redistributionsTag,
  collectivesTag,
  collectivePartsTag
};

RankSteps decodeStepsOf(ByteReader &in, int rankCount, int rank) {
  RankSteps steps = decodeSteps(in, rankCount, rank);
  in.expectEnd();
  return steps;
}

ContainerReader openPlan(const void *data, std::size_t size, const std::string &name) {
  return {std::string_view(static_cast<const char *>(data), size), FileKind::Plan, planVersion,
          name};
}

/// Calls `decode` with a reader for the content of a section that must exist.
template <typename Decode>
auto readSection(const ContainerReader &file, const SectionKey &key, Decode decode) {
  const ContainerReader::Section *section = file.find(key);
  if (!section)
    file.fail("incomplete (no section " + std::to_string(key.tag) + " for " +
              std::to_string(key.first) + " ranks)");
  const std::string content = file.content(*section);
  ByteReader reader(content, file.where(*section), file.budget());
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

/// Reads exchanges into `part`; returns the number of their sections.
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

/// Reads redistributions into `part`; returns the number of their sections.
std::size_t readRedistributions(const ContainerReader &file, int rankCount, RankCountPlan &part) {
  const SectionKey key{redistributionsTag, static_cast<std::uint32_t>(rankCount), 0};
  if (!file.find(key))
    return 0;
  part.redistributions = readSection(file, key, [&](ByteReader &in) {
    return decodeRedistributions(in, static_cast<std::size_t>(rankCount));
  });
  return 1;
}

void addCollectives(ContainerWriter &file, std::uint32_t ranks, const RankCountPlan &part) {
  if (part.collectives.empty())
    return;
  ByteWriter collectives;
  encodeCollectives(collectives, part.collectives);
  file.add({collectivesTag, ranks, 0}, packSection(collectives.take()));
}

/// Written after the parts of all rank counts, because sections are ordered.
void addCollectiveParts(ContainerWriter &file, std::uint32_t ranks, const RankCountPlan &part) {
  for (std::uint32_t rank = 0; rank < ranks && !part.collectives.empty(); ++rank) {
    ByteWriter parts;
    encodeCollectiveParts(parts, part.rankCollectives[rank]);
    file.add({collectivePartsTag, ranks, rank}, packSection(parts.take()));
  }
}

std::vector<PlannedCollective> readCollectives(const ContainerReader &file, int rankCount,
                                               std::size_t sites) {
  const SectionKey key{collectivesTag, static_cast<std::uint32_t>(rankCount), 0};
  if (!file.find(key))
    return {};
  return readSection(file, key,
                     [&](ByteReader &in) { return decodeCollectives(in, rankCount, sites); });
}

std::vector<RankCollective> readCollectiveParts(const ContainerReader &file, int rankCount,
                                                int rank,
                                                const std::vector<PlannedCollective> &collectives) {
  if (collectives.empty())
    return {};
  return readSection(
      file,
      {collectivePartsTag, static_cast<std::uint32_t>(rankCount), static_cast<std::uint32_t>(rank)},
      [&](ByteReader &in) { return decodeCollectiveParts(in, rank, collectives); });
}

/// Reads collectives into `part`; returns the number of their sections.
std::size_t readAllCollectives(const ContainerReader &file, int rankCount, RankCountPlan &part) {
  part.collectives = readCollectives(file, rankCount, part.sites.size());
  if (part.collectives.empty())
    return 0;
  for (int rank = 0; rank < rankCount; ++rank)
    part.rankCollectives.push_back(readCollectiveParts(file, rankCount, rank, part.collectives));
  return 1 + part.rankCollectives.size();
}

/// Reads sites and their decisions into `part`; returns the number of their sections.
std::size_t readSites(const ContainerReader &file, int rankCount, RankCountPlan &part) {
  const auto ranks = static_cast<std::uint32_t>(rankCount);
  for (SiteIdentity &site : readSection(file, {sitesTag, ranks, 0}, decodeSites))
    part.sites.emplace_back().site = std::move(site);
  readSection(file, {decisionsTag, ranks, 0},
              [&](ByteReader &in) { decodeDecisions(in, part.sites); });
  return 2;
}

/// Reads synchronisation into `part`; returns the number of its sections.
std::size_t readSynchronization(const ContainerReader &file, int rankCount, RankCountPlan &part) {
  const auto ranks = static_cast<std::uint32_t>(rankCount);
  part.synchronization = readSection(file, {synchronizationTag, ranks, 0}, [&](ByteReader &in) {
    return decodeSynchronization(in, rankCount);
  });
  if (part.synchronization.kind == SynchronizationKind::None)
    return 1;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    part.synchronization.ranks.push_back(
        readSection(file, {stepsTag, ranks, rank}, [&](ByteReader &in) {
          return decodeStepsOf(in, rankCount, static_cast<int>(rank));
        }));
  return 1 + part.synchronization.ranks.size();
}

/// Planners decide which figures there are, and readers decide whether they can read them: a plan
/// that nobody could read is not written.
void checkReadable(const Plan &plan, const std::string &common, const std::string &name) {
  const std::string where = name + ": not written";
  Plan read;
  ByteReader machine(common, where);
  decodeCommon(machine, read);
  for (const auto &[rankCount, part] : plan.rankCounts) {
    const std::string decisions = encodeDecisions(part);
    std::vector<SitePlan> sites(part.sites.size());
    ByteReader in(decisions, where);
    decodeDecisions(in, sites);
  }
}

} // namespace

void writePlan(const Plan &plan, const std::string &name) {
  const std::string common = encodeCommon(plan);
  checkReadable(plan, common, name);
  ContainerWriter file(name, FileKind::Plan, planVersion);
  file.add({commonTag, 0, 0}, packSection(common));
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
  for (const auto &[rankCount, part] : plan.rankCounts)
    addCollectives(file, static_cast<std::uint32_t>(rankCount), part);
  for (const auto &[rankCount, part] : plan.rankCounts)
    addCollectiveParts(file, static_cast<std::uint32_t>(rankCount), part);
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
    if (expectedSections + 3 + ranks > file.sections().size())
      file.fail("incomplete (too few sections for " + std::to_string(ranks) + " ranks)");
    expectedSections += readSites(file, rankCount, part);
    for (std::uint32_t rank = 0; rank < ranks; ++rank, ++expectedSections)
      part.ranks.push_back(readSection(file, {ordersTag, ranks, rank}, [&](ByteReader &in) {
        return decodeOrders(in, rankCount, part.sites.size());
      }));
    expectedSections +=
        readSynchronization(file, rankCount, part) + readAllExchanges(file, rankCount, part) +
        readRedistributions(file, rankCount, part) + readAllCollectives(file, rankCount, part);
  }
  if (file.sections().size() != expectedSections)
    file.fail("damaged (sections that nothing refers to)");
  verifyPlan(plan, name);
  return plan;
}

std::optional<std::string> contradictionInJointParts(const void *data, std::size_t size,
                                                     const std::string &name, int rankCount) {
  const ContainerReader file = openPlan(data, size, name);
  RankCountPlan part;
  readSites(file, rankCount, part);
  readAllExchanges(file, rankCount, part);
  readAllCollectives(file, rankCount, part);
  return contradictionInJointParts(part, rankCount);
}

std::optional<std::string> contradictionInSynchronization(const void *data, std::size_t size,
                                                          const std::string &name, int rankCount) {
  const ContainerReader file = openPlan(data, size, name);
  RankCountPlan part;
  readSynchronization(file, rankCount, part);
  return contradictionInSynchronization(part, rankCount);
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
  result.collectives = readCollectives(file, rankCount, result.sites.size());
  result.collectiveParts = readCollectiveParts(file, rankCount, rank, result.collectives);
  result.found = true;
  return result;
}

bool sharesMessages(const void *data, std::size_t size, int rankCount) noexcept {
  return listsSection({static_cast<const char *>(data), size},
                      {exchangesTag, static_cast<std::uint32_t>(rankCount), 0});
}

bool plansCollectives(const void *data, std::size_t size, int rankCount) noexcept {
  return listsSection({static_cast<const char *>(data), size},
                      {collectivesTag, static_cast<std::uint32_t>(rankCount), 0});
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
