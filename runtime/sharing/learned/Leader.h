// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leader of an exchange: when all members have proposed what they send, it finds routes, and
// switches all members to these routes and back. It is one of the members, and talks to itself as
// to the others.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_LEADER_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_LEADER_H

#include "analysis/sharing/ChosenRoutes.h"
#include "analysis/sharing/PatternsByPartners.h"
#include "runtime/sharing/learned/ControlMessage.h"
#include "runtime/sharing/learned/Crossing.h"
#include "runtime/sharing/learned/PatternProposal.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sendwright::adaptation {

class Leader {
public:
  explicit Leader(ExchangeKey key) : key(key) {}

  void propose(int member, const ControlMessage &message);
  /// This rank has executed the loop. Asks members that have few messages, and have not proposed
  /// them, to do so, unless ranks may still be about to propose (`isEarly`); starts to share once
  /// that is worth it.
  void noteExecution(bool isEarly);
  void ready(const ControlMessage &message);
  void changed(int member, const ControlMessage &message);
  void measured(int member, const ControlMessage &message);
  /// A plan for which all ranks are ready, and which waits for a meeting of all ranks; or 0.
  std::uint64_t pendingPlan() const { return phase == Phase::Preparing && missing == 0 ? plan : 0; }
  /// All ranks are ready, and none is in a collective call without having heard of it.
  void sendSwitch();

  /// The program freed the communicator on this rank: no further plan is made.
  void giveUp();
  /// Sends the plan that was found, if it is worth its start by now. While the ranks only watch,
  /// it wishes that they carry messages first.
  void startIfWorth();
  /// Whether it would do so. `atItsCut`: where all ranks are at a cut that this leader has named.
  /// Otherwise, while ranks watch, they are at a collective call, where a start takes less.
  bool wantsToShare(bool atItsCut = false) const;
  /// Executions here until it will, if it has found routes that are not worth their start yet.
  std::optional<std::uint64_t> executionsToWish() const;
  /// All ranks are at their cuts (Crossing.h): for each rank what it must know to follow the plan
  /// that was found, from its next execution on. Empty if there is none. `isItsOwn`: the cuts are
  /// by executions of its own patterns.
  std::vector<ControlMessage> planAtCut(bool isItsOwn);
  /// Whether it has just asked members for proposals.
  bool awaitsProposals() const {
    constexpr unsigned patience = 32; // executions
    return phase == Phase::Collecting && !proposals.empty() && !found &&
           (hasAsked || hasAskedForPatterns) && waited < patience;
  }
  /// Whether further proposals are likely to come soon.
  bool hearsProposals() const;
  /// Whether members wait for its messages.
  bool isBusy() const { return phase == Phase::Preparing || phase == Phase::Sharing; }
  /// Whether no member needs it any more.
  bool isOver() const { return phase == Phase::Over; }

private:
  /// Collecting: waits for proposals. Preparing: all members know of a plan, but not all are ready.
  /// Sharing: all share. Over: finished.
  enum class Phase { Collecting, Preparing, Sharing, Over };
  struct Proposal {
    std::uint64_t number = 0;
    std::vector<ProposedMessage> pattern;
    double collectives = 0;  ///< see ControlMessage
    bool inAnyOrder = false; ///< then `pattern` is empty, and these are proposed:
    PatternProposal patterns;
  };
  /// Routes that are worth sharing.
  struct Decision {
    ExecutionMoment from;                ///< as PlannedPart::from
    std::vector<CommonPattern> patterns; ///< in any order; empty: there is one
    std::vector<ChosenRoutes> routes;    ///< for each
    std::optional<ExecutionsOfCut> cut;  ///< where all ranks can cross; none: at calls alone
    double gain = 0;                     ///< seconds for an execution of the loop
    std::string method;                  ///< as text

    /// Whether it can be used elsewhere than at its own cut.
    bool isCertain() const { return cut && cut->patterns.empty(); }
  };

  void askMissing(bool isEarly);
  void askForPatterns();
  void ask(ControlMessage::Kind kind, bool (*whom)(const Proposal *proposal));
  void consider();
  void considerOne();
  void considerPatterns();
  void startOnceWorth(Decision decision);
  SharableExchange exchangeOf(std::vector<ExchangedMessage> messages) const;
  ChosenRoutes decide() const;
  CommonPatterns commonPatterns() const;
  std::vector<Destinations> destinations() const;
  std::vector<ExchangedMessage> messagesOf(const CommonPattern &pattern) const;
  bool isWorthSharing(const SharingPrediction &prediction) const;
  double lostAtCollectives() const;
  bool mayShareTurns() const;
  bool canShare(bool atItsCut) const;
  std::uint64_t worthFrom(bool atCall) const;
  std::vector<ControlMessage> makePlan(const Decision &decision);
  void sendPlan(const Decision &decision);
  void sayShared(std::uint64_t first) const;
  void judge();
  void stopInstead(int member, Change why);
  void sendStop(int member, Change why);
  void tellAll(ControlMessage message) const;
  void say(const std::string &text) const;

  const ExchangeKey key;
  Phase phase = Phase::Collecting;
  std::string name; ///< of the loop
  Communicator members;
  std::map<int, Proposal> proposals;      ///< since the last plan, keyed by member
  std::map<int, std::uint64_t> withdrawn; ///< numbers up to which proposals are no longer valid
  std::map<int, std::uint64_t> basis;     ///< numbers of the proposals that the plan rests on
  std::set<int> fresh;           ///< members that have proposed patterns since they were compared
  std::optional<Decision> found; ///< for these proposals, but the start is not worth it yet
  unsigned decisions = 0;
  bool hasAsked = false, hasAskedForPatterns = false;
  unsigned turns = 0;        ///< executions here since a proposal, before it has asked
  unsigned patternTurns = 0; ///< the same for patterns in any order
  unsigned waited = 0;       ///< executions here since it has asked
  std::uint64_t plan = 0;
  std::string method;                 ///< of the plan
  std::size_t missing = 0;            ///< number of members that are not ready
  std::vector<std::uint64_t> highest; ///< executions of each pattern, of the members that are ready
  std::uint64_t fewestCalls = 0, mostCalls = 0;          ///< ControlMessage::calls of these
  std::map<int, std::pair<double, double>> measurements; ///< seconds before and now, by member
  int losses = 0;                                        ///< plans that made executions longer
  std::string verdict;                                   ///< on the last of them
  std::optional<std::pair<int, Change>> stopping; ///< once all are ready; who changed, and why
};

} // namespace sendwright::adaptation

#endif
