// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's own part is checked first: the rank passes on what came in an earlier stage, once, and
// sends its own messages once. Then the two ends of each combined message are compared. This
// suffices: a message that a rank gives away arrives where its next rank says; stages only ascend,
// so its way ends, and it can end only at its destination. For the same reason combined messages
// cannot wait for one another in a circle.
//
// Whoever has all parts compares the ends one by one, to name the first that differs. Ranks that
// have one part each compare them by a sum (JointSum.h).

#include "analysis/sharing/SharingContradictions.h"

#include "analysis/file/Bytes.h"
#include "analysis/transformation/RankCountPlan.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sendwright {

namespace {

/// Most stages of all exchanges together. Each stage takes one of MPI's tags, and every MPI has
/// this many.
constexpr std::uint64_t mostStagesOfAll = 16000;

/// One end of a combined message.
struct TransferEnd {
  std::uint32_t stage = 0;
  int from = 0, to = 0;
  const RankExchange *part = nullptr;
  const Transfer *transfer = nullptr;
  auto key() const { return std::tuple(stage, from, to); }
};

std::string messageName(const SharedMessage &message) {
  return "the message from rank " + std::to_string(message.source) + " to rank " +
         std::to_string(message.destination);
}

/// A rank that sends messages of its own in an exchange.
struct LoopSender {
  std::uint32_t site = 0;
  int rank = 0;
  std::uint32_t exchange = 0;
  auto ends() const { return std::pair(site, rank); }
};

/// The part of the exchange in a rank's list, or null.
const RankExchange *partIn(const std::vector<RankExchange> &list, std::uint32_t number) {
  const auto part = std::ranges::lower_bound(list, number, {}, &RankExchange::exchange);
  return part != list.end() && part->exchange == number ? &*part : nullptr;
}

std::uint64_t ownMessages(int rank, const RankExchange &part) {
  return static_cast<std::uint64_t>(
      std::ranges::count(part.messages, rank, &SharedMessage::source));
}

/// What a rank's part of one exchange shows by itself.
class SinglePart {
public:
  SinglePart(const SharedExchange &exchange, int rankCount)
      : exchange(exchange), rankCount(rankCount) {}

  bool checkHead();
  /// Checks the part, and adds its ends of combined messages. `part` must outlive them.
  bool check(int rank, const RankExchange &part);

  std::vector<TransferEnd> sends, receives;
  std::optional<std::string> problem;

private:
  bool fail(const std::string &text) {
    if (!problem)
      problem = text;
    return false;
  }
  bool checkMessages(int rank, const RankExchange &part);
  bool checkWays(int rank, const RankExchange &part);

