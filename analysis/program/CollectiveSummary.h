// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one translation unit says of its loops that are collective operations in disguise: text in
// the object file, kept in the profile beside the facts of its functions (FunctionSummary.h).
//
// The source shows what a loop would have to be: that the same buffer goes to all, or block after
// block; who sends and who receives. Whether it is that in the run only the profile shows.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_COLLECTIVESUMMARY_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_COLLECTIVESUMMARY_H

#include "analysis/mpi/Collective.h"
#include "analysis/trace/Profile.h"

#include <string>
#include <vector>

namespace sendwright {

/// A loop that is a collective operation in disguise, or nearly one.
struct CollectiveInSource {
  /// Broadcast, Scatter, Gather, Allgather, AllToAll or Reduce.
  Collective operation = Collective::Broadcast;
  SiteIdentity loop; ///< of the root (the one that sends, where all ranks do the same): the site
  std::vector<SiteIdentity> sends, receives; ///< the marked calls whose messages it is made of
  std::string reduction; ///< of Reduce: "sum", "product", "minimum", "maximum", "bitwise and",
                         ///< "bitwise or", "bitwise xor"; else ""
  std::string problem;   ///< why it cannot be rewritten, part of a sentence; "" where it can
  bool own = false;      ///< of an operation without a root: each rank sends to itself, too
};

} // namespace sendwright

#endif
