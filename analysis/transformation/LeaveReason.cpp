// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/transformation/LeaveReason.h"

namespace sendwright {

const char *describe(LeaveReason reason) {
  switch (reason) {
  case LeaveReason::None:
    return "rewritten";
  case LeaveReason::OneDestination:
    return "one destination in each execution";
  case LeaveReason::ReceivesOnly:
    return "it only receives";
  case LeaveReason::WaitsForReply:
    return "it receives or waits between its sends";
  case LeaveReason::SeparatedSends:
    return "another call between the sends";
  case LeaveReason::SynchronousSends:
    return "synchronous sends";
  case LeaveReason::OtherGroup:
    return "sends to another group of ranks";
  case LeaveReason::InRewrittenLoop:
    return "ordered in the loop around it";
  case LeaveReason::Refused:
    return "the compiler would leave it";
  case LeaveReason::AlreadyOptimal:
    return "already optimal as given";
  case LeaveReason::BelowThreshold:
    return "gain below the threshold";
  case LeaveReason::RunNotShorter:
    return "whole run no shorter";
  case LeaveReason::RunNotReplayed:
    return "the run cannot be replayed to its end";
  case LeaveReason::OverlapLost:
    return "computation between the sends";
  case LeaveReason::MeasuredLoss:
    return "measured to be slower than as written";
  case LeaveReason::Synchronized:
    return "buffers are planned for the order as written";
  case LeaveReason::NeverSeen:
    return "beyond the examined calls";
  case LeaveReason::InNoPhase:
    return "in no phase of communication";
  }
  return "";
}

} // namespace sendwright
