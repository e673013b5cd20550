// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one translation unit says of its marked loops: whether a scope may be put around each, which
// message ordering and message sharing both need. Text in the object file, kept in the profile
// beside the facts of its functions (FunctionSummary.h).
//
// The plugin judges a loop by its unit. What it calls in other units is named, and judged by what
// all units of the profile say of their functions (ProgramSummary.h): as the plugin will do by the
// plan.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_LOOPSUMMARY_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_LOOPSUMMARY_H

#include "analysis/trace/Profile.h"

#include <string>
#include <vector>

namespace sendwright {

struct LoopInSource {
  SiteIdentity loop;
  std::string refusal; ///< why no scope may be put around it, part of a sentence ("calls usleep,
                       ///< which may wait outside MPI"); "" where its unit has nothing against it
  std::vector<std::string> calls; ///< symbols of functions of other units that it may reach
};

} // namespace sendwright

#endif
