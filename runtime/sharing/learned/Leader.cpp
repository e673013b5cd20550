// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/Leader.h"

#include "analysis/file/FigureText.h"
#include "analysis/planner/Planner.h" // for its threshold
#include "analysis/sharing/GatherTree.h"
#include "analysis/sharing/StartOfSharing.h"
#include "runtime/sharing/learned/Learning.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace sendwright::adaptation {

namespace {

/// How often a leader looks for routes at most: it takes time, and an exchange that changes often
/// gains little.
constexpr unsigned mostDecisions = 10;

/// Sharing must take at most this much of the time before, and may lose this often.
constexpr double mostOfDirect = 0.98;
constexpr int mostLosses = 2;

std::string describe(Change change, int member) {
  const std::string rank = "rank " + std::to_string(member);
  switch (change) {
  case Change::OtherMessages:
    return rank + " sent other messages than before";
  case Change::WaitsInLoop:
    return "the loop waits between its sends at " + rank;
  case Change::LateRanks:
    return "messages waited too long at " + rank + " to be combined";
  case Change::OutOfTurn:
    return "messages of another pattern of the loop waited too long";
  case Change::CommunicatorFreed:
  case Change::NoGain:
    break;
  }
  return rank + " freed the communicator";
}

/// Raises each number to the other.
void raise(std::vector<std::uint64_t> &numbers, const std::vector<std::uint64_t> &others) {
  for (std::size_t index = 0; index < std::min(numbers.size(), others.size()); ++index)
    numbers[index] = std::max(numbers[index], others[index]);
}

} // namespace

void Leader::tellAll(ControlMessage message) const {
  message.key = key;
  message.plan = plan;
  for (const int member : members.members)
    learning()->tell(member, message);
}

void Leader::say(const std::string &text) const {
  ControlMessage line;
  line.text = name + ": " + text;
  learning()->tell(0, line);
}

void Leader::propose(int member, const ControlMessage &message) {
  const auto old = withdrawn.find(member);
  const auto before = proposals.find(member);
  const auto used = basis.find(member);
  if (phase == Phase::Over || (old != withdrawn.end() && message.number <= old->second) ||
      (used != basis.end() && message.number <= used->second) ||
      (before != proposals.end() && message.number < before->second.number))
    return; // a long message, or one by way of others, may arrive after one that was sent later
  Proposal made{message.number, message.pattern, message.collectives, false, {}};
  if (message.kind == ControlMessage::Kind::ProposePatterns) {
    made.inAnyOrder = true;
    made.patterns = decodeProposal(message.part, learning()->ranks);
    fresh.insert(member);
  }
  const bool isOneNow = before != proposals.end() && before->second.inAnyOrder && !made.inAnyOrder;
  proposals[member] = std::move(made);
  if (isOneNow) {
    found.reset();
    fresh.clear();
    ask(ControlMessage::Kind::Ask,
        [](const Proposal *proposal) { return proposal && proposal->inAnyOrder; });
  }
  consider();
}

void Leader::noteExecution(bool isEarly) {
  waited += hasAsked || hasAskedForPatterns ? 1 : 0;
  if (std::ranges::any_of(proposals, [](const auto &one) { return one.second.inAnyOrder; }))
    askForPatterns();
  else
    askMissing(isEarly);
  startIfWorth();
}

/// `whom`: whether to ask a member with this proposal, or with none.
void Leader::ask(ControlMessage::Kind kind, bool (*whom)(const Proposal *proposal)) {
  const Communicator *known = learning()->communicator(key);
  if (!known)
    return;
  ControlMessage message;
  message.kind = kind;
  message.key = key;
  for (const int member : known->members) {
    const auto proposal = proposals.find(member);
    if (whom(proposal == proposals.end() ? nullptr : &proposal->second))
      learning()->tell(member, message);
  }
}

/// Members with one pattern are asked as well: for others the loop has several.
void Leader::askForPatterns() {
  constexpr unsigned patience = 3; // executions
  if (hasAskedForPatterns || phase != Phase::Collecting || ++patternTurns < patience)
    return;
  hasAskedForPatterns = true;
  waited = 0;
  ask(ControlMessage::Kind::AskPatterns,
      [](const Proposal *proposal) { return !proposal || !proposal->inAnyOrder; });
}

