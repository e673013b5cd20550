// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether calls of MPI_Alltoallv and its kin leave blocks empty. MPI lets a rank return without
// those that have nothing for it, so such calls synchronise nobody, though MPI_Alltoall does.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_SPARSECALLS_H
#define SENDWRIGHT_ANALYSIS_TRACE_SPARSECALLS_H

#include "analysis/mpi/MpiFunctions.h"
#include "analysis/trace/Profile.h"

namespace sendwright {

/// What all members say of the calls of one function.
class SparseCalls {
public:
  /// Whether a function's calls may be sparse.
  static bool concern(const MpiFunction &function) {
    return function.operation == Collective::AllToAll &&
           function.amount == CollectiveAmount::CountForEach;
  }

  /// Adds a call of such a function, or nothing.
  void add(const Event &event) {
    if (!concern(mpiFunction(event.function)))
      return;
    listed |= !event.moved.empty(); // blocks are recorded only where most ranks get nothing
    (event.bytes > 0 ? someHave : someLack) = true;
  }

  /// If all calls have no bytes, a text trace may have left them out.
  bool areSparse() const { return listed || (someHave && someLack); }

private:
  bool listed = false, someHave = false, someLack = false;
};

} // namespace sendwright

#endif
