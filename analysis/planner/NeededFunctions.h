// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions a plan must know. The compiler parses each unit that defines one of them twice,
// so the plan keeps only the functions that send loops may reach. That includes loops that the plan
// leaves: whoever changes a decision in the plan finds the facts there.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_NEEDEDFUNCTIONS_H
#define SENDWRIGHT_ANALYSIS_PLANNER_NEEDEDFUNCTIONS_H

#include "analysis/plan/Plan.h"
#include "analysis/program/ProgramSummary.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sendwright {

/// Collects what the profiles of a plan say about their source. Not for concurrent use.
class NeededFunctions {
public:
  /// Notes the loops of a profile's program, and where its functions are defined.
  void add(const ProgramSummary &program);

  /// Drops from `plan`, which has the decisions and all functions, what no send loop needs:
  /// functions that no such loop reaches, and files that define no function reached. Loops that the
  /// compiler would leave need nothing. The plan keeps everything where the source does not name
  /// what a loop may call: the loop calls through a pointer, or an older plugin described it. It
  /// also does where a transformation judges code outside of loops (PlanSections::judgesOtherCode).
  /// Linear in the loops and functions.
  void keepIn(Plan &plan) const;

private:
  std::vector<LoopInSource> loops;
  std::map<std::string, std::set<std::string>> symbols; ///< by the file that defines them
};

} // namespace sendwright

#endif
