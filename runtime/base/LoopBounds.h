// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that a loop of a collective operation goes over, as each rank works them out.

#ifndef SENDWRIGHT_RUNTIME_BASE_LOOPBOUNDS_H
#define SENDWRIGHT_RUNTIME_BASE_LOOPBOUNDS_H

namespace sendwright {

struct LoopBounds {
  long long root = -1; ///< -1: there is none
  long long first = 0, end = 0;
};

/// Whether they are all ranks of so many but for the root. Of the root nothing is asked: whether
/// the loop would leave it out does not matter.
inline bool coversOthers(const LoopBounds &bounds, long long ranks) {
  const bool fromFirst = bounds.first == 0 || (bounds.first == 1 && bounds.root == 0);
  const bool toLast = bounds.end == ranks || (bounds.end == ranks - 1 && bounds.root == ranks - 1);
  return fromFirst && toLast;
}

} // namespace sendwright

#endif
