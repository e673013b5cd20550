// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transformation, as the plan file sees it: its sections, the figures that it adds to a site's
// decision, and what it means for its parts to contradict themselves. Each is one constant object
// in the transformation's folder.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANCONTENT_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANCONTENT_H

#include "analysis/file/Bytes.h"
#include "analysis/transformation/RankCountPlan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// One kind of section: a plan has at most one for each rank count, or one for each rank of each.
struct PlanSection {
  std::uint32_t tag = 0;   ///< which no other kind has; a file is in the order of tags
  bool ofEachRank = false; ///< one for each rank
  bool duringRuns = false; ///< a rank of a running program reads its own
  /// It is read where the file has it. Other kinds must be there where they are due.
  bool optional = false;
  /// Whether the file is to have it, by what the plan holds: of sections with lower tags, where the
  /// plan is being read. Null: always.
  bool (*isDue)(const RankCountPlan &plan) = nullptr;
  /// Its content; `rank` is 0 where it is of all ranks. Nothing: it is left out.
  std::optional<std::string> (*encode)(const RankCountPlan &plan, std::size_t rank) = nullptr;
  /// Adds the content to the plan, to lists by rank at their end: a rank that reads only its own
  /// has lists of one. Sites, without decisions, are there. Throws FormatError.
  void (*decode)(ByteReader &in, RankCountPlan &plan, int rankCount, int rank) = nullptr;
};

class PlanContent {
public:
  PlanContent() = default;
  PlanContent(const PlanContent &) = delete;
  PlanContent &operator=(const PlanContent &) = delete;

  /// The transformation's name in plans and remarks.
  virtual std::string_view stem() const = 0;
  /// By tag. Tags up to 12 are given away; a new kind takes the next that is free.
  virtual std::vector<PlanSection> sections() const = 0;

  /// The figures of a site in the section of decisions, which is laid out for transformations that
  /// have some there: a new one keeps figures in a section of its own. Reading throws FormatError.
  virtual void encodeFigures(ByteWriter &, const SitePlan &) const {}
  virtual void decodeFigures(ByteReader &, SitePlan &) const {}

  /// Whether ranks follow it together, so that none may begin unless all can.
  virtual bool isFollowedTogether() const { return false; }
  /// Marks the sites that it does something for. The first contradiction in that: "an exchange of a
  /// site that is not there".
  virtual std::optional<std::string> markSites(const RankCountPlan & /*plan*/, int /*rankCount*/,
                                               std::vector<char> & /*marked*/) const {
    return {};
  }
  /// What contradicts the decision for a site: "its messages are to be shared, and there is no
  /// exchange of them". `taken`: it is to be rewritten by this transformation. `marked`: it is
  /// among those that markSites() marked.
  virtual std::optional<std::string> contradictionAt(const RankCountPlan & /*plan*/,
                                                     std::uint32_t /*site*/, bool /*taken*/,
                                                     bool /*marked*/) const {
    return {};
  }
  /// What ranks' parts have that does not fit together; they are as reading leaves them, each
  /// consistent in itself, and no site contradicts.
  virtual std::optional<std::string> contradictionAmongRanks(const RankCountPlan & /*plan*/,
                                                             int /*rankCount*/) const {
    return {};
  }
  /// Forgets what it does at sites, all of which are left.
  virtual void leaveSites(RankCountPlan & /*plan*/) const {}

protected:
  ~PlanContent() = default;
};

/// "site 3 at loop.c:12: ", for sentences about a contradiction.
inline std::string siteName(const RankCountPlan &plan, std::size_t site) {
  return "site " + std::to_string(site) + " at " + plan.sites[site].site.display() + ": ";
}

/// The content of a plan's section of that kind, read in one piece.
template <typename Read> auto readWhole(ByteReader &in, Read read) {
  auto content = read(in);
  in.expectEnd();
  return content;
}

} // namespace sendwright

#endif
