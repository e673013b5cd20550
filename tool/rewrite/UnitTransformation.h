// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transformation that itself finds the places that it changes in a translation unit. One object
// serves one unit. Each has a folder below tool/transformations/ and a line in
// tool/unit/Transformations.def; nothing else names it.

#ifndef SENDWRIGHT_TOOL_REWRITE_UNITTRANSFORMATION_H
#define SENDWRIGHT_TOOL_REWRITE_UNITTRANSFORMATION_H

#include "analysis/plan/Plan.h"
#include "analysis/program/UnitSummary.h"
#include "tool/rewrite/Rewrite.h"

#include "clang/Frontend/CompilerInstance.h"

#include <string>
#include <vector>

namespace sendwright {

/// An error in what the source asks for; the unit is then not rewritten.
struct SourceError {
  clang::SourceLocation location; ///< in the parsed unit
  std::string file;               ///< named as the compiler does
  unsigned offset = 0;            ///< in the file
  std::string text;               ///< what was found and what was expected
};

/// What must be done with the unit.
struct UnitRequest {
  bool generate = false;          ///< mark it, so that a run records a profile
  bool reassociate = false;       ///< floating-point reductions may be summed in another order
  bool overlapsExchanges = false; ///< chains of exchanges may be under way at the same time
  bool explainsAll = false;       ///< remarks at everything that stays as written
  const Plan *plan = nullptr;     ///< rewrite it by this plan; null: no plan
};

class UnitTransformation {
public:
  UnitTransformation() = default;
  UnitTransformation(const UnitTransformation &) = delete;
  UnitTransformation &operator=(const UnitTransformation &) = delete;
  virtual ~UnitTransformation() = default;

  /// Called before the unit is parsed: may listen to what the preprocessor reads.
  virtual void begin(clang::Preprocessor &) {}
  /// Does what the source explicitly asks for, in any build; `unit` gets what must be declared. If
  /// it returns errors, it has edited nothing.
  virtual std::vector<SourceError> translate(clang::CompilerInstance &, const Plan *, Remarks &,
                                             Edits &, Unit & /*unit*/) {
    return {};
  }
  /// Whether it looks at the unit's calls of MPI, not only at its loops.
  virtual bool needsCalls(const UnitRequest &) const { return false; }
  /// Adds sites of its own, and gives an obstacle to those that no transformation may touch.
  virtual void completeSites(UnitSites &) {}
  /// Examines the unit before anything is marked or rewritten; may add to what Rewrite tells others
  /// about calls and loops.
  virtual void study(Rewrite &, const UnitRequest &) {}
  /// Rewrites what the plan asks for, after the send loops, with remarks.
  virtual void rewrite(Rewrite &, const Plan &, Unit & /*unit*/) {}
  /// Adds what the planner must know about the unit's source. Called in builds that mark.
  virtual void summarize(UnitSummary &) const {}
};

} // namespace sendwright

#endif
