// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/SharingRefusal.h"

#include "analysis/file/FigureText.h"
#include "analysis/run/RefusalWords.h"

namespace sendwright {

namespace {

std::string textOfUnprofitable(const SharingRefusal &refusal) {
  const SharingPrediction &sharing = refusal.prediction;
  const std::string gain = timeText(sharing.gain());
  const std::string times =
      timeText(sharing.seconds) + " instead of " + timeText(sharing.directSeconds);
  switch (refusal.obstacle) {
  case SharingObstacle::TurnsWithoutMachine:
    return "it serves " + std::to_string(refusal.count) +
           " patterns in turn: name a machine to predict whether sharing them gains (--machine)";
  case SharingObstacle::MethodSharesNothing:
    return "the method named has no routes through other ranks for it";
  case SharingObstacle::NoFasterRoutes:
    return "no route through other ranks is predicted to be faster than direct messages (" +
           timeText(sharing.directSeconds) + ")";
  case SharingObstacle::CollectivesLoseMore:
    return "what it gains (" + times + ") is less than it costs collective calls (" +
           timeText(sharing.collectiveSeconds) + ")";
  case SharingObstacle::BelowThreshold:
    return "it gains " + percentText(sharing.gainPercent()) + ", below the threshold of " +
           percentText(refusal.limit, 3) + " (" + times + ")";
  case SharingObstacle::FullerLinks:
    return "its routes carry " + percentText(100 * sharing.shared.volumeFactor, 3) +
           " of the bytes, and the further ones take " + timeText(refusal.limit) +
           " of a rank's link, more than they gain (" + timeText(sharing.routesGain()) + ")";
  case SharingObstacle::PolledReceives:
    return "ranks poll for its messages by " + std::string(mpiFunction(refusal.function).name) +
           atPlace(refusal.place) + ": each poll would have to pass messages on";
  case SharingObstacle::OverlapLost:
    return "it computes " + timeText(refusal.limit) +
           " between its sends, which would delay them by more than it gains (" + gain + ")";
  case SharingObstacle::AnotherOrderGainsMore:
    return "the order alone gains " + timeText(refusal.limit) + ", and this " + gain + " (" +
           times + ")";
  default:
    return "";
  }
}

} // namespace

std::string textOf(const SharingRefusal &refusal) {
  const std::string function(mpiFunction(refusal.function).name), at = atPlace(refusal.place);
  const std::string rank = nameOfRank(refusal.rank), other = nameOfRank(refusal.otherRank);
  const std::string count = std::to_string(refusal.count);
  switch (refusal.obstacle) {
  case SharingObstacle::LeftByCompiler:
    return "the compiler would leave the loop as written";
  case SharingObstacle::SynchronousSends:
    return "it has synchronous sends (MPI_Ssend)";
  case SharingObstacle::SeparatedSends:
    return function + " between its sends ends the batch";
  case SharingObstacle::CallBehindSends:
    return function + " after the sends in the loop ends the batch";
  case SharingObstacle::OtherSendFunction:
    return "it sends by " + function;
  case SharingObstacle::SeveralCommunicators:
    return "it sends on more than one communicator";
  case SharingObstacle::NoThirdRank:
    return "there is no third rank to pass its messages on";
  case SharingObstacle::RankNotSeen:
    return "the profile is too long to see whether " + rank + " sends in it";
  case SharingObstacle::UnequalExecutions:
    return rank + " sends in " + count + " of its executions, and " + other + " in " +
           std::to_string(refusal.otherCount);
  case SharingObstacle::LargeMessages:
    return "messages of " + count + " bytes are too large to be kept at other ranks";
  case SharingObstacle::OtherReceiveFunction:
    return "its messages are received by " + function + at;
  case SharingObstacle::ReceiveFromAnySource:
    return "a receive from any source" + at + " takes its messages";
  case SharingObstacle::ReceiveOfAnyTag:
    return "a receive of any tag" + at + " takes its messages";
  case SharingObstacle::NotReceived:
    return rank + " does not receive all its messages";
  case SharingObstacle::SeveralWithOneTag:
    return rank + " sends several messages with one tag (" + std::to_string(refusal.tag) + ") to " +
           other;
  case SharingObstacle::MetByAnotherCall:
    return textOf(refusal.conflict);
  case SharingObstacle::FewMessagesRecur:
    return "its messages differ from one execution to the next (" + count +
           " % of them recur in most executions)";
  case SharingObstacle::FewUsualMessagesSent:
    return "its messages differ from one execution to the next (" + count +
           " % of the usual messages are sent)";
  case SharingObstacle::CircularWait:
    return textOf(refusal.wait);
  default:
    return textOfUnprofitable(refusal);
  }
}

} // namespace sendwright
