// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one translation unit says about its marked loops: whether a scope may be put around each
// loop, which message ordering and message sharing both need. Text in the object file, kept in the
// profile beside the facts of its functions (FunctionSummary.h).
//
// The plugin judges a loop by its own unit and lists what the loop calls in other units. This is
// judged by what all units of the profile say about their functions (ProgramSummary.h), just as the
// plugin will judge it by the plan.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_LOOPSUMMARY_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_LOOPSUMMARY_H

#include "analysis/trace/Profile.h"

#include <string>
#include <vector>

namespace sendwright {

struct LoopInSource {
  SiteIdentity loop;
  std::string refusal; ///< why no scope may be put around it, part of a sentence ("calls usleep,
                       ///< which may wait outside MPI"); "" if its own unit has no objection
  std::vector<std::string> calls; ///< symbols of other units' functions that it may reach
  bool marked = true;             ///< if not, a run cannot say what it sends
  bool namesCallees = true;       ///< `calls` has all of them: no pointer leads to another
};

} // namespace sendwright

#endif
