// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse order: proposes each loop that sends several messages at once.

#include "analysis/transformation/Transformation.h"
#include "test/transformations/reverse-order/ReversedLoops.h"

#include <map>
#include <memory>

namespace sendwright {

namespace {

class ReverseOrderDecision final : public Transformation {
public:
  std::string_view stem() const override { return reverseOrderStem; }

  /// The destinations of each loop's first batch of each rank.
  void study(StudiedRun &studied) override {
    for (std::size_t rank = 0; rank < studied.loops.ranks.size(); ++rank) {
      const RankBatches &own = studied.loops.ranks[rank];
      for (const RecordedBatch &batch : own.batches) {
        ByRank &ranks = loops.try_emplace(batch.site, studied.loops.ranks.size()).first->second;
        if (ranks[rank].empty())
          for (std::size_t send = batch.first; send < batch.end; ++send)
            ranks[rank].push_back(studied.timeline.ranks[rank].at(own.sends[send]).peer);
      }
    }
  }

  /// It has no model: it is said to gain a second, so that it is taken.
  void propose(SiteDraft &draft) override {
    const auto found = loops.find(draft.site);
    if (found == loops.end())
      return;
    Candidate candidate;
    candidate.stem = reverseOrderStem;
    candidate.name = "reversed";
    candidate.means = "the reverse order";
    candidate.gain = 1;
    candidate.gainPercent = 100;
    candidate.reason = "sends are reversed, for a test";
    candidate.addTo = [ranks = found->second](RankCountPlan &plan, std::uint32_t site) {
      std::vector<std::vector<ReversedLoop>> &all = plan.of<ReversedLoops>().ranks;
      all.resize(ranks.size());
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        if (!ranks[rank].empty())
          all[rank].push_back({site, ranks[rank]});
    };
    draft.taken = draft.candidates.size();
    draft.candidates.push_back(std::move(candidate));
  }

private:
  using ByRank = std::vector<std::vector<int>>;
  std::map<int, ByRank> loops; // by site
};

} // namespace

std::unique_ptr<Transformation> makeReverseOrder();
std::unique_ptr<Transformation> makeReverseOrder() {
  return std::make_unique<ReverseOrderDecision>();
}

} // namespace sendwright