  const SharedExchange &exchange;
  const int rankCount;
  std::vector<bool> isMember; ///< by rank
};

bool SinglePart::checkHead() {
  isMember.resize(static_cast<std::size_t>(rankCount));
  for (const int member : exchange.communicator.members) {
    if (member < 0 || member >= rankCount || isMember[static_cast<std::size_t>(member)])
      return fail("its communicator has a rank twice, or a rank that does not exist");
    isMember[static_cast<std::size_t>(member)] = true;
  }
  int previous = -1;
  for (const std::int32_t rank : exchange.anySource) {
    if (rank <= previous || rank >= rankCount || !isMember[static_cast<std::size_t>(rank)])
      return fail("rank " + std::to_string(rank) +
                  " receives from any source: expected members of its communicator, ascending");
    previous = rank;
  }
  return true;
}

bool SinglePart::checkMessages(int rank, const RankExchange &part) {
  for (std::size_t index = 0; index < part.messages.size(); ++index) {
    const SharedMessage &message = part.messages[index];
    const auto ends = std::pair(message.source, message.destination);
    if (index > 0) {
      const SharedMessage &before = part.messages[index - 1];
      if (ends <= std::pair(before.source, before.destination))
        return fail("rank " + std::to_string(rank) + " has " + messageName(message) +
                    " twice, or out of order");
    }
    for (const int end : {message.source, message.destination})
      if (end < 0 || end >= rankCount || !isMember[static_cast<std::size_t>(end)])
        return fail("rank " + std::to_string(rank) + " has " + messageName(message) +
                    ", but one of these ranks is not a member of its communicator");
    const bool isEnd = message.source == rank || message.destination == rank;
    if (message.source == message.destination || isEnd == message.tags.empty())
      return fail("rank " + std::to_string(rank) + " has " + messageName(message) +
                  " with ends or tags that no message has");
  }
  return true;
}

bool SinglePart::checkWays(int rank, const RankExchange &part) {
  enum : unsigned char { here = 1, came = 2, left = 4 };
  std::vector<unsigned char> state(part.messages.size(), 0);
  for (std::size_t index = 0; index < state.size(); ++index)
    if (part.messages[index].source == rank)
      state[index] = here;
  const auto name = [&](std::uint32_t message) {
    return messageName(part.messages[message]) + " at rank " + std::to_string(rank);
  };
  for (std::uint32_t stage = 0; stage < part.stages.size(); ++stage)
    for (const bool isSend : {true, false})
      for (const Transfer &transfer :
           isSend ? part.stages[stage].sends : part.stages[stage].receives) {
        const int from = isSend ? rank : transfer.peer, to = isSend ? transfer.peer : rank;
        (isSend ? sends : receives).push_back({stage, from, to, &part, &transfer});
        if (transfer.peer < 0 || transfer.peer >= rankCount || transfer.peer == rank ||
            transfer.messages.empty())
          return fail("rank " + std::to_string(rank) + " has an empty combined message in stage " +
                      std::to_string(stage) + ", or one with no other rank");
        for (const std::uint32_t message : transfer.messages) {
          if (message >= state.size())
            return fail("rank " + std::to_string(rank) + " has no message " +
                        std::to_string(message));
          if (isSend && (!(state[message] & here) || part.messages[message].destination == rank))
            return fail(name(message) +
                        " leaves a rank that it has not reached, or at which it ends");
          if (!isSend && state[message] != 0)
            return fail(name(message) + " comes twice");
          state[message] = isSend ? left : here | came;
        }
      }
  for (std::uint32_t message = 0; message < state.size(); ++message)
    if (part.messages[message].destination == rank ? !(state[message] & came)
                                                   : state[message] != left)
      return fail(name(message) + " neither ends nor leaves");
  return true;
}

bool SinglePart::check(int rank, const RankExchange &part) {
  if (part.stages.size() != exchange.stages)
    return fail("rank " + std::to_string(rank) + " has " + std::to_string(part.stages.size()) +
                " of " + std::to_string(exchange.stages) + " stages");
  return checkMessages(rank, part) && checkWays(rank, part);
}

/// The parts of one exchange.
class ExchangeParts {
public:
  ExchangeParts(const SharedExchanges &plan, std::uint32_t number, int rankCount)
      : exchange(plan.exchanges[number]), rankCount(rankCount), singly(exchange, rankCount) {
    for (const std::vector<RankExchange> &own : plan.rankExchanges)
      parts.push_back(partIn(own, number));
  }

  std::optional<std::string> contradiction() {
    if (singly.checkHead() && checkParts())
      checkEnds();
    return singly.problem ? singly.problem : problem;
  }
  /// Whether the rank sends messages of its own in the exchange.
  bool hasOwn(int rank) const {
    const RankExchange *part = parts[static_cast<std::size_t>(rank)];
    return part && ownMessages(rank, *part) > 0;
  }

private:
  bool fail(const std::string &text) {
    if (!problem)
      problem = text;
    return false;
  }
  bool checkParts();
  bool checkEnds();
  bool compareContents(const TransferEnd &send, const TransferEnd &receive);
  const SharedMessage *find(int rank, const SharedMessage &message) const;
  bool compareTags();

