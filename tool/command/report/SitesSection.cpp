// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marked loops: what each sends, the time that its ranks spend in MPI, what the plan says about
// it, and the source around it.

#include "analysis/completion/EarlyCompletion.h"
#include "tool/command/report/ReportSections.h"
#include "tool/command/report/SourceExcerpt.h"
#include "tool/command/show/ShownIrregularCollectives.h"
#include "tool/command/show/ShownLongWaits.h"
#include "tool/command/show/ShownPlanSites.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

/// By site of the profile: seconds that all ranks together spend inside MPI.
std::vector<double> secondsInside(const Profile &profile) {
  std::vector<double> seconds(profile.sites.size());
  for (const RankProfile &rank : profile.ranks)
    for (std::size_t event = 0; event < rank.statistics.size(); ++event)
      if (const int site = rank.events[event].site; site >= 0)
        seconds[static_cast<std::size_t>(site)] += rank.statistics[event].inside;
  return seconds;
}

/// By site of the profile: seconds that all ranks together wait in a simulated run.
std::vector<double> secondsWaiting(const ReportData &data, const ReportedSimulation &simulation) {
  std::vector<double> seconds(data.profile.sites.size());
  for (std::size_t rank = 0; rank < simulation.record.waits.size(); ++rank)
    for (const SimulatedWait &wait : simulation.record.waits[rank])
      if (const int site = data.timeline.ranks[rank].at(wait.position).site; site >= 0)
        seconds[static_cast<std::size_t>(site)] += wait.end - wait.begin;
  return seconds;
}

/// The plan's site for a site of the profile: its own instantiation, or that of all; -1 if none.
int planSiteOf(const SiteIdentity &site, const RankCountPlan &part) {
  int forAll = -1;
  for (std::size_t index = 0; index < part.sites.size(); ++index) {
    const SiteIdentity &planned = part.sites[index].site;
    if (planned.sameAs(site))
      return static_cast<int>(index);
    if (planned.instantiation.empty() && planned.sameLoopAs(site))
      forAll = static_cast<int>(index);
  }
  return forAll;
}

/// What the plan says of early completion at a site; null if nothing.
Json completionJson(const RankCountPlan &part, int site) {
  if (site < 0 || static_cast<std::size_t>(site) >= part.sites.size())
    return nullptr;
  const SiteCompletion &own = part.sites[static_cast<std::size_t>(site)].of<SiteCompletion>();
  if (own.largest == 0)
    return nullptr;
  const std::vector<std::uint32_t> &taken = part.of<EarlyCompletions>().sites;
  return {{"taken",
           std::find(taken.begin(), taken.end(), static_cast<std::uint32_t>(site)) != taken.end()},
          {"waiting", own.waiting},
          {"percent", own.percent},
          {"largest", own.largest},
          {"not_early", sentenceOf(own.refusal)}};
}

} // namespace

/// "list" has an entry for each site of the profile, in its order: what `show` says about them is
/// beside it in the page.
Json sitesSection(const ReportData &data) {
  const Profile &profile = data.profile;
  const std::vector<double> inside = secondsInside(profile);
  const std::vector<double> written = secondsWaiting(data, data.written);
  const std::vector<double> planned =
      data.planned ? secondsWaiting(data, *data.planned) : std::vector<double>();
  SourceExcerpts excerpts;
  Json list = Json::array();
  for (std::size_t index = 0; index < profile.sites.size(); ++index) {
    const SiteIdentity &site = profile.sites[index];
    Json entry = {{"seconds_inside", inside[index]}, {"waiting_written", written[index]}};
    if (data.planned)
      entry["waiting_planned"] = planned[index];
    if (data.part) {
      const int ofPlan = planSiteOf(site, *data.part);
      entry["plan_site"] = ofPlan;
      if (Json completion = completionJson(*data.part, ofPlan); !completion.is_null())
        entry["completion"] = std::move(completion);
    }
    if (Json source = excerpts.around(site.file, site.line); !source.is_null())
      entry["source"] = std::move(source);
    if (Json lines = data.diff.around(site.file, site.line); !lines.is_null())
      entry["diff"] = std::move(lines);
    list.push_back(std::move(entry));
  }
  Json json = {{"list", std::move(list)}};
  if (data.part) {
    json["plan"] = planSitesJson(*data.part);
    json["irregular"] = irregularCollectivesJson(*data.part);
    json["long_waits"] = longWaitsJson(*data.part);
  }
  return json;
}

} // namespace sendwright
