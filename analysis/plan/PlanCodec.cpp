// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/PlanCodec.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/Limits.h"
#include "analysis/machine/MachineCodec.h"
#include "analysis/plan/KnownSections.h"
#include "analysis/program/FunctionSummary.h"
#include "analysis/trace/ProfileFields.h"

#include <algorithm>
#include <tuple>

namespace sendwright {

std::string encodeCommon(const Plan &plan) {
  ByteWriter out;
  out.number(plan.machineMeasured);
  encodeMachine(out, plan.machine);
  out.number(plan.rankCounts.size());
  for (const auto &[rankCount, part] : plan.rankCounts) {
    out.number(static_cast<std::uint64_t>(rankCount));
    out.text(part.profile);
  }
  return out.take();
}

void decodeCommon(ByteReader &in, Plan &plan) {
  plan.machineMeasured = in.flag();
  plan.machine = decodeMachine(in);
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
    describeSite(FieldWriter(out), site.site);
  return out.take();
}

/// Fails if a site occurs twice: each site has one decision.
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
    describeSite(FieldReader(in), site);
  in.expectEnd();
  failWhereRepeated(in, sites);
  return sites;
}

/// The figures of all transformations follow.
template <typename Fields>
static void describeDecision(Fields fields, Described<Fields, SitePlan> &site) {
  fields.number(site.decision, 1, "decision");
  fields.text(site.transformation);
  fields.text(site.reason);
  fields.finite(site.gain, "a gain");
  fields.finite(site.gainPercent, "a gain");
  fields.number(site.executions);
  fields.number(site.sends);
  fields.number(site.bytes);
}

std::string encodeDecisions(const RankCountPlan &part) {
  ByteWriter out;
  for (const SitePlan &site : part.sites) {
    describeDecision(FieldWriter(out), site);
    for (const PlanSections *content : knownSections())
      content->encodeFigures(out, site);
  }
  return out.take();
}

void decodeDecisions(ByteReader &in, std::vector<SitePlan> &sites) {
  for (SitePlan &site : sites) {
    describeDecision(FieldReader(in), site);
    for (const PlanSections *content : knownSections())
      content->decodeFigures(in, site);
  }
  in.expectEnd();
}

} // namespace sendwright
