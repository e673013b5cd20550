// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing: a send loop whose messages travel combined, some through other ranks. The batch
// around the loop (LoopTransformation.h) collects them and hands them to the exchange at its end;
// the receives stay as they are, wherever they stand. This file gives the text about it.

#include "analysis/sharing/SharedExchanges.h"
#include "tool/rewrite/LoopTransformation.h"

#include "analysis/file/FigureText.h"

#include <algorithm>
#include <cinttypes>

namespace sendwright {

namespace {

constexpr std::size_t shownSharingRanks = 4, shownPeers = 12;

std::string peersOf(const std::vector<Transfer> &sends) {
  std::string text;
  for (std::size_t k = 0; k < std::min(sends.size(), shownPeers); ++k)
    text += " " + std::to_string(sends[k].peer);
  return text + (sends.size() > shownPeers ? " ..." : "");
}

/// How many messages of other ranks a rank passes on.
std::size_t passedOn(const RankExchange &part, std::int32_t rank) {
  return static_cast<std::size_t>(
      std::count_if(part.messages.begin(), part.messages.end(), [&](const SharedMessage &message) {
        return message.source != rank && message.destination != rank;
      }));
}

std::string partOfRank(std::size_t rank, const RankExchange &part) {
  std::string line = "rank " + std::to_string(rank) + " sends to";
  for (std::size_t stage = 0; stage < part.stages.size(); ++stage)
    line += (stage > 0 ? ", then" : "") +
            (part.stages[stage].sends.empty() ? " nobody" : peersOf(part.stages[stage].sends));
  const std::size_t others = passedOn(part, static_cast<std::int32_t>(rank));
  return line + "; passes on " + std::to_string(others) + " message" + (others == 1 ? "" : "s");
}

std::string describeSharing(const SitePlan &site) {
  const std::optional<SharingPrediction> &prediction = site.of<SiteSharing>().prediction;
  if (!prediction)
    return gainOf(site);
  const SharingPrediction &sharing = *prediction;
  return sharing.method + ", messages of the busiest rank " +
         std::to_string(sharing.direct.maxLoad) + " -> " + std::to_string(sharing.shared.maxLoad) +
         ", " + gainOf(site);
}

void explainSharing(const PlannedLoop &planned, std::vector<std::string> &lines) {
  const SharedExchanges &plan = planned.plan->of<SharedExchanges>();
  if (const auto &sharing = planned.site().of<SiteSharing>().prediction)
    lines.push_back(formatted("%d stages; a rank sends %.3g -> %.3g messages on average, "
                              "at most %" PRId64 " -> %" PRId64 ", and %.3g times the bytes",
                              sharing->shared.stages, sharing->direct.averageSends,
                              sharing->shared.averageSends, sharing->direct.maxSends,
                              sharing->shared.maxSends, sharing->shared.volumeFactor));
  if (!planned.site().reason.empty())
    lines.push_back(planned.site().reason);
  std::size_t shown = 0;
  for (std::size_t rank = 0; rank < plan.rankExchanges.size(); ++rank)
    for (const RankExchange &part : plan.rankExchanges[rank]) {
      if (plan.exchanges[part.exchange].site != planned.index)
        continue;
      if (shown++ == shownSharingRanks) {
        lines.emplace_back("...");
        return;
      }
      lines.push_back(partOfRank(rank, part));
    }
}

std::string notSharedNote(const SitePlan &site) {
  const std::optional<RefusalText> &refusal = site.of<SiteSharing>().refusal;
  return refusal ? "; not shared because " + refusal->sentence() : "";
}

} // namespace

extern const LoopTransformation loopTransformationMessageSharing;
const LoopTransformation loopTransformationMessageSharing = {
    "message-sharing", "shared", describeSharing, explainSharing, notSharedNote};

} // namespace sendwright
