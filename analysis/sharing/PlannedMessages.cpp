// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/PlannedMessages.h"

#include "analysis/run/RecurringPatterns.h"

#include <map>
#include <utility>

namespace sendwright {

namespace {

/// A message is planned if at least this fraction of all instances, or of one pattern's instances,
/// sends it.
constexpr double oftenEnough = 0.5;
/// Minimum fraction of an exchange's messages that the plan covers, and of the planned messages
/// that are sent.
constexpr double sameEnough = alikeEnough;

struct ChannelUse {
  std::uint32_t number = 0; ///< in the order in which channels were first seen
  std::uint64_t messages = 0, bytes = 0;
  bool planned = false;
};

/// How many messages are planned, how many of the planned messages are sent, and how many are sent
/// in all.
struct PatternShare {
  std::uint64_t planned = 0, sent = 0, all = 0;

  void add(const PatternShare &other) {
    planned += other.planned;
    sent += other.sent;
    all += other.all;
  }
  bool fewPlanned() const {
    return static_cast<double>(sent) < sameEnough * static_cast<double>(all) || sent == 0;
  }
  bool fewSent() const {
    return static_cast<double>(sent) < sameEnough * static_cast<double>(planned);
  }
  bool isEnough() const { return !fewPlanned() && !fewSent(); }
};

bool isPlanned(std::uint64_t sentIn, std::uint64_t instances) {
  return static_cast<double>(sentIn) >= oftenEnough * static_cast<double>(instances);
}

SharingRefusal lacksPattern(const PatternShare &share) {
  const auto percent = [](std::uint64_t part, std::uint64_t whole) {
    return whole > 0 ? 100 * part / whole : 0;
  };
  if (share.fewPlanned())
    return {.obstacle = SharingObstacle::FewMessagesRecur, .count = percent(share.sent, share.all)};
  return {.obstacle = SharingObstacle::FewUsualMessagesSent,
          .count = percent(share.sent, share.planned)};
}

/// The messages with their places instead of their tags: a message's number among those of its
/// instance from one rank to another. Where the tags change from one instance to the next, this
/// number is what stays.
std::vector<LoopMessage> byPlaces(std::vector<LoopMessage> messages) {
  std::map<std::pair<int, int>, std::pair<std::uint64_t, int>> places; // instance, how many
  for (LoopMessage &message : messages) {
    auto &[last, count] =
        places
            .try_emplace({message.channel.source, message.channel.destination}, message.instance, 0)
            .first->second;
    if (last != message.instance)
      count = 0;
    last = message.instance;
    message.channel.tag = count++;
  }
  return messages;
}

/// The messages by one way to tell them apart.
class MessagePlan {
public:
  MessagePlan(const std::vector<LoopMessage> &messages, const SharableExchange &exchange)
      : messages(messages), instances(exchange.instances), unequal(exchange.unequal) {
    for (const LoopMessage &message : messages) {
      const auto number = static_cast<std::uint32_t>(channels.size());
      ChannelUse &use = channels.try_emplace(message.channel, ChannelUse{number}).first->second;
      ++use.messages;
      use.bytes += message.bytes;
    }
  }

  /// Plans what most instances send, or what most instances of some pattern send. If ranks execute
  /// the loop unequally often, there are always patterns.
  bool plan(PatternShare &usual) {
    usual = planUsual();
    return (!unequal && usual.isEnough()) || planPatterns();
  }

  void fill(SharableExchange &exchange, bool anyOfTheirTags) const {
    const auto add = [&](std::vector<ExchangedMessage> &list, const MatchingChannel &channel,
                         std::uint64_t bytes, std::uint64_t times) {
      list.push_back({channel.source, channel.destination, anyOfTheirTags ? anyTag : channel.tag,
                      static_cast<double>(bytes) / static_cast<double>(times), times});
    };
    for (const auto &[channel, use] : channels)
      if (use.planned)
        add(exchange.messages, channel, use.bytes, use.messages);
    for (const RecurringPattern &recurring : patterns) {
      std::map<std::uint32_t, const RecurringPattern::Kind *> kinds;
      for (const RecurringPattern::Kind &kind : recurring.kinds)
        kinds[kind.kind] = &kind;
      AlternatingPattern &pattern = exchange.patterns.emplace_back();
      pattern.instances = recurring.executions;
      pattern.members = recurring.members;
      for (const auto &[channel, use] : channels)
        if (const auto kind = kinds.find(use.number); kind != kinds.end())
          add(pattern.messages, channel, kind->second->bytes, kind->second->executions);
    }
  }

private:
  PatternShare planUsual() {
    PatternShare share;
    for (auto &[channel, use] : channels) {
      use.planned = isPlanned(use.messages, instances);
      share.add({use.planned ? instances : 0, use.planned ? use.messages : 0, use.messages});
    }
    return share;
  }

  /// True if the instances alternate between patterns: then every message usual in some pattern is
  /// planned.
  bool planPatterns() {
    std::vector<RecurringPattern> found =
        findRecurringPatterns(executionMessages(), channels.size());
    std::vector<bool> planned(channels.size());
    PatternShare share;
    for (RecurringPattern &pattern : found) {
      std::erase_if(pattern.kinds, [&](const RecurringPattern::Kind &kind) {
        return !isPlanned(kind.executions, pattern.executions);
      });
      for (const RecurringPattern::Kind &kind : pattern.kinds) {
        planned[kind.kind] = true;
        share.add({pattern.executions, kind.executions, 0});
      }
    }
    share.all = messages.size();
    if (!share.isEnough())
      return false;
    for (auto &[channel, use] : channels)
      use.planned = planned[use.number];
    if (found.size() > 1 || unequal || found.front().executions < instances)
      patterns = std::move(found);
    return true;
  }

  std::vector<ExecutionMessage> executionMessages() const {
    std::vector<ExecutionMessage> all;
    all.reserve(messages.size());
    for (const LoopMessage &message : messages)
      all.push_back({message.instance, channels.at(message.channel).number, message.bytes});
    return all;
  }

  const std::vector<LoopMessage> &messages;
  const std::uint64_t instances;
  const bool unequal;
  std::map<MatchingChannel, ChannelUse> channels;
  std::vector<RecurringPattern> patterns; ///< empty if all instances are alike
};

} // namespace

std::optional<SharingRefusal> planMessages(const std::vector<LoopMessage> &messages,
                                           SharableExchange &exchange) {
  PatternShare usual, ignored;
  MessagePlan byTag(messages, exchange);
  if (byTag.plan(usual)) {
    byTag.fill(exchange, false);
    return {};
  }
  // All receives name source and tag, so nothing but the order of messages with equal tags
  // matters, and the runtime keeps that order.
  const std::vector<LoopMessage> placed = byPlaces(messages);
  MessagePlan byPlace(placed, exchange);
  if (!byPlace.plan(ignored))
    return lacksPattern(usual);
  byPlace.fill(exchange, true);
  return {};
}

} // namespace sendwright
