// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phase II: the rank that sends most gives to the one that sends least.

#include "analysis/sharing/search/SenderSharing.h"

#include <algorithm>
#include <utility>

namespace sendwright {

namespace {

/// A rank that another one sends to after Phase I.
struct PhaseArc {
  std::int32_t from, to;
  std::int32_t by = -1;  ///< the rank that relays it; negative: nobody
  bool received = false; ///< a message that `from` receives in this phase uses it
  auto operator<=>(const PhaseArc &) const = default;
};

class LeastLoadedSharing {
public:
  LeastLoadedSharing(const ExchangePattern &pattern, const std::vector<RankPath> &paths)
      : begins(pattern.ranks + 1), counters(pattern.ranks) {
    for (const RankPath &path : paths)
      for (std::size_t hop = 1; hop < path.size(); ++hop)
        arcs.push_back({path[hop - 1], path[hop]});
    std::sort(arcs.begin(), arcs.end());
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    for (const PhaseArc &arc : arcs)
      ++counters[arc.from];
    for (std::int32_t rank = 0; rank < pattern.ranks; ++rank)
      begins[rank + 1] = begins[rank] + counters[rank];
  }

  SenderSharing run(const std::vector<RankPath> &paths) {
    while (!counters.empty() && shareOnce()) {
    }
    SenderSharing result{{}, counters};
    result.paths.reserve(paths.size());
    for (const RankPath &path : paths)
      result.paths.push_back(relayed(path));
    return result;
  }

private:
  /// Whether the most loaded rank sends less afterwards.
  bool shareOnce() {
    const auto [minimum, maximum] = std::minmax_element(counters.begin(), counters.end());
    // minmax_element finds the last maximum.
    const auto most = static_cast<std::int32_t>(
        std::find(counters.begin(), counters.end(), *maximum) - counters.begin());
    const auto least = static_cast<std::int32_t>(minimum - counters.begin());
    const std::int64_t alpha = (counters[most] - counters[least]) / 2;
    std::int64_t shared = 0;
    for (std::int64_t index = begins[most]; index < begins[most + 1] && shared < alpha; ++index) {
      PhaseArc &arc = arcs[index];
      if (arc.by >= 0 || arc.received || arc.to == least)
        continue;
      arc.by = least;
      --counters[most];
      ++shared;
      if (PhaseArc *own = find(least, arc.to))
        own->received = true;
      else
        ++counters[least];
    }
    return shared > 0;
  }

  PhaseArc *find(std::int32_t from, std::int32_t to) {
    const auto end = arcs.begin() + begins[from + 1];
    const auto found =
        std::lower_bound(arcs.begin() + begins[from], end, to,
                         [](const PhaseArc &arc, std::int32_t wanted) { return arc.to < wanted; });
    return found != end && found->to == to ? &*found : nullptr;
  }

  /// The path with relays inserted, without detours that return to a rank already visited.
  RankPath relayed(const RankPath &path) {
    RankPath result;
    const auto visit = [&](std::int32_t rank) {
      const auto before = std::find(result.begin(), result.end(), rank);
      result.erase(before, result.end());
      result.push_back(rank);
    };
    visit(path[0]);
    for (std::size_t hop = 1; hop < path.size(); ++hop) {
      if (const std::int32_t by = find(path[hop - 1], path[hop])->by; by >= 0)
        visit(by);
      visit(path[hop]);
    }
    return result;
  }

  std::vector<PhaseArc> arcs; ///< by sender and receiver
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> counters;
};

} // namespace

SenderSharing shareWithLeastLoaded(const ExchangePattern &pattern, const SenderSharing &phaseOne) {
  return LeastLoadedSharing(pattern, phaseOne.paths).run(phaseOne.paths);
}

} // namespace sendwright