/// Other proposals are probably under way at first.
void Leader::askMissing(bool isEarly) {
  const Communicator *known = learning()->communicator(key);
  if (hasAsked || phase != Phase::Collecting || proposals.empty() || !known || isEarly)
    return;
  unsigned patience = exchange::isWatching() ? 1 : 3; // executions
  if (const GatherTree tree(known->members.size()); tree.isDeep())
    patience = static_cast<unsigned>(tree.levels()) * ControlTree::patience;
  if (++turns < patience)
    return;
  hasAsked = true;
  ask(ControlMessage::Kind::Ask, [](const Proposal *proposal) { return !proposal; });
}

bool Leader::hearsProposals() const {
  if (hasAsked || hasAskedForPatterns)
    return awaitsProposals();
  const Communicator *known = learning()->communicator(key);
  return phase == Phase::Collecting && !proposals.empty() && known &&
         proposals.size() < known->members.size();
}

void Leader::changed(int member, const ControlMessage &message) {
  withdrawn[member] = std::max(withdrawn[member], message.number);
  const auto proposal = proposals.find(member);
  if (proposal != proposals.end() && proposal->second.number <= message.number) {
    proposals.erase(proposal);
    fresh.erase(member);
    found.reset();
  }
  if (phase != Phase::Preparing && phase != Phase::Sharing)
    return;
  const auto used = basis.find(member);
  if (used == basis.end() || used->second != message.number)
    return; // belongs to an earlier plan
  if (phase == Phase::Sharing)
    sendStop(member, message.change);
  else
    stopInstead(member, message.change);
}

/// The plan will not be followed: its members hear of that when all are ready.
void Leader::stopInstead(int member, Change why) {
  if (!stopping)
    stopping = {member, why};
  if (missing == 0)
    sendStop(stopping->first, stopping->second);
}

void Leader::giveUp() {
  proposals.clear();
  fresh.clear();
  found.reset();
  decisions = mostDecisions;
  if (phase != Phase::Preparing)
    phase = Phase::Over;
  else
    stopInstead(learning()->rank, Change::CommunicatorFreed);
}

/// Finds routes once all members have proposed.
void Leader::consider() {
  const Communicator *known = learning()->communicator(key);
  if (phase != Phase::Collecting || decisions >= mostDecisions || !learning()->mayPlan() ||
      !known || proposals.size() < known->members.size())
    return;
  const auto inAnyOrder = static_cast<std::size_t>(
      std::ranges::count_if(proposals, [](const auto &one) { return one.second.inAnyOrder; }));
  if (inAnyOrder != 0 && (inAnyOrder < proposals.size() || fresh.size() < proposals.size()))
    return;
  learning()->noteNews();
  members = *known;
  name = learning()->nameOf(key);
  ++decisions;
  try {
    if (inAnyOrder == 0)
      considerOne();
    else
      considerPatterns();
  } catch (const std::exception &error) {
    say(std::string(error.what()) + ": messages are not shared");
  }
}

bool Leader::isWorthSharing(const SharingPrediction &prediction) const {
  return prediction.shared.stages >= 2 &&
         prediction.gainPercent() >= PlannerOptions().thresholdPercent;
}

void Leader::considerOne() {
  const bool anything = std::any_of(proposals.begin(), proposals.end(), [](const auto &proposal) {
    return !proposal.second.pattern.empty();
  });
  if (!anything)
    return;
  Decision decision;
  decision.routes.push_back(decide());
  decision.cut.emplace();
  const SharingPrediction &prediction = decision.routes.front().prediction;
  if (!isWorthSharing(prediction))
    return say(
        "no route through other ranks is predicted to be faster than direct messages (" +
        microseconds(prediction.directSeconds) +
        (prediction.collectiveSeconds > 0
             ? ", " + microseconds(prediction.collectiveSeconds) + " lost in collective calls"
             : "") +
        "): messages are not shared");
  decision.gain = prediction.gain();
  decision.method = prediction.method + " (predicted " + microseconds(prediction.seconds) +
                    " instead of " + microseconds(prediction.directSeconds) + ")";
  startOnceWorth(std::move(decision));
}

void Leader::startOnceWorth(Decision decision) {
  found = std::move(decision);
  startIfWorth();
}

