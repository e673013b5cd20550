// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many instances of each exchange began between the blocking collective calls of a recorded
// run, on the communicator with most of them. A run that does the same need not find out by
// meetings what precedes its calls (ExpectedInstances.h).

#ifndef SENDWRIGHT_ANALYSIS_SHARING_RECORDEDSTEPS_H
#define SENDWRIGHT_ANALYSIS_SHARING_RECORDEDSTEPS_H

#include "analysis/file/Bytes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

struct RecordedSteps {
  using Counts = std::vector<std::uint64_t>;
  /// A longer run keeps its first steps. Later numbers that repeat are found without the plan.
  static constexpr std::size_t mostSteps = 4096;
  /// In one step, all exchanges together. A plan that promises more would have a rank that does
  /// something else contribute too many empty instances.
  static constexpr std::uint64_t mostInstances = 1024;

  std::vector<Counts> kinds;        ///< distinct steps: a number for each exchange
  std::vector<std::uint32_t> order; ///< by call: the kind of the step that precedes it
  bool operator==(const RecordedSteps &) const = default;

  std::size_t size() const { return order.size(); }
  const Counts &operator[](std::size_t call) const { return kinds[order[call]]; }
  /// Adds the step before the next call. False, and nothing is added, if there is no room for it.
  bool add(const Counts &step);
};

/// The steps of a plan with so many exchanges, as bytes. Reading throws FormatError for anything
/// that no plan holds.
void encodeSteps(ByteWriter &out, const RecordedSteps &steps);
RecordedSteps decodeSteps(ByteReader &in, std::size_t exchanges);

} // namespace sendwright

#endif
