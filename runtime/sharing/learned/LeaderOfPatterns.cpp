// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a leader does where the patterns of its loop come in any order: finds which of different
// ranks belong together, and routes for each.

#include "runtime/sharing/learned/Leader.h"

#include "analysis/file/FigureText.h"
#include "runtime/sharing/learned/Learning.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace sendwright::adaptation {

namespace {

/// By the executions of the most frequent pattern that all ranks have, if that is needed.
std::optional<ExecutionsOfCut> cutFor(const CommonPatterns &common) {
  ExecutionsOfCut cut;
  if (!common.byPartners)
    return cut;
  cut.patterns = common.patterns;
  const auto ofAll = std::ranges::find_if(cut.patterns, [](const CommonPattern &one) {
    return std::ranges::all_of(one.ofRanks, std::identity());
  });
  if (ofAll == cut.patterns.end())
    return std::nullopt;
  cut.ofLoop = static_cast<double>(common.executions) / static_cast<double>(ofAll->executions);
  std::rotate(cut.patterns.begin(), ofAll, std::next(ofAll));
  return cut;
}

} // namespace

/// In the order of ranks in the world.
CommonPatterns Leader::commonPatterns() const {
  std::vector<PatternHistory> histories(static_cast<std::size_t>(learning()->ranks));
  for (const auto &[member, proposal] : proposals)
    histories[static_cast<std::size_t>(member)] = proposal.patterns.history;
  CommonPatterns common = findCommonPatterns(histories);
  if (!exchange::isWatching())
    return common; // without a cut it could not be made sure that they belong together
  CommonPatterns byPartners = findPatternsByPartners(histories, destinations());
  return ranksTakingPart(byPartners) > ranksTakingPart(common) ? byPartners : common;
}

/// In the order of ranks in the world; proposals are sorted by destination.
std::vector<Destinations> Leader::destinations() const {
  std::vector<Destinations> ofRanks(static_cast<std::size_t>(learning()->ranks));
  for (const auto &[member, proposal] : proposals)
    for (const std::vector<ProposedMessage> &pattern : proposal.patterns.patterns) {
      std::vector<std::int32_t> &to = ofRanks[static_cast<std::size_t>(member)].emplace_back();
      for (const ProposedMessage &message : pattern)
        to.push_back(message.destination);
    }
  return ofRanks;
}

std::vector<ExchangedMessage> Leader::messagesOf(const CommonPattern &pattern) const {
  std::vector<ExchangedMessage> messages;
  for (const auto &[member, proposal] : proposals)
    if (const std::uint32_t own = pattern.ofRanks[static_cast<std::size_t>(member)]; own != 0)
      for (const ProposedMessage &message : proposal.patterns.patterns[own - 1])
        messages.push_back({member, message.destination, anyTag, message.bytes, 1});
  return messages;
}

/// Patterns that gain nothing stay as written.
void Leader::considerPatterns() {
  fresh.clear();
  const CommonPatterns common = commonPatterns();
  Decision decision;
  decision.from = common.from;
  decision.cut = cutFor(common);
  double direct = 0;
  for (const CommonPattern &pattern : common.patterns) {
    const std::vector<ExchangedMessage> messages = messagesOf(pattern);
    if (messages.empty())
      continue;
    ChosenRoutes routes =
        chooseRoutes(exchangeOf(messages), learning()->ranks, learning()->machine);
    const double share =
        static_cast<double>(pattern.executions) / static_cast<double>(common.executions);
    direct += share * routes.prediction.directSeconds;
    if (!isWorthSharing(routes.prediction))
      continue;
    decision.gain += share * routes.prediction.gain();
    decision.patterns.push_back(pattern);
    decision.routes.push_back(std::move(routes));
  }
  if (common.patterns.empty())
    return; // they propose once more
  const double shared = direct - decision.gain;
  decision.gain -= lostAtCollectives();
  if (decision.patterns.empty() || decision.gain <= 0)
    return say("no route through other ranks is predicted to be faster than direct messages (" +
               microseconds(direct) +
               " on average over patterns in any order): messages are not shared");
  decision.method = (decision.patterns.size() == 1
                         ? "one of several patterns"
                         : std::to_string(decision.patterns.size()) + " patterns in any order") +
                    " (predicted " + microseconds(shared) + " instead of " + microseconds(direct) +
                    " on average)";
  startOnceWorth(std::move(decision));
}

} // namespace sendwright::adaptation
