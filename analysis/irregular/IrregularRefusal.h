// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why irregular collective calls are left to MPI.

#ifndef SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARREFUSAL_H
#define SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARREFUSAL_H

#include "analysis/mpi/MpiFunctions.h"
#include "analysis/verification/MeasuredGain.h"

#include <cstdint>
#include <string>

namespace sendwright {

/// The conditions that can fail, in the order in which they are checked. In backquotes: the facts
/// of IrregularRefusal that the sentence needs.
enum class IrregularObstacle : std::uint8_t {
  NotRecorded,        ///< no call of all its ranks was recorded
  ManyRanks,          ///< more than `count` ranks call it
  DoesNotWait,        ///< a rank goes on before its blocks have arrived
  UnknownBlocks,      ///< in `count` of `otherCount` calls of `function` the blocks are not known
  NotClearlyFaster,   ///< `planned` seconds instead of `written` seconds
  GainsLessThanStart, ///< its `count` calls gain `gain` seconds, and the start takes `limit`
  MeasuredLoss,       ///< they were measured to be slower than as written: `measured`
  // Another part of the plan needs the calls as written.
  BuffersPlanned ///< buffers are planned for them
};
inline constexpr IrregularObstacle lastIrregularObstacle = IrregularObstacle::BuffersPlanned;

/// The first condition that fails, and the facts that its sentence needs.
struct IrregularRefusal {
  IrregularObstacle obstacle = IrregularObstacle::NotRecorded;
  MpiFunctionId function = MpiFunctionId::Alltoallv;
  std::uint64_t count = 0, otherCount = 0;
  double written = 0, planned = 0; ///< seconds of a call
  double gain = 0, limit = 0;      ///< seconds of all calls, and what they were compared with
  MeasuredGain measured = {};
};

/// A sentence for the plan.
std::string textOf(const IrregularRefusal &refusal);

/// "12 us instead of 20 us a call".
std::string callTimesText(double planned, double written);

} // namespace sendwright

#endif
