// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one translation unit says about its loops that are collective operations in disguise: text
// in the object file, kept in the profile beside the facts of its functions (FunctionSummary.h).
//
// The source shows what a loop would have to be: whether the same buffer goes to all, or block
// after block, and who sends and who receives. Only the profile shows whether the loop is that in
// the run.

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
  SiteIdentity loop; ///< the site: the root's loop (the sending loop, if all ranks do the same)
  std::vector<SiteIdentity> sends, receives; ///< marked calls that send and receive its messages
  std::string reduction; ///< for Reduce: "sum", "product", "minimum", "maximum", "bitwise and",
                         ///< "bitwise or", "bitwise xor"; otherwise ""
  std::string problem;   ///< why it cannot be rewritten, part of a sentence; "" if it can
  bool own = false;      ///< without a root: each rank sends to itself, too
};

} // namespace sendwright

#endif
