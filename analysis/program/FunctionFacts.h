// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What generate mode finds out about a function.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_FUNCTIONFACTS_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_FUNCTIONFACTS_H

#include <string>
#include <vector>

namespace sendwright {

/// Facts about a function that was compiled in generate mode, by which loops in other translation
/// units that call it are judged. Key: the symbol's name.
struct FunctionFacts {
  bool mayWait = false;     ///< may wait outside MPI, or not end
  bool writesMemory = true; ///< may write memory that a send buffer could alias
  bool reachesMpi = false;
  std::string reason;               ///< for mayWait, for the remark
  std::vector<std::string> callees; ///< symbols called that the unit does not define
  bool sends = false;               ///< sends by itself; said in profiles, not in plans
};

} // namespace sendwright

#endif
