// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan: what is to be done at each site of a program, and why. `sendwright plan` makes it from
// profiles, the plugin embeds it into the objects it rewrites, and at MPI_Init each rank takes out
// its own part. Plans for several rank counts sit side by side; the size of MPI_COMM_WORLD picks.

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLAN_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLAN_H

#include "analysis/epochs/steps/SynchronizationSteps.h"
#include "analysis/machine/Machine.h"
#include "analysis/program/FunctionFacts.h"
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
  std::set<std::string> functionFiles; ///< main files, without folders, of units that define them
  Machine machine;                     ///< what the predictions rest on
  bool machineMeasured = false;
  /// Whether the file has sections of transformations that this build does not know. The sites that
  /// these would rewrite are left.
  bool hasUnknownSections = false;
};

/// Reads a plan file ("-": standard input). Throws FormatError naming the file and what is wrong,
/// also where the parts of the ranks do not fit together (PlanVerification.h).
Plan readPlan(const std::string &name);
/// The same from memory; `name` is for messages.
Plan decodePlan(const void *data, std::size_t size, const std::string &name);
/// Writes beside `name` and renames. The bytes depend on the plan's content alone. Throws
/// FormatError. Whether the plan can be read again, verifyPlan() says.
void writePlan(const Plan &plan, const std::string &name);

/// One rank's part of an embedded plan.
struct RankPlan {
  /// Sites are without decisions, and lists by rank have this rank's entry alone. Only what a
  /// running program follows is there.
  RankCountPlan own;
  std::vector<int> rankCounts; ///< those the plan has, for the message when none fits
  bool found = false;          ///< the plan is for so many ranks
  bool hasUnknownSections = false;
};
/// A rank's own entry in a list by rank of RankPlan::own.
template <typename Entry>
const std::vector<Entry> &ownEntry(const std::vector<std::vector<Entry>> &ranks) {
  static const std::vector<Entry> none;
  return ranks.empty() ? none : ranks.front();
}

/// Reads only the sections that the rank needs. Throws FormatError.
RankPlan decodeRankPlan(const void *data, std::size_t size, const std::string &name, int rankCount,
                        int rank);

/// Why runs of so many ranks cannot follow the plan together, although each rank can read its part:
/// the first contradiction in what ranks follow together (PlanContent::isFollowedTogether()), or
/// nothing. Reads the parts of all ranks. Throws FormatError.
std::optional<std::string> contradictionInJointParts(const void *data, std::size_t size,
                                                     const std::string &name, int rankCount);

/// The first contradiction among the ranks' parts of one transformation, which no site's decision
/// depends on. Likewise.
std::optional<std::string> contradictionIn(std::string_view stem, const void *data,
                                           std::size_t size, const std::string &name,
                                           int rankCount);

/// The steps of one rank of a run that the plan synchronises. Throws FormatError.
RankSteps decodeRankSteps(const void *data, std::size_t size, const std::string &name,
                          int rankCount, int rank);

/// A digest of a plan file's bytes, in hexadecimal, for symbol names and agreement.
std::string planDigest(const void *data, std::size_t size);

} // namespace sendwright

#endif
