// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/collectives/CollectiveRefusal.h"

#include "analysis/file/FigureText.h"
#include "analysis/run/RefusalWords.h"

namespace sendwright {

namespace {

/// The obstacles from NoMessages on.
std::string textOfOperation(const CollectiveRefusal &refusal) {
  const std::string function(mpiFunction(refusal.function).name), at = atPlace(refusal.place);
  const std::string rank = nameOfRank(refusal.rank), other = nameOfRank(refusal.otherRank);
  const std::string count = std::to_string(refusal.count);
  const std::string otherCount = std::to_string(refusal.otherCount);
  switch (refusal.obstacle) {
  case CollectiveObstacle::NoMessages:
    return "the profile shows none of its messages";
  case CollectiveObstacle::OtherGroup:
    return "it sends to ranks of another group";
  case CollectiveObstacle::SeveralTags:
    return "its messages have different tags (" + std::to_string(refusal.least) + " to " +
           std::to_string(refusal.most) + ")";
  case CollectiveObstacle::SeveralRoots:
    return "its root is now " + rank + " and now " + other;
  case CollectiveObstacle::RootOutside:
    return rank + " is not in its communicator";
  case CollectiveObstacle::TooFewRanks:
    return "its communicator has fewer than two distinct ranks";
  case CollectiveObstacle::UnequalExecutions:
    return rank + " takes part in " + count + " of its executions, and " + other + " in " +
           otherCount;
  case CollectiveObstacle::MessageLacking:
    return "in one execution " + rank + " sends nothing to " + other;
  case CollectiveObstacle::MessageToItself:
    return "in one execution " + rank + " sends to itself, " + rank;
  case CollectiveObstacle::MessageRepeated:
    return "in one execution " + rank + " sends more than one message to " + other;
  case CollectiveObstacle::UnequalBlocks:
    return "in one execution its blocks have " + count + " to " + otherCount + " bytes";
  case CollectiveObstacle::OtherCallInLoop:
    return function + at + " is in the loop, too";
  case CollectiveObstacle::MetByAnotherCall:
    return textOf(refusal.conflict);
  case CollectiveObstacle::CircularWait:
    return textOf(refusal.wait);
  default:
    return "";
  }
}

std::string textWhereNothingPays(const CollectiveRefusal &refusal) {
  const CollectivePrediction &collective = refusal.prediction;
  const std::string times =
      timeText(collective.seconds) + " instead of " + timeText(collective.writtenSeconds);
  switch (refusal.obstacle) {
  case CollectiveObstacle::NoFasterSchedule:
    return "no schedule is predicted to be faster than the loop (" +
           timeText(collective.writtenSeconds) + ")";
  case CollectiveObstacle::BelowThreshold:
    return "it gains " + percentText(collective.gainPercent()) + ", below the threshold of " +
           percentText(refusal.limit, 3) + " (" + times + ")";
  case CollectiveObstacle::AnotherGainsMore:
    return "what is done instead gains " + timeText(refusal.limit) + ", and this " +
           timeText(collective.gain()) + " (" + times + ")";
  default:
    return textOfOperation(refusal);
  }
}

} // namespace

std::string textOf(const CollectiveRefusal &refusal) {
  const std::string function(mpiFunction(refusal.function).name), at = atPlace(refusal.place);
  const std::string rank = nameOfRank(refusal.rank);
  switch (refusal.obstacle) {
  case CollectiveObstacle::RefusedBySource:
    return refusal.problem;
  case CollectiveObstacle::SeveralInstantiations:
    return "it is in a template of which several instantiations send";
  case CollectiveObstacle::PartOfAnotherLoop:
    return "its messages are some of the messages of the loop" + at;
  case CollectiveObstacle::CallsOfAnotherLoop:
    return "its calls are the calls of the loop" + at + ", too";
  case CollectiveObstacle::NotReceived:
    return rank + " does not receive all its messages";
  case CollectiveObstacle::ReceivedElsewhere:
    return "a receive" + at + " takes its messages";
  case CollectiveObstacle::NotSent:
    return rank + " receives messages whose sends are not in the profile";
  case CollectiveObstacle::SentElsewhere:
    return "its receives take messages that are sent" + at;
  case CollectiveObstacle::OtherSendFunction:
    return "it sends by " + function;
  case CollectiveObstacle::OtherReceiveFunction:
    return "its messages are received by " + function;
  case CollectiveObstacle::ReceiveFromAnySource:
    return "a receive from any source" + at + " takes its messages";
  case CollectiveObstacle::ReceiveOfAnyTag:
    return "a receive of any tag" + at + " takes its messages";
  case CollectiveObstacle::CallsOutsideLoop:
    return "its calls are not in the loop itself";
  case CollectiveObstacle::SeveralCommunicators:
    return "it sends on more than one communicator";
  default:
    return textWhereNothingPays(refusal);
  }
}

} // namespace sendwright