/// From which execution here on what was found is worth its start. Without measurements, at once.
/// Once the runtime carries messages, the run has paid for most of it.
std::uint64_t Leader::worthFrom(bool atCall) const {
  const Learning &all = *learning();
  const double seconds = exchange::isWatching() ? all.secondsOf(key) : 0;
  return all.measures && found
             ? executionsWorthStart({found->gain, seconds}, static_cast<std::size_t>(all.ranks),
                                    all.machine, atCall)
             : 0;
}

bool Leader::wantsToShare(bool atItsCut) const {
  const bool isAtCall = exchange::isWatching() && !atItsCut;
  return canShare(atItsCut) && learning()->executionsOf(key) >= worthFrom(isAtCall);
}

bool Leader::canShare(bool atItsCut) const {
  return found && (atItsCut || found->isCertain()) && phase == Phase::Collecting && mayShareTurns();
}

/// Ranks that lack some of the world never find out whether they count turns alike.
bool Leader::mayShareTurns() const {
  return key.turns == 1 || members.members.size() == static_cast<std::size_t>(learning()->ranks);
}

std::optional<std::uint64_t> Leader::executionsToWish() const {
  if (!canShare(false))
    return std::nullopt;
  const std::uint64_t executions = learning()->executionsOf(key), worth = worthFrom(true);
  return executions < worth ? std::optional(worth - executions) : std::nullopt;
}

void Leader::startIfWorth() {
  if (exchange::isWatching()) {
    if (wantsToShare(true) && found && found->cut)
      learning()->wish(key, *found->cut);
    return;
  }
  if (!wantsToShare() || !learning()->countsAlike(key) || !found)
    return;
  const Decision decision = std::move(*found);
  found.reset();
  try {
    sendPlan(decision);
  } catch (const std::exception &error) {
    say(std::string(error.what()) + ": messages are not shared");
  }
}

SharableExchange Leader::exchangeOf(std::vector<ExchangedMessage> messages) const {
  SharableExchange exchange;
  exchange.communicator = members;
  exchange.instances = 1;
  exchange.messages = std::move(messages);
  return exchange;
}

ChosenRoutes Leader::decide() const {
  std::vector<ExchangedMessage> messages;
  for (const auto &[member, proposal] : proposals)
    for (const ProposedMessage &message : proposal.pattern)
      messages.push_back({member, message.destination, anyTag, message.bytes, 1});
  ChosenRoutes decision =
      chooseRoutes(exchangeOf(std::move(messages)), learning()->ranks, learning()->machine);
  decision.prediction.collectiveSeconds = lostAtCollectives();
  return decision;
}

/// Seconds lost in one execution. Nothing more is lost if other messages are shared anyway.
double Leader::lostAtCollectives() const {
  double most = 0;
  for (const auto &[member, proposal] : proposals)
    most = std::max(most, proposal.collectives);
  return learning()->hasRoutes() ? 0 : most;
}

/// What each rank must know; others than members must hear of it, too.
std::vector<ControlMessage> Leader::makePlan(const Decision &decision) {
  std::vector<PlannedPart> ofRanks(static_cast<std::size_t>(learning()->ranks));
  for (std::size_t index = 0; index < decision.routes.size(); ++index) {
    const ChosenRoutes &routes = decision.routes[index];
    std::vector<RankExchange> parts =
        partsOfRanks(static_cast<std::uint32_t>(index), routes.pattern, routes.tags, routes.table);
    for (std::size_t member = 0; member < ofRanks.size(); ++member) {
      PlannedPart &part = ofRanks[member];
      part.stages.push_back(static_cast<std::uint32_t>(routes.table.stages));
      if (!decision.patterns.empty()) {
        const CommonPattern &pattern = decision.patterns[index];
        part.own.push_back(pattern.ofRanks[member]);
        part.contexts.push_back(pattern.contextOf(member));
      }
      if (!parts[member].messages.empty())
        part.parts.push_back(std::move(parts[member]));
    }
  }
  plan = learning()->nextPlan(decision.routes.size());
  method = decision.method;
  missing = static_cast<std::size_t>(learning()->ranks);
  highest.assign(decision.routes.size(), 0);
  mostCalls = 0;
  fewestCalls = UINT64_MAX;
  stopping.reset();
  basis.clear();
  measurements.clear();
  for (const auto &[member, proposal] : proposals)
    basis[member] = proposal.number;
  std::vector<ControlMessage> made(static_cast<std::size_t>(learning()->ranks));
  for (int member = 0; member < learning()->ranks; ++member) {
    ControlMessage &message = made[static_cast<std::size_t>(member)];
    message.kind = ControlMessage::Kind::Plan;
    message.key = key;
    message.plan = plan;
    message.number = basis.contains(member) ? basis[member] : 0;
    PlannedPart &part = ofRanks[static_cast<std::size_t>(member)];
    part.from = decision.from;
    message.part = encodePart(part);
  }
  phase = Phase::Preparing; // nothing can fail from here on
  proposals.clear();
  fresh.clear();
  return made;
}

