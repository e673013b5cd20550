// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever lets executions of a site take turns: some as planned, some as written
// (runtime/verification).

#ifndef SENDWRIGHT_RUNTIME_BATCH_SITETURNS_H
#define SENDWRIGHT_RUNTIME_BATCH_SITETURNS_H

#include <cstdint>
#include <functional>

namespace sendwright {

/// Who ends a turn.
enum class TurnsEnd : std::uint8_t {
  AfterExecutions, ///< the number of executions, which all ranks must count alike
  WhenTold         ///< nextTurn(), which all ranks must call equally often; all such sites have the
                   ///< same turns
};

/// At one rank, for one site. Lives until the process ends.
class SiteTurns {
public:
  /// An execution begins. Returns whether it runs as planned; the answer is the same on all ranks
  /// for equally many earlier executions.
  virtual bool begin() noexcept = 0;
  /// The answer of the next begin().
  virtual bool isAsPlanned() const noexcept = 0;

  // For TurnsEnd::WhenTold. The first turn is as planned.

  /// Whether the turn after this one is as planned.
  virtual bool isNextAsPlanned() const noexcept = 0;
  /// Ends the turn.
  virtual void nextTurn() noexcept = 0;
  /// How many executions of this turn have begun.
  virtual std::uint64_t executionsOfTurn() const noexcept = 0;
  /// How many executions a turn should have: about so many, and more rather than fewer.
  virtual std::uint64_t lengthOfTurn() const noexcept = 0;

protected:
  ~SiteTurns() = default;
};

/// Makes the turns of a site, an index into the plan's sites, or of what else takes turns
/// (RunTransformation::BesideSites). Throws std::bad_alloc.
using MakeSiteTurns = std::function<SiteTurns *(std::uint32_t site, TurnsEnd end)>;

} // namespace sendwright

#endif
