// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan: what to do at each site of a program, and why. `sendwright plan` makes it from profiles,
// and the plugin embeds it into the objects that it rewrites; at MPI_Init each rank takes out its
// own part. A plan file holds plans for several rank counts; the size of MPI_COMM_WORLD selects
// one.

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLAN_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLAN_H

#include "analysis/epochs/steps/SynchronizationSteps.h"
#include "analysis/machine/Machine.h"
#include "analysis/program/FunctionFacts.h"
#include "analysis/transformation/JointSum.h"
#include "analysis/transformation/RankCountPlan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

struct Plan {
  std::map<int, RankCountPlan> rankCounts;
  std::map<std::string, FunctionFacts> functions;
  std::set<std::string> functionFiles; ///< main files, without folders, of units that define
                                       ///< `functions`
  Machine machine;                     ///< that the predictions rest on
  bool machineMeasured = false;
  /// Whether the file has sections of transformations that this build does not know. The sites that
  /// these would rewrite are left alone.
  bool hasUnknownSections = false;
};

/// Reads a plan file ("-": standard input). Throws FormatError naming the file and the problem,
/// also if the parts of the ranks do not fit together (PlanContradictions.h).
Plan readPlan(const std::string &name);
/// The same from memory; `name` is for messages.
Plan decodePlan(const void *data, std::size_t size, const std::string &name);
/// Writes beside `name` and renames. The bytes depend on the plan's content alone. Throws
/// FormatError. refuseContradictions() says whether the plan can be read again.
void writePlan(const Plan &plan, const std::string &name);

/// What a run can use of a plan for other numbers of ranks.
struct OtherRunsPlan {
  int rankCount = 0;           ///< the plan's nearest, by ratio
  std::vector<SitePlan> sites; ///< with decisions and figures
};

/// One rank's part of an embedded plan.
struct RankPlan {
  /// Only what a running program follows: sites have no decisions, and lists by rank have only this
  /// rank's entry.
  RankCountPlan own;
  std::vector<int> rankCounts; ///< of the plan, for the message if none of them fits
  Machine machine;             ///< that the predictions rest on
  bool found = false;          ///< the plan has this rank count
  OtherRunsPlan other;         ///< if it does not; without sites if it has no rank count
  bool hasUnknownSections = false;
  /// How much of the plan was looked at. If it has this rank count, this grows with the logarithm
  /// of the number of ranks alone.
  std::uint64_t bytesRead = 0;
};
/// Whether a plan in memory has this rank count. Cannot fail: all ranks that hold the same bytes
/// get the same answer, whatever memory they have and whatever is damaged.
bool hasRankCount(const void *data, std::size_t size, int rankCount) noexcept;

/// Reads only the sections that the rank needs, and finds them without reading the whole table. So
/// damage in other ranks' sections, and in their entries, is not noticed here. Throws FormatError.
RankPlan decodeRankPlan(const void *data, std::size_t size, const std::string &name, int rankCount,
                        int rank);

/// Why runs of `rankCount` ranks cannot follow the plan together although each rank can read its
/// part: the first contradiction in what ranks follow together
/// (PlanSections::isFollowedTogether()), or nothing. Reads the parts of all ranks. Throws
/// FormatError.
std::optional<std::string> contradictionInJointParts(const void *data, std::size_t size,
                                                     const std::string &name, int rankCount);
/// The same, but without the transformations that jointSumOf() finds contradictions in. Reads
/// little if the plan has no other.
std::optional<std::string> contradictionInPartsWithoutSum(const void *data, std::size_t size,
                                                          const std::string &name, int rankCount);
/// The same for one transformation, which no site's decision depends on: the first contradiction
/// among the ranks' parts.
std::optional<std::string> contradictionIn(std::string_view stem, const void *data,
                                           std::size_t size, const std::string &name,
                                           int rankCount);

/// A rank's share of a sum that is zero over all ranks if the rest of what they follow together has
/// no contradiction. `own` is RankPlan::own.
JointSum jointSumOf(const RankCountPlan &own, int rankCount, int rank);

/// The steps of one rank of a run that the plan synchronises. Throws FormatError.
RankSteps decodeRankSteps(const void *data, std::size_t size, const std::string &name,
                          int rankCount, int rank);

/// A digest of a plan file's bytes, in hexadecimal, for symbol names.
std::string planDigest(const void *data, std::size_t size);

} // namespace sendwright

#endif