void Leader::sendPlan(const Decision &decision) {
  const std::vector<ControlMessage> made = makePlan(decision);
  for (int member = 0; member < learning()->ranks; ++member)
    learning()->tell(member, made[static_cast<std::size_t>(member)]);
}

std::vector<ControlMessage> Leader::planAtCut(bool isItsOwn) {
  if (!(isItsOwn ? canShare(true) : wantsToShare()) || !found)
    return {}; // what it is worth at its own cut was decided when that was named
  const Decision decision = std::move(*found);
  found.reset();
  try {
    std::vector<ControlMessage> made = makePlan(decision);
    if (!isItsOwn && decision.patterns.empty())
      for (ControlMessage &message : made)
        message.numbers = learning()->executionsBeforeCalls(key);
    missing = 0;
    phase = Phase::Sharing;
    learning()->noteSwitchedAtCut(plan);
    sayShared(learning()->executionsOf(key));
    return made;
  } catch (const std::exception &error) {
    say(std::string(error.what()) + ": messages are not shared");
    return {};
  }
}

void Leader::sayShared(std::uint64_t first) const {
  say("messages are shared from execution " + std::to_string(first + 1) + " on: " + method);
}

void Leader::ready(const ControlMessage &message) {
  if (phase != Phase::Preparing || message.plan != plan)
    return;
  raise(highest, message.numbers);
  mostCalls = std::max(mostCalls, message.calls);
  fewestCalls = std::min(fewestCalls, message.calls);
  if (--missing != 0)
    return;
  const WorldCalls &calls = learning()->worldCalls;
  if (stopping)
    sendStop(stopping->first, stopping->second);
  else if (fewestCalls == mostCalls && mostCalls == calls.begun() && calls.maySwitch())
    sendSwitch(); // see WorldCalls.h
}

void Leader::sendSwitch() {
  phase = Phase::Sharing;
  ControlMessage message;
  message.kind = ControlMessage::Kind::Switch;
  message.key = key;
  message.plan = plan;
  raise(highest, learning()->executionsOfPatterns(key));
  for (const std::uint64_t executions : highest)
    message.numbers.push_back(executions + 1);
  for (int member = 0; member < learning()->ranks; ++member)
    learning()->tell(member, message);
  learning()->noteSwitched(plan);
  sayShared(message.numbers.size() == 1 ? message.numbers.front()
                                        : learning()->executionsOf(key) + 1);
}

void Leader::measured(int member, const ControlMessage &message) {
  if (phase != Phase::Sharing || message.plan != plan)
    return;
  measurements[member] = {message.direct, message.shared};
  if (measurements.size() == members.members.size())
    judge();
}

/// All members have measured what the plan changed.
void Leader::judge() {
  double direct = 0, shared = 0;
  for (const auto &[member, seconds] : measurements)
    if (seconds.first > 0 && seconds.second > 0) {
      direct += seconds.first;
      shared += seconds.second;
    }
  if (!learning()->measures || shared <= mostOfDirect * direct)
    return;
  const auto count = static_cast<double>(measurements.size());
  verdict = "an execution takes " + microseconds(shared / count) + " instead of " +
            microseconds(direct / count);
  if (++losses == mostLosses) {
    verdict += ", for the second time: nothing is shared here any more";
    decisions = mostDecisions;
  }
  sendStop(learning()->rank, Change::NoGain);
}

void Leader::sendStop(int member, Change why) {
  if (phase == Phase::Sharing && why != Change::CommunicatorFreed) // programs do that at their end
    say("messages are sent directly again: " +
        (why == Change::NoGain ? verdict : describe(why, member)));
  ControlMessage message;
  message.kind = ControlMessage::Kind::Stop;
  message.change = why;
  tellAll(message);
  phase = decisions < mostDecisions ? Phase::Collecting : Phase::Over;
  consider();
}

} // namespace sendwright::adaptation
