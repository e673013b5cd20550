// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/FrequentRedistributions.h"

#include <algorithm>
#include <tuple>

namespace sendwright {

namespace {

auto directiveKey(const RecordedRedistribution &recorded) {
  const SiteIdentity &site = recorded.site;
  return std::tie(site.file, site.line, site.function, site.hash, site.ordinal);
}

auto pairKey(const RecordedRedistribution &recorded) {
  return std::tuple_cat(directiveKey(recorded), std::tie(recorded.before, recorded.after));
}

/// Merges equal pairs and adds their counts.
std::vector<RecordedRedistribution> merged(std::vector<RecordedRedistribution> all) {
  std::sort(all.begin(), all.end(),
            [](const auto &a, const auto &b) { return pairKey(a) < pairKey(b); });
  std::vector<RecordedRedistribution> result;
  for (RecordedRedistribution &recorded : all)
    if (!result.empty() && pairKey(result.back()) == pairKey(recorded))
      result.back().count += recorded.count;
    else
      result.push_back(std::move(recorded));
  return result;
}

} // namespace

std::vector<RecordedRedistribution> frequentRedistributions(const Profile &profile) {
  std::vector<RecordedRedistribution> all;
  for (const RankProfile &rank : profile.ranks)
    all.insert(all.end(), rank.redistributions.begin(), rank.redistributions.end());
  all = merged(std::move(all));
  std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
    return directiveKey(a) != directiveKey(b) ? directiveKey(a) < directiveKey(b)
                                              : a.count > b.count;
  });
  std::vector<RecordedRedistribution> result;
  std::size_t ofDirective = 0;
  for (RecordedRedistribution &recorded : all) {
    const bool isNext = result.empty() || directiveKey(result.back()) != directiveKey(recorded);
    ofDirective = isNext ? 1 : ofDirective + 1;
    if (ofDirective <= mostPairsOfDirective)
      result.push_back(std::move(recorded));
  }
  return result;
}

} // namespace sendwright
