// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from align directives: how an aligned array is distributed, and whether it can lie
// as it is said to. The runtime decides the same for what only the run shows
// (analysis/redistribution/Alignment.h).

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONALIGNMENTS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONALIGNMENTS_H

#include "tool/transformations/redistribution/RedistributionChecks.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

using MeantList = std::vector<MeantDirective>;

/// The number of dimensions of the arrays that a distribute, align or realign directive names.
std::size_t dimensionsOf(const MeantDirective &directive);

/// The number of an align directive through which an array moves with `carrier`, directly or
/// through others; nothing where it does not. The array's distribution must be known. Also ends for
/// arrays that are aligned in a circle.
std::optional<std::size_t> alignmentCarrying(const MeantList &directives, const NamedArray &array,
                                             const NamedArray &carrier);

/// The formats that a distribute directive says, or that follow for an align directive. There must
/// be no circle.
std::vector<DirectiveFormat> formatsOf(const MeantList &directives, std::size_t number);

/// The formats of arrays that lie as the directive says along what has these formats.
std::vector<DirectiveFormat> formatsAlong(const Directive &said,
                                          const std::vector<DirectiveFormat> &target);

/// The extents that are constant, for each dimension. There must be no circle.
std::vector<std::optional<long long>> extentsOf(const MeantList &directives, std::size_t number,
                                                const DirectiveConstants &constants);

/// What is wrong with an align or realign directive whose target has been found, whatever the
/// target's formats.
std::optional<DirectiveProblem> problemOfSubscripts(const MeantList &directives,
                                                    const MeantDirective &directive,
                                                    const DirectiveConstants &constants);

/// Why arrays cannot lie as the directive says along what has these formats; "" if they can.
std::string problemAlong(const Directive &said, const std::vector<DirectiveFormat> &target);

/// Why the arrays of an align or realign directive cannot lie along their target, in any of the
/// ways in which the unit distributes it; "" if they can, or if it is not known.
std::string problemOfAlignment(const MeantList &directives, const MeantDirective &directive);

/// Why a redistribution cannot carry along what is aligned with its arrays: "'B', aligned with
/// ...";
/// "" if it can, or if it is not known.
std::string problemOfFollowers(const MeantList &directives, const MeantDirective &redistribution,
                               const clang::SourceManager &sources);

} // namespace sendwright

#endif
