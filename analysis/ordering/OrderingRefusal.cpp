// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/OrderingRefusal.h"

#include "analysis/file/FigureText.h"

namespace sendwright {

namespace {

/// The figures of a phase as text: in sends or, for large messages, in time.
struct FiguresAsText {
  explicit FiguresAsText(const OrderingFigures &figures) {
    const bool ports = figures.window != 0;
    const auto text = [&](double value) {
      return ports ? timeText(value) : formatted("%.6g", value / figures.unit);
    };
    what = ports ? "predicted " : "max c'_p ";
    given = text(figures.given);
    planned = text(figures.planned);
    bound = text(figures.lowerBound);
  }
  std::string what, given, planned, bound;
};

std::string givenText(const OrderingFigures &figures) {
  const FiguresAsText text(figures);
  return " (" + text.what + text.given + " of at least " + text.bound + ")";
}

/// The obstacles from AlreadyOptimal on.
std::string textWhereOrderDoesNotPay(const OrderingRefusal &refusal) {
  switch (refusal.obstacle) {
  case OrderingObstacle::AlreadyOptimal:
    return "the order as given is already optimal" + givenText(refusal.figures);
  case OrderingObstacle::NoFasterOrder:
    return "no order is predicted to be faster than the one given" + givenText(refusal.figures);
  case OrderingObstacle::OverlapLost:
    return "it computes " + timeText(refusal.limit) +
           " between its sends, which would delay them by more than the order gains (" +
           timeText(refusal.gain) + ")";
  case OrderingObstacle::BelowThreshold:
    return "the order gains " + percentText(refusal.gain) + ", below the threshold of " +
           percentText(refusal.limit, 3) + " (" + changeText(refusal.figures) + ")";
  case OrderingObstacle::InNoPhase:
    return "no phase of communication has its messages";
  default:
    return "";
  }
}

/// What a user may do about exchanges that wait for one another.
constexpr const char *overlapHint = "; if none depends on an earlier one, "
                                    "-fplugin-arg-sendwright-overlap-exchanges lets them overlap";

} // namespace

std::string changeText(const OrderingFigures &figures) {
  const FiguresAsText text(figures);
  if (figures.planned == figures.given)
    return text.what + "stays " + text.given;
  return text.what + text.planned + " instead of " + text.given + ", at least " + text.bound;
}

std::string textOf(const OrderingRefusal &refusal) {
  const std::string function(mpiFunction(refusal.function).name);
  switch (refusal.obstacle) {
  case OrderingObstacle::ReceivesOnly:
    return "it only receives";
  case OrderingObstacle::SynchronousSends:
    return "sends are synchronous (" + function + ")";
  case OrderingObstacle::WaitsForReply:
    return "it receives or waits between its sends (" + function +
           (refusal.function == MpiFunctionId::Sendrecv ? overlapHint : "") + ")";
  case OrderingObstacle::OtherGroup:
    return "sends go to another group of ranks (intercommunicator)";
  case OrderingObstacle::BeyondAnalysis:
    return "its sends lie beyond the calls that were examined";
  case OrderingObstacle::InAnotherBatch:
    return "its sends leave with those of what is around it, at " + refusal.place;
  case OrderingObstacle::OneDestination:
    return "one destination in each execution";
  case OrderingObstacle::EachSendAwaited:
    return "each send is waited for before the next (" + function + ")";
  case OrderingObstacle::SeparatedSends:
    return function + " between the sends issues them one by one";
  case OrderingObstacle::RefusedByCompiler:
    return "the compiler would leave it: it " + refusal.problem;
  default:
    return textWhereOrderDoesNotPay(refusal);
  }
}

LeaveReason leaveReasonOf(const OrderingRefusal &refusal) {
  switch (refusal.obstacle) {
  case OrderingObstacle::ReceivesOnly:
    return LeaveReason::ReceivesOnly;
  case OrderingObstacle::SynchronousSends:
    return LeaveReason::SynchronousSends;
  case OrderingObstacle::WaitsForReply:
    return LeaveReason::WaitsForReply;
  case OrderingObstacle::OtherGroup:
    return LeaveReason::OtherGroup;
  case OrderingObstacle::BeyondAnalysis:
    return LeaveReason::NeverSeen;
  case OrderingObstacle::InAnotherBatch:
    return LeaveReason::InRewrittenLoop;
  case OrderingObstacle::OneDestination:
    return LeaveReason::OneDestination;
  case OrderingObstacle::EachSendAwaited:
  case OrderingObstacle::SeparatedSends:
    return LeaveReason::SeparatedSends;
  case OrderingObstacle::RefusedByCompiler:
    return LeaveReason::Refused;
  case OrderingObstacle::AlreadyOptimal:
  case OrderingObstacle::NoFasterOrder:
    return LeaveReason::AlreadyOptimal;
  case OrderingObstacle::OverlapLost:
    return LeaveReason::OverlapLost;
  case OrderingObstacle::BelowThreshold:
    return LeaveReason::BelowThreshold;
  case OrderingObstacle::InNoPhase:
    return LeaveReason::InNoPhase;
  }
  return LeaveReason::None;
}

} // namespace sendwright
