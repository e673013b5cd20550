// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse order in the plan file: a section for each rank.

#include "analysis/transformation/PlanSections.h"
#include "test/transformations/reverse-order/ReversedLoops.h"

namespace sendwright {

namespace {

bool reverses(const RankCountPlan &plan) { return !plan.of<ReversedLoops>().ranks.empty(); }

std::optional<std::string> encodeLoops(const RankCountPlan &plan, std::size_t rank) {
  ByteWriter out;
  const std::vector<ReversedLoop> &loops = plan.of<ReversedLoops>().ranks.at(rank);
  out.number(loops.size());
  for (const ReversedLoop &loop : loops) {
    out.number(loop.site);
    out.number(loop.destinations.size());
    for (const int destination : loop.destinations)
      out.number(static_cast<std::uint64_t>(destination));
  }
  return out.take();
}

std::vector<ReversedLoop> decodeLoops(ByteReader &in, std::size_t sites, int rankCount) {
  std::vector<ReversedLoop> loops(in.countOf<ReversedLoop>(2));
  for (ReversedLoop &loop : loops) {
    loop.site = static_cast<std::uint32_t>(in.number(UINT32_MAX, "site"));
    if (loop.site >= sites)
      in.fail("site " + std::to_string(loop.site) + ", expected one of " + std::to_string(sites));
    in.resize(loop.destinations);
    for (int &destination : loop.destinations)
      destination =
          static_cast<int>(in.number(static_cast<std::uint64_t>(rankCount) - 1, "destination"));
  }
  return loops;
}

void decodeLoopsOf(ByteReader &in, RankCountPlan &plan, int rankCount, int /*rank*/) {
  plan.of<ReversedLoops>().ranks.push_back(readWhole(
      in, [&](ByteReader &whole) { return decodeLoops(whole, plan.sites.size(), rankCount); }));
}

class ReversedLoopsInPlan final : public PlanSections {
public:
  std::string_view stem() const override { return reverseOrderStem; }

  std::vector<PlanSection> sections() const override {
    return {{.tag = 1000, // no product has so many
             .ofEachRank = true,
             .duringRuns = true,
             .optional = true,
             .isDue = reverses,
             .encode = encodeLoops,
             .decode = decodeLoopsOf}};
  }

  std::optional<std::string> markSites(const RankCountPlan &plan, int /*rankCount*/,
                                       std::vector<char> &marked) const override {
    for (const std::vector<ReversedLoop> &rank : plan.of<ReversedLoops>().ranks)
      for (const ReversedLoop &loop : rank) {
        if (loop.site >= marked.size())
          return "a reversed loop at a site that does not exist";
        marked[loop.site] = true;
      }
    return {};
  }

  std::optional<std::string> contradictionAt(const RankCountPlan & /*plan*/, std::uint32_t /*site*/,
                                             bool taken, bool marked) const override {
    if (taken == marked)
      return {};
    return taken ? "the plan reverses it, but no rank has its messages"
                 : "a rank has its messages, but the plan does not reverse it";
  }

  void leaveSites(RankCountPlan &plan) const override { plan.of<ReversedLoops>() = {}; }
};

} // namespace

const PlanSections &sectionsOfReverseOrder();
const PlanSections &sectionsOfReverseOrder() {
  static const ReversedLoopsInPlan content;
  return content;
}

} // namespace sendwright
