// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution: `#pragma hpf` directives become calls that a person can read
// (runtime/include/sendwright/directives.h). Each call stands in the place of its directive, on the
// same line.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTION_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTION_H

#include "analysis/plan/Plan.h"
#include "tool/rewrite/UnitTransformation.h"
#include "tool/sites/LoopSites.h"
#include "tool/source/Edits.h"
#include "tool/source/Emission.h"
#include "tool/transformations/redistribution/RedistributionDirectives.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"

#include <string>
#include <vector>

namespace sendwright {

/// An array where a directive distributes it.
struct DistributedArray {
  clang::SourceLocation location;
  std::string name;
};

struct TranslatedDirectives {
  DirectiveObjects objects; ///< to be declared at the beginning of the unit
  std::vector<SourceError> errors;
  std::vector<DistributedArray> whole;  ///< with global indices: every rank has room for all
  std::vector<DistributedArray> blocks; ///< the variable names this rank's block
  std::vector<LoopSite> exchanges;      ///< directives that fill halo cells
};

/// Translates the unit's directives; `plan`, if there is one, says which sizes are frequent. If one
/// directive is wrong, none is edited.
TranslatedDirectives translateDirectives(const std::vector<DirectivePragma> &pragmas,
                                         const Plan *plan, clang::ASTContext &context,
                                         clang::Preprocessor &preprocessor, Edits &edits);

} // namespace sendwright

#endif
