// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transformation, as the plan file sees it: its sections, the figures that it adds to a site's
// decision, and the ways in which its parts may contradict themselves. Each is one constant object
// in the transformation's folder.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANSECTIONS_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANSECTIONS_H

#include "analysis/file/Bytes.h"
#include "analysis/transformation/JointSum.h"
#include "analysis/transformation/RankCountPlan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sendwright {

/// A kind of section. A plan has at most one section of a kind for each rank count, or for each
/// rank of each rank count.
struct PlanSection {
  std::uint32_t tag = 0;   ///< unique among all kinds; a file is in the order of tags
  bool ofEachRank = false; ///< one section for each rank
  bool duringRuns = false; ///< a rank of a running program reads its own section
  /// Read if the file has it. Sections of other kinds must exist if they are due.
  bool optional = false;
  /// Whether the file must have it, by what the plan holds; while a plan is being read, by its
  /// sections with lower tags. Null: always.
  bool (*isDue)(const RankCountPlan &plan) = nullptr;
  /// The section's content; `rank` is 0 if it belongs to all ranks. Nothing: the section is left
  /// out.
  std::optional<std::string> (*encode)(const RankCountPlan &plan, std::size_t rank) = nullptr;
  /// Adds the content to the plan. It is appended to lists by rank: a rank that reads only its own
  /// section has lists of one entry. Sites are there already, without decisions. Throws
  /// FormatError.
  void (*decode)(ByteReader &in, RankCountPlan &plan, int rankCount, int rank) = nullptr;
};

class PlanSections {
public:
  PlanSections() = default;
  PlanSections(const PlanSections &) = delete;
  PlanSections &operator=(const PlanSections &) = delete;

  /// The transformation's name in plans and remarks.
  virtual std::string_view stem() const = 0;
  /// Ordered by tag. Tags up to 20 are taken; a new kind takes the next free tag.
  virtual std::vector<PlanSection> sections() const = 0;

  /// The figures of a site in the section of decisions, whose layout is fixed for the
  /// transformations that already have figures there: a new one keeps its figures in a section of
  /// its own. Reading throws FormatError.
  virtual void encodeFigures(ByteWriter &, const SitePlan &) const {}
  virtual void decodeFigures(ByteReader &, SitePlan &) const {}

  /// Whether ranks follow it together, so that no rank may begin unless all can.
  virtual bool isFollowedTogether() const { return false; }
  /// Marks the sites that it does something for. Returns the first contradiction in this: "an
  /// exchange at a site that does not exist".
  virtual std::optional<std::string> markSites(const RankCountPlan & /*plan*/, int /*rankCount*/,
                                               std::vector<char> & /*marked*/) const {
    return {};
  }
  /// What contradicts the decision for a site: "the plan shares its messages, but has no
  /// exchange for them". `taken`: this transformation is to rewrite the site. `marked`: markSites()
  /// marked it.
  virtual std::optional<std::string> contradictionAt(const RankCountPlan & /*plan*/,
                                                     std::uint32_t /*site*/, bool /*taken*/,
                                                     bool /*marked*/) const {
    return {};
  }
  /// What does not fit together among the ranks' parts. Each part has passed reading and is
  /// consistent in itself, and no site has a contradiction.
  virtual std::optional<std::string> contradictionAmongRanks(const RankCountPlan & /*plan*/,
                                                             int /*rankCount*/) const {
    return {};
  }
  /// Whether the ranks of a running program find such contradictions by addToSum().
  virtual bool isCheckedBySum() const { return false; }
  /// Adds to `sum` so that the sum over all ranks is zero if contradictionAmongRanks() finds
  /// nothing, and otherwise is not. `own` holds this rank's part alone, which has passed reading.
  virtual void addToSum(const RankCountPlan & /*own*/, int /*rankCount*/, int /*rank*/,
                        JointSum & /*sum*/) const {}
  /// Whether ranks follow the plan during the whole run, not only at sites. If so, every unit that
  /// may start the program carries the plan.
  virtual bool concernsWholeRun(const RankCountPlan & /*plan*/) const { return false; }
  /// Source files that it changes in addition to those of the sites that it rewrites.
  virtual std::vector<std::string> otherFiles(const RankCountPlan & /*plan*/) const { return {}; }
  /// Whether the compiler, to follow the plan, judges code beside the loops that are rewritten. It
  /// then needs the facts of all functions.
  virtual bool judgesOtherCode(const RankCountPlan & /*plan*/) const { return false; }
  /// Drops what it does at sites, all of which are left alone.
  virtual void leaveSites(RankCountPlan & /*plan*/) const {}

protected:
  ~PlanSections() = default;
};

/// "site 3 at loop.c:12: ", for sentences about a contradiction.
inline std::string siteName(const RankCountPlan &plan, std::size_t site) {
  return "site " + std::to_string(site) + " at " + plan.sites[site].site.display() + ": ";
}

/// Reads the whole content of a section.
template <typename Read> auto readWhole(ByteReader &in, Read read) {
  auto content = read(in);
  in.expectEnd();
  return content;
}

} // namespace sendwright

#endif
