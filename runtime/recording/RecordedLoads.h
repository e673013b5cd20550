// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this rank computed for arrays between directives (analysis/redistribution/LoadHistory.h).

#ifndef SENDWRIGHT_RUNTIME_RECORDING_RECORDEDLOADS_H
#define SENDWRIGHT_RUNTIME_RECORDING_RECORDEDLOADS_H

#include "analysis/trace/Profile.h"
#include "runtime/include/sendwright/runtime.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// The rows of an array.
struct LoadedArray {
  const char *name = nullptr;
  std::int64_t rows = 0;
  std::uint64_t rowBytes = 0;
  int processors = 1;
};

class RecordedLoads {
public:
  /// Adds the period that this execution of the directive ends. The first 16 directives and arrays
  /// are remembered. Throws std::bad_alloc.
  void add(const sendwright_site &site, const LoadedArray &array, LoadPeriod period);

  const std::vector<RecordedLoad> &list() const { return recorded; }

private:
  std::vector<RecordedLoad> recorded;
  std::vector<const sendwright_site *> sites; ///< of each
};

} // namespace sendwright

#endif
