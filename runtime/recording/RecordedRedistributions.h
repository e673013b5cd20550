// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What redistribute directives did: between which blocks, and how often. Each communicator's rank 0
// remembers it.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_RECORDEDREDISTRIBUTIONS_H
#define SENDWRIGHT_RUNTIME_RECORDING_RECORDEDREDISTRIBUTIONS_H

#include "analysis/redistribution/Distribution.h"
#include "analysis/trace/Profile.h"
#include "runtime/include/sendwright/runtime.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace sendwright {

class RecordedRedistributions {
public:
  /// Counts one redistribution, if both distributions have one dimension and one block for each
  /// rank. The first 64 pairs of a directive are distinguished; others are not remembered. Throws
  /// std::bad_alloc.
  void add(const sendwright_site &site, const Distribution &before, const Distribution &after);

  const std::vector<RecordedRedistribution> &list() const { return recorded; }

private:
  std::vector<RecordedRedistribution> recorded;
  std::map<std::pair<const sendwright_site *, std::uint64_t>, std::size_t> indices; ///< by digest
  std::map<const sendwright_site *, unsigned> pairs;
};

} // namespace sendwright

#endif
