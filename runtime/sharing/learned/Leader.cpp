// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/Leader.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/FigureText.h"
#include "analysis/planner/Planner.h" // for its threshold
#include "runtime/sharing/learned/Learning.h"

#include <algorithm>
#include <exception>

namespace sendwright::adaptation {

namespace {

/// How often a leader looks for routes at most: it takes time, and an exchange that changes often
/// gains little.
constexpr unsigned mostDecisions = 10;

std::string describe(Change change, int member) {
  const std::string rank = "rank " + std::to_string(member);
  switch (change) {
  case Change::OtherMessages:
    return rank + " sent other messages than before";
  case Change::WaitsInLoop:
    return "the loop waits between its sends at " + rank;
  case Change::LateRanks:
    return "messages waited too long at " + rank + " to be combined";
  case Change::CommunicatorFreed:
    break;
  }
  return rank + " freed the communicator";
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
  if (phase == Phase::Over || (old != withdrawn.end() && message.number <= old->second))
    return; // a long message may arrive after a short one that was sent later
  proposals[member] = {message.number, message.pattern, message.collectives};
  consider();
}

void Leader::changed(int member, const ControlMessage &message) {
  withdrawn[member] = message.number;
  const auto proposal = proposals.find(member);
  if (proposal != proposals.end() && proposal->second.number <= message.number)
    proposals.erase(proposal);
  if (phase != Phase::Preparing && phase != Phase::Sharing)
    return;
  const auto used = basis.find(member);
  if (used == basis.end() || used->second != message.number)
    return; // belongs to an earlier plan
  if (phase == Phase::Sharing)
    sendStop(member, message.change);
  else
    stopping = {member, message.change};
}

void Leader::giveUp() {
  proposals.clear();
  if (phase != Phase::Preparing)
    phase = Phase::Over;
  else if (!stopping)
    stopping = {learning()->rank, Change::CommunicatorFreed};
  decisions = mostDecisions;
}

/// Finds routes once all members have proposed.
void Leader::consider() {
  const Communicator *known = learning()->communicator(key);
  if (phase != Phase::Collecting || decisions >= mostDecisions || !known ||
      proposals.size() < known->members.size())
    return;
  learning()->noteNews();
  members = *known;
  name = learning()->nameOf(key);
  ++decisions;
  const bool anything = std::any_of(proposals.begin(), proposals.end(), [](const auto &proposal) {
    return !proposal.second.pattern.empty();
  });
  if (!anything)
    return;
  try {
    const ChosenRoutes decision = decide();
    const SharingPrediction &prediction = decision.prediction;
    if (prediction.shared.stages < 2 ||
        prediction.gainPercent() < PlannerOptions().thresholdPercent)
      say("no way through other ranks is predicted to be faster than directly (" +
          microseconds(prediction.directSeconds) +
          (prediction.collectiveSeconds > 0
               ? ", " + microseconds(prediction.collectiveSeconds) + " lost in collective calls"
               : "") +
          "): messages are not shared");
    else
      sendPlan(decision);
  } catch (const std::exception &error) {
    say(std::string(error.what()) + ": messages are not shared");
  }
}

ChosenRoutes Leader::decide() const {
  SharableExchange exchange;
  exchange.communicator = members;
  exchange.instances = 1;
  for (const auto &[member, proposal] : proposals)
    for (const ProposedMessage &message : proposal.pattern)
      exchange.messages.push_back({member, message.destination, anyTag, message.bytes, 1});
  ChosenRoutes decision = chooseRoutes(exchange, learning()->ranks, learning()->machine);
  decision.prediction.collectiveSeconds = lostAtCollectives();
  return decision;
}

/// Seconds lost in one execution. Nothing more is lost if other messages are shared anyway.
double Leader::lostAtCollectives() const {
  double most = 0;
  for (const auto &[member, proposal] : proposals)
    most = std::max(most, proposal.collectives);
  return learning()->hasRoutes()
             ? 0
             : most * meetingSeconds(members.members.size(), learning()->machine);
}

void Leader::sendPlan(const ChosenRoutes &decision) {
  const std::vector<RankExchange> parts =
      partsOfRanks(0, decision.pattern, decision.tags, decision.table);
  plan = learning()->nextPlan();
  method = decision.prediction.method + " (predicted " + microseconds(decision.prediction.seconds) +
           " instead of " + microseconds(decision.prediction.directSeconds) + ")";
  phase = Phase::Preparing;
  missing = members.members.size();
  highest = 0;
  stopping.reset();
  basis.clear();
  for (const int member : members.members) {
    ControlMessage message;
    message.kind = ControlMessage::Kind::Plan;
    message.key = key;
    message.plan = plan;
    message.number = basis[member] = proposals[member].number;
    message.stages = static_cast<std::uint32_t>(decision.table.stages);
    const RankExchange &part = parts[static_cast<std::size_t>(member)];
    ByteWriter out;
    encodeParts(out, part.messages.empty() ? std::vector<RankExchange>() : std::vector{part});
    message.part = out.take();
    learning()->tell(member, message);
  }
  proposals.clear();
}

void Leader::ready(const ControlMessage &message) {
  if (phase != Phase::Preparing || message.plan != plan)
    return;
  highest = std::max(highest, message.number);
  if (--missing != 0)
    return;
  if (stopping)
    sendStop(stopping->first, stopping->second);
  else
    sendSwitch();
}

void Leader::sendSwitch() {
  phase = Phase::Sharing;
  ControlMessage message;
  message.kind = ControlMessage::Kind::Switch;
  message.number = highest + 1;
  tellAll(message);
  say("messages are shared from execution " + std::to_string(highest + 2) + " on: " + method);
}

void Leader::sendStop(int member, Change why) {
  if (phase == Phase::Sharing)
    say("messages are sent directly again: " + describe(why, member));
  ControlMessage message;
  message.kind = ControlMessage::Kind::Stop;
  message.change = why;
  tellAll(message);
  phase = decisions < mostDecisions ? Phase::Collecting : Phase::Over;
  consider();
}

} // namespace sendwright::adaptation
