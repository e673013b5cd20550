// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/fuzz/CompletionMutations.h"

#include "analysis/completion/LongWaits.h"
#include "test/fuzz/ProfileMutations.h"

namespace sendwright::fuzz {

void mutateRefusal(std::optional<RefusalText> &refusal, Draw &draw) {
  std::string sentence = sentenceOf(refusal);
  draw.change(sentence);
  refusal = RefusalText::asRead(std::move(sentence));
}

void mutateCompletion(SiteCompletion &completion, Draw &draw) {
  switch (draw.below(4)) {
  case 0:
    return draw.change(completion.waiting);
  case 1:
    return draw.change(completion.percent);
  case 2:
    return draw.change(completion.largest);
  default:
    mutateRefusal(completion.refusal, draw);
  }
}

/// Sites that complete their sends early, in ascending order and in others.
void mutateEarly(RankCountPlan &part, Draw &draw) {
  EarlyCompletions &early = part.of<EarlyCompletions>();
  if (early.sites.empty()) {
    const std::size_t site = draw.below(part.sites.size());
    early = {};
    early.sites = {static_cast<std::uint32_t>(site)};
    early.least = draw.oneIn(2) ? 1 : 65'537;
    early.most = draw.oneIn(2) ? 64 : standardEarlyBytes;
    if (site < part.sites.size() && !draw.oneIn(4)) {
      part.sites[site].decision = Decision::Rewrite;
      part.sites[site].transformation = earlyCompletionStem;
    }
    return;
  }
  switch (draw.below(5)) {
  case 0:
    early.sites.push_back(static_cast<std::uint32_t>(draw.below(part.sites.size())));
    return;
  case 1:
    return draw.rearrange(early.sites);
  case 2:
    return draw.changeIndex(*draw.pick(early.sites), part.sites.size());
  case 3:
    return draw.change(early.least);
  default:
    draw.change(early.most);
  }
}

void mutateWaits(RankCountPlan &part, Draw &draw) {
  std::vector<LongWait> &waits = part.of<LongWaits>().waits;
  if (waits.empty()) {
    const SitePlan *site = draw.pick(part.sites);
    waits.push_back({site ? site->site : SiteIdentity(), 0.5, 12.5});
    return;
  }
  LongWait &wait = *draw.pick(waits);
  switch (draw.below(4)) {
  case 0:
    return draw.rearrange(waits);
  case 1:
    return draw.change(wait.seconds);
  case 2:
    return draw.change(wait.percent);
  default:
    mutateSite(wait.site, draw);
  }
}

} // namespace sendwright::fuzz