  const SharedExchange &exchange;
  const int rankCount;
  std::vector<const RankExchange *> parts; ///< by rank; null: the rank has no part
  SinglePart singly;
  std::optional<std::string> problem;
};

bool ExchangeParts::checkParts() {
  std::uint64_t messages = 0;
  for (int rank = 0; rank < rankCount; ++rank)
    if (const RankExchange *part = parts[static_cast<std::size_t>(rank)]) {
      if (!singly.check(rank, *part))
        return false;
      messages += ownMessages(rank, *part);
    }
  if (messages != exchange.messages)
    return fail("its ranks send " + std::to_string(messages) + " messages, expected " +
                std::to_string(exchange.messages));
  return true;
}

bool ExchangeParts::compareContents(const TransferEnd &send, const TransferEnd &receive) {
  const std::vector<std::uint32_t> &sent = send.transfer->messages,
                                   &received = receive.transfer->messages;
  const std::string ends = "the combined message of stage " + std::to_string(send.stage) +
                           " from rank " + std::to_string(send.from) + " to rank " +
                           std::to_string(send.to);
  if (sent.size() != received.size())
    return fail(ends + " has " + std::to_string(sent.size()) + " messages, and " +
                std::to_string(received.size()) + " where it arrives");
  for (std::size_t place = 0; place < sent.size(); ++place) {
    const SharedMessage &one = send.part->messages[sent[place]];
    const SharedMessage &other = receive.part->messages[received[place]];
    if (one.source != other.source || one.destination != other.destination)
      return fail(ends + " has " + messageName(one) + " where it arrives as " + messageName(other));
  }
  return true;
}

/// The message as another rank has it, or null.
const SharedMessage *ExchangeParts::find(int rank, const SharedMessage &message) const {
  const RankExchange *part = parts[static_cast<std::size_t>(rank)];
  if (!part)
    return nullptr;
  const auto ends = [](const SharedMessage &one) { return std::pair(one.source, one.destination); };
  const auto found = std::lower_bound(
      part->messages.begin(), part->messages.end(), message,
      [&](const SharedMessage &one, const SharedMessage &two) { return ends(one) < ends(two); });
  return found != part->messages.end() && ends(*found) == ends(message) ? &*found : nullptr;
}

bool ExchangeParts::compareTags() {
  for (int rank = 0; rank < rankCount; ++rank) {
    const RankExchange *part = parts[static_cast<std::size_t>(rank)];
    if (!part)
      continue;
    for (const SharedMessage &message : part->messages) {
      if (message.source != rank)
        continue;
      const SharedMessage *there = find(message.destination, message);
      if (!there)
        return fail(messageName(message) + " is not known where it ends");
      if (there->tags != message.tags)
        return fail(messageName(message) + " has other tags at its end than at its beginning");
    }
  }
  return true;
}

bool ExchangeParts::checkEnds() {
  std::vector<TransferEnd> &sends = singly.sends, &receives = singly.receives;
  const auto before = [](const TransferEnd &one, const TransferEnd &two) {
    return one.key() < two.key();
  };
  std::sort(sends.begin(), sends.end(), before);
  std::sort(receives.begin(), receives.end(), before);
  for (std::size_t index = 0; index < std::max(sends.size(), receives.size()); ++index) {
    const TransferEnd *send = index < sends.size() ? &sends[index] : nullptr;
    const TransferEnd *receive = index < receives.size() ? &receives[index] : nullptr;
    if (send && receive && send->key() == receive->key()) {
      if (!compareContents(*send, *receive))
        return false;
      continue;
    }
    if (send && (!receive || send->key() < receive->key()))
      return fail("rank " + std::to_string(send->from) + " sends a combined message to rank " +
                  std::to_string(send->to) + " in stage " + std::to_string(send->stage) +
                  ", which does not receive it");
    return fail("rank " + std::to_string(receive->to) + " receives a combined message from rank " +
                std::to_string(receive->from) + " in stage " + std::to_string(receive->stage) +
                ", which does not send it");
  }
  return compareTags();
}

/// A rank that sends in an exchange of the loop has turns of the exchange, and turns name nothing
/// else.
std::optional<std::string> contradictionInTurns(const SharedExchanges &plan, const LoopTurns &loop,
                                                const std::vector<LoopSender> &senders,
                                                std::size_t rankCount) {
  if (loop.ofRanks.size() != rankCount)
    return "turns of " + std::to_string(loop.ofRanks.size()) + " ranks";
  for (const ExchangeTurns &turns : loop.kinds) {
    if (turns.cycle.empty())
      return "turns that do not continue";
    for (const std::vector<std::uint32_t> *list : {&turns.first, &turns.cycle})
      for (const std::uint32_t exchange : *list)
        if (exchange != ExchangeTurns::nothing &&
            (exchange >= plan.exchanges.size() || plan.exchanges[exchange].site != loop.site))
          return "a turn of exchange " + std::to_string(exchange) + ", which belongs elsewhere";
  }
  for (const LoopSender &sender : senders) {
    const ExchangeTurns *turns = loop.of(static_cast<std::size_t>(sender.rank));
    if (sender.site == loop.site && (!turns || !turns->hold(sender.exchange)))
      return "rank " + std::to_string(sender.rank) + " sends in exchange " +
             std::to_string(sender.exchange) + ", but has no turn of it";
  }
  return {};
}

std::optional<std::string>
contradictionInSenders(const SharedExchanges &plan, int rankCount, std::vector<LoopSender> senders,
                       const std::function<std::string(std::uint32_t)> &nameOf) {
  for (const LoopTurns &loop : plan.turns)
    if (const std::optional<std::string> problem =
            contradictionInTurns(plan, loop, senders, static_cast<std::size_t>(rankCount)))
      return "turns at " + nameOf(loop.site) + ": " + *problem;
  std::erase_if(senders, [&](const LoopSender &sender) {
    return std::ranges::find(plan.turns, sender.site, &LoopTurns::site) != plan.turns.end();
  });
  std::ranges::sort(senders, {}, &LoopSender::ends);
  const auto twice = std::ranges::adjacent_find(senders, {}, &LoopSender::ends);
  if (twice != senders.end())
    return "rank " + std::to_string(twice->rank) + " sends in two exchanges of the loop at " +
           nameOf(twice->site);
  return {};
}

/// What both ends of a combined message know.
ByteWriter describe(std::uint32_t number, const TransferEnd &end) {
  ByteWriter out;
  out.text("combined message");
  out.number(number);
  out.number(end.stage);
  out.signedNumber(end.from);
  out.signedNumber(end.to);
  for (const std::uint32_t index : end.transfer->messages) {
    out.signedNumber(end.part->messages[index].source);
    out.signedNumber(end.part->messages[index].destination);
  }
  return out;
}

/// What both ends of a message of the program know.
ByteWriter describe(std::uint32_t number, const SharedMessage &message) {
  ByteWriter out;
  out.text("message");
  out.number(number);
  out.signedNumber(message.source);
  out.signedNumber(message.destination);
  for (const std::int32_t tag : message.tags)
    out.signedNumber(tag);
  return out;
}

/// Stands for one message of the exchange, whichever it is.
ByteWriter describeCount(std::uint32_t number) {
  ByteWriter out;
  out.text("messages");
  out.number(number);
  return out;
}

/// False if the part contradicts itself.
bool addPart(const SharedExchange &exchange, std::uint32_t number, int rankCount, int rank,
             const RankExchange *part, JointSum &sum) {
  SinglePart single(exchange, rankCount);
  if (!single.checkHead() || (part && !single.check(rank, *part)))
    return false;
  if (rank == 0)
    sum.subtract(describeCount(number), exchange.messages);
  if (!part)
    return true;
  sum.add(describeCount(number), ownMessages(rank, *part));
  for (const TransferEnd &send : single.sends)
    sum.add(describe(number, send));
  for (const TransferEnd &receive : single.receives)
    sum.subtract(describe(number, receive));
  for (const SharedMessage &message : part->messages)
    if (message.source == rank)
      sum.add(describe(number, message));
    else if (message.destination == rank)
      sum.subtract(describe(number, message));
  return true;
}

std::uint64_t stagesOf(const SharedExchanges &plan) {
  std::uint64_t stages = 0;
  for (const SharedExchange &exchange : plan.exchanges)
    stages += exchange.stages;
  return stages;
}

} // namespace

