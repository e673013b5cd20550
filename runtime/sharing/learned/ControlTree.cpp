// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/ControlTree.h"

#include "analysis/file/FormatError.h"
#include "analysis/sharing/GatherTree.h"
#include "runtime/sharing/learned/Learning.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sendwright::adaptation {

namespace {

/// Members in the order of their places. Ranks of the world.
class Places {
public:
  Places(const std::vector<int> &members, int leader) : members(members), first(indexOf(leader)) {}
  std::size_t of(int rank) const {
    return (indexOf(rank) + members.size() - first) % members.size();
  }
  int rankAt(std::size_t place) const { return members[(first + place) % members.size()]; }

private:
  std::size_t indexOf(int rank) const {
    return static_cast<std::size_t>(std::ranges::find(members, rank) - members.begin());
  }
  const std::vector<int> &members;
  std::size_t first;
};

} // namespace

void ControlTree::gather(int leader, const ControlMessage &message) {
  if (leader == learning.rank)
    return learning.tell(leader, message);
  keep({message.key, message.attempt}, leader, {{learning.rank, encodeControl(message)}});
}

/// A rank that has not come to the exchange, or sees other turns, passes on at once.
void ControlTree::keep(const Key &key, int leader, std::vector<RelayedMessage> messages) {
  Gathered &of = gathered[key];
  of.leader = leader;
  of.told += messages.size();
  std::ranges::move(messages, std::back_inserter(of.messages));
  const Communicator *known = learning.communicator(key.first);
  const std::size_t all = known ? GatherTree(known->members.size())
                                      .nodesFrom(Places(known->members, leader).of(learning.rank))
                                : 0;
  if (of.isLate || of.told >= all || !learning.knows(key.first))
    passOn(key, of);
  if (of.told >= all)
    gathered.erase(key);
}

void ControlTree::passOn(const Key &key, Gathered &of) {
  int next = of.leader;
  if (const Communicator *known = learning.communicator(key.first)) {
    const Places places(known->members, of.leader);
    next = places.rankAt(GatherTree(known->members.size()).parentOf(places.of(learning.rank)));
  }
  ControlMessage message;
  message.kind = ControlMessage::Kind::Gathered;
  message.key = key.first;
  message.attempt = key.second;
  message.number = static_cast<std::uint64_t>(of.leader);
  message.part = encodeRelayed(of.messages);
  of.messages.clear();
  of.isLate = true;
  learning.tell(next, message);
}

void ControlTree::spread(const std::vector<ControlMessage> &messages) {
  std::vector<RelayedMessage> all;
  const auto ranks = static_cast<int>(messages.size());
  for (int place = 0; place < ranks; ++place) {
    const int rank = (learning.rank + place) % ranks;
    all.push_back({rank, encodeControl(messages[static_cast<std::size_t>(rank)])});
  }
  spreadBelow(learning.rank, all);
  learning.tell(learning.rank, all.front().bytes);
}

/// This rank's place in a tree of all ranks.
std::size_t ControlTree::placeFrom(int leader) const {
  return static_cast<std::size_t>((learning.rank - leader + learning.ranks) % learning.ranks);
}

/// The messages are those of this rank and of all below it, in the order of their places.
void ControlTree::spreadBelow(int leader, const std::vector<RelayedMessage> &messages) {
  const GatherTree tree(static_cast<std::size_t>(learning.ranks));
  const std::size_t place = placeFrom(leader);
  for (const std::size_t child : tree.childrenOf(place)) {
    const auto begin = messages.begin() + static_cast<std::ptrdiff_t>(child - place);
    ControlMessage below;
    below.kind = ControlMessage::Kind::Spread;
    below.number = static_cast<std::uint64_t>(leader);
    below.part = encodeRelayed({begin, begin + static_cast<std::ptrdiff_t>(tree.nodesFrom(child))});
    learning.tell(begin->rank, below);
  }
}

void ControlTree::hear(const ControlMessage &message) {
  std::vector<RelayedMessage> messages = decodeRelayed(message.part, learning.ranks);
  const auto leader = static_cast<int>(message.number % static_cast<std::uint64_t>(learning.ranks));
  if (message.kind == ControlMessage::Kind::Spread) {
    const std::size_t expected =
        GatherTree(static_cast<std::size_t>(learning.ranks)).nodesFrom(placeFrom(leader));
    if (messages.size() != expected)
      throw FormatError("messages of SENDWRIGHT_ADAPT for " + std::to_string(messages.size()) +
                        " ranks, expected " + std::to_string(expected));
    spreadBelow(leader, messages);
    return learning.hear(leader, messages.front().bytes);
  }
  if (leader != learning.rank)
    return keep({message.key, message.attempt}, leader, std::move(messages));
  for (const RelayedMessage &one : messages)
    learning.hear(one.rank, one.bytes);
}

void ControlTree::noteExecution(const ExchangeKey &key, bool isEarly) {
  const auto found = gathered.find({key, proposals});
  if (found == gathered.end() || ++found->second.executions < patience || isEarly)
    return;
  if (!found->second.messages.empty())
    passOn(found->first, found->second);
  if (found->second.executions > longestLate)
    gathered.erase(found);
}

void ControlTree::passOnAll(std::uint64_t loop, std::uint32_t communicator) {
  for (auto &[key, of] : gathered)
    if (key.second == proposals && key.first.loop == loop &&
        key.first.communicator == communicator && !of.messages.empty())
      passOn(key, of);
}

bool ControlTree::awaits(const ExchangeKey &key) const {
  const auto found = gathered.find({key, proposals});
  return found != gathered.end() && !found->second.isLate;
}

void ControlTree::drop(std::uint32_t communicator) {
  std::erase_if(gathered, [communicator](const auto &one) {
    return one.first.first.communicator == communicator;
  });
}

} // namespace sendwright::adaptation
