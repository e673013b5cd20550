// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/planner/PlanReasons.h"

#include <algorithm>
#include <cstdio>

namespace sendwright {

namespace {

std::string format(const char *pattern, double a, double b = 0, double c = 0) {
  char text[200];
  std::snprintf(text, sizeof text, pattern, a, b, c);
  return text;
}

/// A time with a unit that a person can read.
std::string seconds(double value) {
  if (value >= 1)
    return format("%.3g s", value);
  return value >= 1e-3 ? format("%.3g ms", value * 1e3) : format("%.3g us", value * 1e6);
}

std::string runTimes(const SiteOutcome &outcome) {
  return runTimeText(outcome.after) + " instead of " + runTimeText(outcome.before);
}

Verdict judgeSeparator(const LoopFacts &facts) {
  const MpiFunction &function = mpiFunction(facts.separator);
  const std::string name(function.name);
  if (facts.waitsForOwnSends)
    return {LeaveReason::SeparatedSends, "each send is waited for before the next (" + name + ")"};
  switch (function.role) {
  case MpiRole::Receive:
  case MpiRole::SendReceive:
  case MpiRole::MatchedReceive:
  case MpiRole::Probe:
  case MpiRole::Completion:
    return {LeaveReason::WaitsForReply, "it receives or waits between its sends (" + name + ")"};
  case MpiRole::SynchronousSend:
  case MpiRole::NonblockingSynchronousSend:
    return {LeaveReason::SynchronousSends, "sends are synchronous (" + name + ")"};
  default:
    return {LeaveReason::SeparatedSends, name + " between the sends issues them one by one"};
  }
}

/// The phase in which the order gains most.
const OrderingFigures &mainPhase(const LoopOrdering &ordering) {
  return *std::max_element(ordering.figures.begin(), ordering.figures.end(),
                           [](const OrderingFigures &a, const OrderingFigures &b) {
                             return a.given - a.planned < b.given - b.planned;
                           });
}

/// The figures of a loop as text: in sends, or for large messages in time.
struct MainFigures {
  explicit MainFigures(const LoopOrdering &ordering) : main(mainPhase(ordering)) {
    const bool ports = main.window != 0;
    const auto text = [&](double value) {
      return ports ? seconds(value) : format("%.6g", value / main.unit);
    };
    what = ports ? "predicted " : "max c'_p ";
    given = text(main.given);
    bound = text(main.lowerBound);
    change = what + text(main.planned) + " instead of " + given + ", at least " + bound;
  }
  const OrderingFigures &main;
  std::string what, given, bound, change;
};

} // namespace

std::string runTimeText(double seconds) {
  if (seconds >= 1)
    return format("%.6g s", seconds);
  return seconds >= 1e-3 ? format("%.6g ms", seconds * 1e3) : format("%.6g us", seconds * 1e6);
}

double gainOf(const LoopOrdering &ordering) {
  return (ordering.given - ordering.planned) /
         static_cast<double>(std::max<std::uint64_t>(ordering.phases, 1));
}

double overlapLostBy(const LoopOrdering &ordering) {
  return ordering.overlapLost / static_cast<double>(std::max<std::uint64_t>(ordering.phases, 1));
}

Verdict judgeShape(const Profile &profile, const SendLoops &loops, int site) {
  const LoopFacts &facts = loops.loops[site];
  const bool holdsBatches = facts.batchDestinations > 0;
  if (facts.sends == 0 && !holdsBatches) {
    if (facts.synchronous + facts.exchanges + facts.toOtherGroups == 0)
      return {LeaveReason::ReceivesOnly, "it only receives"};
    if (facts.synchronous > 0)
      return {LeaveReason::SynchronousSends, "sends are synchronous (MPI_Ssend)"};
    if (facts.exchanges > 0)
      return {LeaveReason::WaitsForReply, "it receives or waits between its sends (MPI_Sendrecv)"};
    return {LeaveReason::OtherGroup, "sends go to another group of ranks (intercommunicator)"};
  }
  if (facts.sends > 0 && facts.batchSite < 0)
    return {LeaveReason::NeverSeen, "its sends lie beyond the calls that were looked at"};
  if (!holdsBatches && facts.batchSite != site)
    return {LeaveReason::InRewrittenLoop, "its sends are ordered in the loop around it, at " +
                                              profile.sites[facts.batchSite].display()};
  if (facts.destinations < 2)
    return {LeaveReason::OneDestination, "one destination in each execution"};
  if (facts.batchDestinations < 2)
    return judgeSeparator(facts);
  if (!facts.refusal.empty())
    return {LeaveReason::Refused, "the compiler would leave it: it " + facts.refusal};
  return {};
}

std::string whyOrdered(const LoopOrdering &ordering, bool cut) {
  const MainFigures figures(ordering);
  std::string how = figures.main.key == "staggered" ? "staggered, one message in flight at a rank"
                    : figures.main.key == "as given"
                        ? "left in their order, one message in flight at a rank"
                        : "ordered by the " + figures.main.key + " at the receivers";
  if (ordering.figures.size() > 1)
    how += format("; %.0f patterns", static_cast<double>(ordering.figures.size()));
  if (cut)
    how += "; from the first part of the run";
  return "sends are " + how + " (" + figures.change + ")";
}

Verdict judgeOrder(const LoopOrdering &ordering, double thresholdPercent, bool cut) {
  const MainFigures figures(ordering);
  const double tolerance = 1e-9 * ordering.given;
  if (ordering.given - ordering.planned <= tolerance)
    return {LeaveReason::AlreadyOptimal,
            (figures.main.given <= figures.main.lowerBound + tolerance
                 ? "the order as given is already optimal ("
                 : "no order is predicted to be faster than the one given (") +
                figures.what + figures.given + " of at least " + figures.bound + ")"};
  if (overlapLostBy(ordering) > gainOf(ordering))
    return {LeaveReason::OverlapLost,
            "it computes " + seconds(overlapLostBy(ordering)) +
                " between its sends, which would delay them by more than the order gains (" +
                seconds(gainOf(ordering)) + ")"};
  const double percent = 100 * (ordering.given - ordering.planned) / ordering.given;
  if (percent < thresholdPercent)
    return {LeaveReason::BelowThreshold,
            "the order gains " +
                format("%.2g %%, below the threshold of %.3g %%", percent, thresholdPercent) +
                " (" + figures.change + ")"};
  return {LeaveReason::None, whyOrdered(ordering, cut)};
}

std::string whyNotShared(const SharingPrediction &sharing, double orderGain, double overlapLost,
                         double thresholdPercent) {
  const double gain = sharing.gain();
  const std::string times =
      seconds(sharing.seconds) + " instead of " + seconds(sharing.directSeconds);
  if (sharing.shared.stages < 2)
    return "no way through other ranks is predicted to be faster than directly (" +
           seconds(sharing.directSeconds) + ")";
  if (gain <= 0)
    return "what it gains (" + times + ") is less than it costs collective calls (" +
           seconds(sharing.collectiveSeconds) + ")";
  if (sharing.gainPercent() < thresholdPercent)
    return format("it gains %.2g %%, below the threshold of %.3g %%", sharing.gainPercent(),
                  thresholdPercent) +
           " (" + times + ")";
  if (overlapLost > gain)
    return "it computes " + seconds(overlapLost) +
           " between its sends, which would delay them by more than it gains (" + seconds(gain) +
           ")";
  if (orderGain >= gain)
    return "the order alone gains " + seconds(orderGain) + ", and this " + seconds(gain) + " (" +
           times + ")";
  return "";
}

std::string whyShared(const SharingPrediction &sharing, bool cut) {
  return "messages travel through other ranks: " + sharing.method + ", " +
         std::to_string(sharing.shared.maxLoad) +
         " messages sent and received at the busiest rank instead of " +
         std::to_string(sharing.direct.maxLoad) + " (predicted " + seconds(sharing.seconds) +
         " instead of " + seconds(sharing.directSeconds) + ")" +
         (cut ? "; from the first part of the run" : "");
}

std::string whyNotCollective(const CollectivePrediction &collective, double otherGain,
                             double thresholdPercent) {
  const std::string times =
      seconds(collective.seconds) + " instead of " + seconds(collective.writtenSeconds);
  const double gain = collective.gain();
  if (gain <= 0)
    return "no schedule is predicted to be faster than the loop (" +
           seconds(collective.writtenSeconds) + ")";
  if (collective.gainPercent() < thresholdPercent)
    return format("it gains %.2g %%, below the threshold of %.3g %%", collective.gainPercent(),
                  thresholdPercent) +
           " (" + times + ")";
  if (otherGain >= gain)
    return "what is done instead gains " + seconds(otherGain) + ", and this " + seconds(gain) +
           " (" + times + ")";
  return "";
}

std::string whyCollective(const CollectivePrediction &collective, bool cut) {
  return "the loop is " + withArticle(collective.operation) + " among " +
         std::to_string(collective.ranks) + " ranks: by " + collective.algorithm + " (predicted " +
         seconds(collective.seconds) + " instead of " + seconds(collective.writtenSeconds) + ")" +
         (cut ? "; from the first part of the run" : "");
}

Verdict judgeRun(const SiteOutcome &outcome, double thresholdPercent) {
  if (!outcome.tried)
    return {LeaveReason::RunNotShorter, "it was not tried: the search had come to its limit"};
  const std::string times =
      std::string(" (") + describe(outcome.best) + ": " + runTimes(outcome) + ")";
  if (outcome.endless())
    return {LeaveReason::RunNotShorter,
            std::string("with ") + describe(outcome.best) + " ranks would wait for one another"};
  if (outcome.before <= outcome.after)
    return {LeaveReason::RunNotShorter, "the whole run would not end sooner" + times};
  return {LeaveReason::BelowThreshold,
          format("the whole run would gain %.2g %%, below the threshold of %.3g %%",
                 outcome.gainPercent(), thresholdPercent) +
              times};
}

Verdict judgeStuckRun(const RunChoice &run) {
  return {LeaveReason::RunNotReplayed,
          "the run cannot be replayed to its end on this machine (" + run.stuckAt +
              " would wait for ever), so what it gains is not known (--choose models)"};
}

std::string runGainText(const SiteOutcome &outcome) {
  return "; the whole run is predicted to take " + runTimes(outcome);
}

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
  case LeaveReason::Synchronized:
    return "buffers are planned for the order as written";
  case LeaveReason::NeverSeen:
    return "beyond the calls looked at";
  case LeaveReason::InNoPhase:
    return "in no phase of communication";
  }
  return "";
}

} // namespace sendwright