std::optional<std::string>
contradictionInExchanges(const SharedExchanges &plan, int rankCount,
                         const std::function<std::string(std::uint32_t)> &nameOf) {
  if (plan.exchanges.empty())
    return {};
  if (plan.rankExchanges.size() != static_cast<std::size_t>(rankCount))
    return "ranks without a part of the exchanges";
  std::vector<LoopSender> senders;
  for (std::uint32_t number = 0; number < plan.exchanges.size(); ++number) {
    ExchangeParts parts(plan, number, rankCount);
    if (const std::optional<std::string> problem = parts.contradiction())
      return "exchange " + std::to_string(number) + " at " + nameOf(plan.exchanges[number].site) +
             ": " + *problem;
    for (int rank = 0; rank < rankCount; ++rank)
      if (parts.hasOwn(rank))
        senders.push_back({plan.exchanges[number].site, rank, number});
  }
  if (stagesOf(plan) > mostStagesOfAll)
    return "its exchanges have more than " + std::to_string(mostStagesOfAll) + " stages together";
  return contradictionInSenders(plan, rankCount, std::move(senders), nameOf);
}

void addExchangesToSum(const SharedExchanges &own, int rankCount, int rank, JointSum &sum) {
  const std::vector<RankExchange> &parts = ownEntry(own.rankExchanges);
  std::vector<LoopSender> senders;
  for (std::uint32_t number = 0; number < own.exchanges.size(); ++number) {
    const RankExchange *part = partIn(parts, number);
    if (!addPart(own.exchanges[number], number, rankCount, rank, part, sum))
      return sum.spoil();
    if (part && ownMessages(rank, *part) > 0)
      senders.push_back({own.exchanges[number].site, rank, number});
  }
  const auto nameOf = [](std::uint32_t) { return std::string(); };
  if (stagesOf(own) > mostStagesOfAll ||
      contradictionInSenders(own, rankCount, std::move(senders), nameOf))
    sum.spoil();
}

} // namespace sendwright
