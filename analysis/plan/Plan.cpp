// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plan files. Sections: the common part; then for each rank count the sites' identities (all that a
// running program needs of them), the decisions and figures (for the compiler and for people), and
// what each transformation keeps (PlanSections.h). A running rank unpacks a few short sections.

#include "analysis/plan/Plan.h"

#include "analysis/epochs/steps/SynchronizationInPlan.h"
#include "analysis/file/Bytes.h"
#include "analysis/file/Container.h"
#include "analysis/file/Hashing.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/plan/KnownSections.h"
#include "analysis/plan/PlanCodec.h"
#include "analysis/plan/PlanContradictions.h"

#include <algorithm>

namespace sendwright {

namespace {

constexpr std::uint32_t planVersion = 8;

// Tags of the sections that belong to no transformation. The key's numbers are rank count and rank.
enum : std::uint32_t { commonTag = 1, functionsTag, sitesTag, decisionsTag };

ContainerReader openPlan(const void *data, std::size_t size, const std::string &name,
                         ContainerReading reading = ContainerReading::Everything) {
  return {std::string_view(static_cast<const char *>(data), size), FileKind::Plan, planVersion,
          name, reading};
}

/// Calls `decode` with a reader for the content of a section that must exist.
template <typename Decode>
auto readSection(const ContainerReader &file, const SectionKey &key, Decode decode) {
  const std::optional<ContainerReader::Section> section = file.find(key);
  if (!section)
    file.fail("incomplete (no section " + std::to_string(key.tag) + " for " +
              std::to_string(key.first) + " ranks)");
  const std::string content = file.content(*section);
  ByteReader reader(content, file.where(*section), file.budget());
  return decode(reader);
}

/// Whether a transformation of this build has sections with this tag.
bool isKnown(std::uint32_t tag) {
  return tag <= decisionsTag ||
         std::ranges::binary_search(sectionKinds(), tag, {}, &PlanSection::tag);
}

bool hasUnknownSections(const ContainerReader &file) {
  return std::ranges::any_of(file.tags(), [](std::uint32_t tag) { return !isKnown(tag); });
}

std::size_t readSection(const ContainerReader &file, const PlanSection &kind, int rankCount,
                        int rank, RankCountPlan &part) {
  const SectionKey key{kind.tag, static_cast<std::uint32_t>(rankCount),
                       kind.ofEachRank ? static_cast<std::uint32_t>(rank) : 0};
  if (kind.optional ? !file.find(key) : kind.isDue && !kind.isDue(part))
    return 0;
  readSection(file, key, [&](ByteReader &in) { kind.decode(in, part, rankCount, rank); });
  return 1;
}

/// Reads all sections of this kind into `part`; returns their number.
std::size_t readSections(const ContainerReader &file, const PlanSection &kind, int rankCount,
                         RankCountPlan &part) {
  std::size_t count = 0;
  for (int rank = 0; rank < (kind.ofEachRank ? rankCount : 1); ++rank)
    count += readSection(file, kind, rankCount, rank, part);
  return count;
}

/// Reads the sites and their decisions into `part`; returns the number of their sections. Sites
/// that an unknown transformation would rewrite are left alone.
std::size_t readSites(const ContainerReader &file, int rankCount, RankCountPlan &part) {
  const auto ranks = static_cast<std::uint32_t>(rankCount);
  for (SiteIdentity &site : readSection(file, {sitesTag, ranks, 0}, decodeSites))
    part.sites.emplace_back().site = std::move(site);
  readSection(file, {decisionsTag, ranks, 0},
              [&](ByteReader &in) { decodeDecisions(in, part.sites); });
  if (hasUnknownSections(file))
    for (SitePlan &site : part.sites)
      if (site.decision == Decision::Rewrite && !knownSectionsOf(site.transformation)) {
        site.decision = Decision::Leave;
        site.reason = "it is planned for '" + site.transformation +
                      "', which this version of Sendwright does not know";
        site.transformation.clear();
      }
  return 2;
}

/// The first contradiction in the transformations that `isMeant` names, or nothing.
template <typename IsMeant>
std::optional<std::string> contradictionInSome(const void *data, std::size_t size,
                                               const std::string &name, int rankCount,
                                               IsMeant isMeant) {
  const ContainerReader file = openPlan(data, size, name, ContainerReading::AsNeeded);
  RankCountPlan part;
  readSites(file, rankCount, part);
  std::vector<const PlanSections *> meant;
  for (const PlanSections *content : knownSections())
    if (isMeant(*content))
      meant.push_back(content);
  for (const PlanSections *content : meant)
    for (const PlanSection &kind : content->sections())
      readSections(file, kind, rankCount, part);
  return contradictionInContents(part, rankCount, meant);
}

/// The rank count of which the larger is the least multiple of the other; of two, the smaller one.
int nearestRankCount(const std::vector<int> &rankCounts, int ranks) {
  const auto ratio = [&](int count) {
    return static_cast<double>(std::max(count, ranks)) / std::max(1, std::min(count, ranks));
  };
  return *std::ranges::min_element(rankCounts, {}, ratio);
}

OtherRunsPlan readForOtherRuns(const ContainerReader &file, const std::vector<int> &rankCounts,
                               int ranks) {
  OtherRunsPlan other;
  if (rankCounts.empty())
    return other;
  RankCountPlan part;
  other.rankCount = nearestRankCount(rankCounts, ranks);
  readSites(file, other.rankCount, part);
  other.sites = std::move(part.sites);
  return other;
}

/// Adds the sections of this kind, if they are due.
void addSections(ContainerWriter &file, const PlanSection &kind, std::uint32_t ranks,
                 const RankCountPlan &part) {
  if (kind.isDue && !kind.isDue(part))
    return;
  for (std::uint32_t rank = 0; rank < (kind.ofEachRank ? ranks : 1); ++rank)
    if (const std::optional<std::string> content = kind.encode(part, rank))
      file.add({kind.tag, ranks, rank}, packSection(*content));
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
  for (const PlanSection &kind : sectionKinds())
    for (const auto &[rankCount, part] : plan.rankCounts)
      addSections(file, kind, static_cast<std::uint32_t>(rankCount), part);
  file.finish();
}

Plan decodePlan(const void *data, std::size_t size, const std::string &name) {
  const ContainerReader file = openPlan(data, size, name);
  Plan plan;
  readSection(file, {commonTag, 0, 0}, [&](ByteReader &in) { decodeCommon(in, plan); });
  readSection(file, {functionsTag, 0, 0}, [&](ByteReader &in) { decodeFunctionsOf(in, plan); });
  plan.hasUnknownSections = hasUnknownSections(file);
  const auto known = static_cast<std::size_t>(std::ranges::count_if(
      file.sections(), [](const auto &section) { return isKnown(section.key.tag); }));
  std::size_t expectedSections = 2;
  for (auto &[rankCount, part] : plan.rankCounts) {
    const auto ranks = static_cast<std::uint32_t>(rankCount);
    if (expectedSections + 3 + ranks > known)
      file.fail("incomplete (too few sections for " + std::to_string(ranks) + " ranks)");
    expectedSections += readSites(file, rankCount, part);
    for (const PlanSection &kind : sectionKinds())
      expectedSections += readSections(file, kind, rankCount, part);
  }
  if (known != expectedSections)
    file.fail("damaged (sections that nothing refers to)");
  refuseContradictions(plan, name);
  return plan;
}

std::optional<std::string> contradictionInJointParts(const void *data, std::size_t size,
                                                     const std::string &name, int rankCount) {
  return contradictionInSome(data, size, name, rankCount, [](const PlanSections &content) {
    return content.isFollowedTogether();
  });
}

std::optional<std::string> contradictionInPartsWithoutSum(const void *data, std::size_t size,
                                                          const std::string &name, int rankCount) {
  return contradictionInSome(data, size, name, rankCount, [](const PlanSections &content) {
    return content.isFollowedTogether() && !content.isCheckedBySum();
  });
}

JointSum jointSumOf(const RankCountPlan &own, int rankCount, int rank) {
  JointSum sum;
  for (const PlanSections *content : knownSections())
    if (content->isFollowedTogether() && content->isCheckedBySum())
      content->addToSum(own, rankCount, rank, sum);
  return sum;
}

std::optional<std::string> contradictionIn(std::string_view stem, const void *data,
                                           std::size_t size, const std::string &name,
                                           int rankCount) {
  const ContainerReader file = openPlan(data, size, name);
  const PlanSections &content = *knownSectionsOf(stem);
  RankCountPlan part;
  for (const PlanSection &kind : content.sections())
    readSections(file, kind, rankCount, part);
  return content.contradictionAmongRanks(part, rankCount);
}

Plan readPlan(const std::string &name) {
  const std::string bytes = readTextFile(name);
  return decodePlan(bytes.data(), bytes.size(), name == "-" ? "<stdin>" : name);
}

RankPlan decodeRankPlan(const void *data, std::size_t size, const std::string &name, int rankCount,
                        int rank) {
  const ContainerReader file = openPlan(data, size, name, ContainerReading::AsNeeded);
  RankPlan result;
  Plan common;
  readSection(file, {commonTag, 0, 0}, [&](ByteReader &in) { decodeCommon(in, common); });
  for (const auto &[count, part] : common.rankCounts)
    result.rankCounts.push_back(count);
  result.machine = std::move(common.machine);
  result.hasUnknownSections = hasUnknownSections(file);
  if (rank < 0 || rank >= rankCount || !common.rankCounts.count(rankCount)) {
    result.other = readForOtherRuns(file, result.rankCounts, rankCount);
    return result;
  }
  const auto ranks = static_cast<std::uint32_t>(rankCount);
  for (SiteIdentity &site : readSection(file, {sitesTag, ranks, 0}, decodeSites))
    result.own.sites.emplace_back().site = std::move(site);
  for (const PlanSection &kind : sectionKinds())
    if (kind.duringRuns)
      readSection(file, kind, rankCount, rank, result.own);
  result.found = true;
  result.bytesRead = file.bytesRead();
  return result;
}

bool hasRankCount(const void *data, std::size_t size, int rankCount) noexcept {
  return listsSection({static_cast<const char *>(data), size},
                      {sitesTag, static_cast<std::uint32_t>(rankCount), 0});
}

RankSteps decodeRankSteps(const void *data, std::size_t size, const std::string &name,
                          int rankCount, int rank) {
  const ContainerReader file = openPlan(data, size, name, ContainerReading::AsNeeded);
  return readSection(file, stepsOfRank(rankCount, rank), [&](ByteReader &in) {
    return readWhole(in, [&](ByteReader &steps) { return decodeSteps(steps, rankCount, rank); });
  });
}

std::string planDigest(const void *data, std::size_t size) {
  const std::uint64_t digest = XXH64(data, size, 0);
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(digest >> shift) & 15];
  return text;
}

} // namespace sendwright
