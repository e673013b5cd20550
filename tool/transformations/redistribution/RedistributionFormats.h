// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with the formats, the dimensions and the ranks of one directive, as far as it is
// known before the program runs.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONFORMATS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONFORMATS_H

#include "tool/transformations/redistribution/RedistributionArrays.h"
#include "tool/transformations/redistribution/RedistributionConstants.h"
#include "tool/transformations/redistribution/RedistributionDirectives.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// "1 rank", "2 ranks".
std::string countText(long long number, const char *what);

/// What is known around a directive, or around one of its dimensions.
struct FormatContext {
  const DirectiveConstants &constants;
  const DirectivePlace &place;
  std::optional<long long> ranks, extent; ///< of the dimension
};

struct FormatJudgement {
  std::optional<DirectiveProblem> problem;
  std::optional<long long> extent; ///< that the format's own sizes or map say
};

/// Judges the format of one dimension.
FormatJudgement judgeFormatIn(const Directive &said, std::size_t dimension,
                              const FormatContext &context);

/// Why the directive's dimensions do not fit those that the array's type says.
std::optional<DirectiveProblem> problemOfShape(const std::string &name, const BlockVariable &block,
                                               const Directive &said);

/// What is wrong with the widths of a shadow for an array that `distribution` distributes.
std::optional<DirectiveProblem>
problemOfShadow(const Directive &said, const Directive &distribution, const FormatContext &context);

/// What is wrong with ranks(FIRST:LAST:STRIDE) for processors of these extents.
std::optional<DirectiveProblem> problemOfRanks(const Directive &said,
                                               const std::vector<std::optional<long long>> &extents,
                                               const FormatContext &context);

} // namespace sendwright

#endif
