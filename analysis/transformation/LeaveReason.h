// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_LEAVEREASON_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_LEAVEREASON_H

#include <cstdint>
#include <string>

namespace sendwright {

/// Why a loop is left alone. The plan's reason says it with the loop's figures.
enum class LeaveReason : std::uint8_t {
  None, ///< it is rewritten
  OneDestination,
  ReceivesOnly, ///< a loop of receives that is not a collective operation, or gains nothing as one
  WaitsForReply,
  SeparatedSends,
  SynchronousSends,
  OtherGroup,
  InRewrittenLoop,
  Refused, ///< the compiler would leave it alone
  AlreadyOptimal,
  BelowThreshold,
  RunNotShorter,  ///< the whole run would not end sooner
  RunNotReplayed, ///< the replay does not reach the run's end
  OverlapLost,
  MeasuredLoss, ///< it was slower than as written when it was measured
  Synchronized, ///< buffers are planned for the order as written
  NeverSeen,    ///< its sends lie beyond what was analysed
  InNoPhase     ///< its messages belong to no phase of communication
};

/// "sends are synchronous", ...: for a table of how many loops were left for each reason.
const char *describe(LeaveReason reason);

/// What happens to a loop (None: it is rewritten), and the plan's sentence.
struct Verdict {
  LeaveReason kind = LeaveReason::None;
  std::string reason;
};

/// The verdict of an enumerated refusal, such as OrderingRefusal.
template <typename Refusal> Verdict verdictOf(const Refusal &refusal) {
  return {leaveReasonOf(refusal), textOf(refusal)};
}

} // namespace sendwright

#endif
