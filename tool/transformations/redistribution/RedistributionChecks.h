// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the directives of a unit mean together: which processors, which array, and which
// distribution a redistribution changes. All errors that can be found before the program runs are
// found here.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONCHECKS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONCHECKS_H

#include "tool/transformations/redistribution/RedistributionArrays.h"
#include "tool/transformations/redistribution/RedistributionConstants.h"
#include "tool/transformations/redistribution/RedistributionDirectives.h"
#include "tool/transformations/redistribution/RedistributionScopes.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// An array as one directive names it.
struct NamedArray {
  std::string name;
  BlockVariable block;
  /// Where it is used: the number of the distribute or align directive.
  std::size_t distribution = 0;
};

/// A directive and its surroundings.
struct MeantDirective {
  const DirectivePragma *pragma = nullptr;
  const Directive *said = nullptr; ///< null if the directive could not be read
  DirectivePlace place;
  std::vector<NamedArray> arrays;
  std::optional<NamedArray> target; ///< for align and realign: with what
  /// The number of the processors directive: for distribute, and for redistribute with onto.
  std::optional<std::size_t> processors;
  std::vector<std::optional<long long>> extents; ///< where constant: of processors, of arrays

  bool is(Directive::Kind kind) const { return said && said->kind == kind; }
};

/// An error of one directive.
struct DirectiveFinding {
  std::size_t directive;
  unsigned offset;
  std::string text;
};

struct MeantDirectives {
  std::vector<MeantDirective> directives; ///< in the order of the unit
  std::vector<DirectiveFinding> findings; ///< empty: every directive is right
};

/// Judges a unit's directives.
MeantDirectives judgeDirectives(const std::vector<DirectivePragma> &pragmas,
                                clang::ASTContext &context, const DirectiveConstants &constants);

} // namespace sendwright

#endif
