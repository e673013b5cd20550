// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that a loop of a collective operation goes over, as each rank computes them.

#ifndef SENDWRIGHT_RUNTIME_BASE_LOOPBOUNDS_H
#define SENDWRIGHT_RUNTIME_BASE_LOOPBOUNDS_H

namespace sendwright {

struct LoopBounds {
  long long root = -1; ///< -1: no root
  long long first = 0, end = 0;
};

/// Whether the bounds include all of `ranks` ranks except the root. It does not matter whether they
/// include the root.
inline bool coversOthers(const LoopBounds &bounds, long long ranks) {
  const bool fromFirst = bounds.first == 0 || (bounds.first == 1 && bounds.root == 0);
  const bool toLast = bounds.end == ranks || (bounds.end == ranks - 1 && bounds.root == ranks - 1);
  return fromFirst && toLast;
}

} // namespace sendwright

#endif
