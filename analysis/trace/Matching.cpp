// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three passes. One walk over each rank's run lists its sends and its receives, with the sources
// that receives took. Both lists are then bucketed by (receiver, sender) with counting sorts.
// Within a bucket both lists are in program order, and each receive takes the first remaining send
// on its communicator whose tag it accepts. Between two ranks neither side can overtake, so this is
// what MPI did.

#include "analysis/trace/Matching.h"

#include "analysis/trace/RunSize.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace sendwright {

namespace {

constexpr std::uint32_t unknown = UINT32_MAX;

/// What distinguishes a message, besides sender and receiver.
struct Envelope {
  std::uint32_t communicator = 0; // the same number on all ranks
  int tag = 0;
};

struct Receive {
  EventPosition posted;
  std::uint32_t completion = noPosition;
  std::uint32_t source = unknown;
  Envelope envelope;
  bool cancelled = false;
};

/// What a request number of one rank currently stands for.
struct UnmatchedRequest {
  enum Kind : std::uint8_t { None, Send, Receive } kind = None;
  std::uint32_t index = 0; // of the message, or of the receive
};

/// Numbers are small in recorded runs, but text traces may use any number.
class UnmatchedRequests {
public:
  UnmatchedRequest &operator[](int number) {
    const auto index = static_cast<std::size_t>(number);
    if (index >= most)
      return others[number];
    if (index >= few.size())
      few.resize(index + 1);
    return few[index];
  }

private:
  static constexpr std::size_t most = 1 << 16;
  std::vector<UnmatchedRequest> few;
  std::unordered_map<int, UnmatchedRequest> others;
};

class Matcher {
public:
  explicit Matcher(const Profile &profile) : profile(profile) {}

  Matching run(const MatchingLimits &limits) {
    result.communicators = CommunicatorNumbers(profile);
    expand(limits);
    for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank)
      collect(rank);
    result.sendsBegin.push_back(static_cast<std::uint32_t>(result.messages.size()));
    match();
    finish();
    return std::move(result);
  }

private:
  // Expansion.

  void expand(const MatchingLimits &limits) {
    result.share = shareOfRank(profile, limits.events);
    for (const RankProfile &rank : profile.ranks) {
      std::uint64_t left = result.share;
      if (!limits.shares.empty())
        left = limits.shares[result.events.size()];
      const std::uint64_t length = rank.sequence.length();
      std::vector<std::uint32_t> &events = result.events.emplace_back();
      events.reserve(std::min(length, left));
      rank.sequence.forEach([&](std::uint32_t event) {
        const std::uint64_t cost = costOf(rank.events[event]);
        if (cost > left)
          return false;
        left -= cost;
        events.push_back(event);
        return true;
      });
      result.complete &= !rank.truncated && events.size() == length;
    }
  }

  // One rank's sends and receives.

  void collect(std::uint32_t rank) {
    result.sendsBegin.push_back(static_cast<std::uint32_t>(result.messages.size()));
    const RankProfile &run = profile.ranks[rank];
    UnmatchedRequests open;
    const std::vector<std::uint32_t> &events = result.events[rank];
    for (std::uint32_t position = 0; position < events.size(); ++position) {
      const Event &event = run.events[events[position]];
      if (event.kind != EventKind::Call)
        continue;
      const Envelope envelope{result.communicators.of(rank, event.communicator), 0};
      if (sendsMessage(event))
        addSend(event, {rank, position}, envelope, open);
      if (receivesMessage(event))
        addReceive(event, {rank, position}, envelope, open);
      endRequests(event, position, open);
    }
  }

  void addSend(const Event &event, EventPosition at, Envelope envelope, UnmatchedRequests &open) {
    envelope.tag = event.tag;
    const auto index = static_cast<std::uint32_t>(result.messages.size());
    MatchedMessage &message = result.messages.emplace_back();
    message.send = at;
    message.receive.rank = static_cast<std::uint32_t>(event.peer);
    sendEnvelopes.push_back(envelope);
    if (mpiFunction(event.function).request < 0)
      message.sendCompletion = at.position;
    else
      for (int request : event.requests)
        open[request] = {UnmatchedRequest::Send, index};
  }

  void addReceive(const Event &event, EventPosition at, Envelope envelope,
                  UnmatchedRequests &open) {
    const bool both = mpiFunction(event.function).role == MpiRole::SendReceive;
    const int source = both ? event.receivePeer : event.peer;
    envelope.tag = both ? event.receiveTag : event.tag;
    const auto index = static_cast<std::uint32_t>(receives.size());
    Receive &receive = receives.emplace_back();
    receive.posted = at;
    receive.envelope = envelope;
    if (source >= 0)
      receive.source = static_cast<std::uint32_t>(source);
    for (const WildcardMatch &match : event.matches)
      if (match.request < 0)
        settle(receive, match);
    if (mpiFunction(event.function).request < 0)
      receive.completion = at.position;
    else
      for (int request : event.requests)
        open[request] = {UnmatchedRequest::Receive, index};
  }

  /// A wildcard receive learns what it took.
  static void settle(Receive &receive, const WildcardMatch &match) {
    if (receive.source == unknown && match.source >= 0)
      receive.source = static_cast<std::uint32_t>(match.source);
    if (receive.envelope.tag == anyTag)
      receive.envelope.tag = match.tag;
  }

  void endRequests(const Event &event, std::uint32_t position, UnmatchedRequests &open) {
    const MpiRole role = mpiFunction(event.function).role;
    if (!endsRequests(role))
      return;
    for (const WildcardMatch &match : event.matches)
      if (match.request >= 0 && open[match.request].kind == UnmatchedRequest::Receive)
        settle(receives[open[match.request].index], match);
    for (int number : event.requests) {
      UnmatchedRequest &request = open[number];
      if (role == MpiRole::Cancel) {
        if (request.kind == UnmatchedRequest::Receive)
          receives[request.index].cancelled = true;
        continue;
      }
      if (role == MpiRole::Completion && request.kind == UnmatchedRequest::Send)
        result.messages[request.index].sendCompletion = position;
      if (role == MpiRole::Completion && request.kind == UnmatchedRequest::Receive)
        receives[request.index].completion = position;
      request.kind = UnmatchedRequest::None;
    }
  }

  // Buckets.

  /// Indices 0 .. count in ascending order of rankOf(index), stable; `begin` gets the start of each
  /// rank. Indices without an existing rank are left out.
  template <typename RankOf>
  std::vector<std::uint32_t> bucket(const std::vector<std::uint32_t> &indices, RankOf rankOf,
                                    std::vector<std::uint32_t> &begin) const {
    const std::size_t ranks = profile.ranks.size();
    begin.assign(ranks + 1, 0);
    for (std::uint32_t index : indices)
      if (rankOf(index) < ranks)
        ++begin[rankOf(index) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> sorted(begin.back()), next(begin.begin(), begin.end() - 1);
    for (std::uint32_t index : indices)
      if (rankOf(index) < ranks)
        sorted[next[rankOf(index)]++] = index;
    return sorted;
  }

  void match() {
    std::vector<std::uint32_t> all(result.messages.size()), sendBegin, receiveBegin, unused;
    std::iota(all.begin(), all.end(), 0);
    // Messages are already ordered by sender: one stable sort by receiver suffices.
    const std::vector<std::uint32_t> sends =
        bucket(all, [&](std::uint32_t i) { return result.messages[i].receive.rank; }, sendBegin);
    all.resize(receives.size());
    std::iota(all.begin(), all.end(), 0);
    all = bucket(all, [&](std::uint32_t i) { return sourceOf(receives[i]); }, unused);
    const std::vector<std::uint32_t> wanted =
        bucket(all, [&](std::uint32_t i) { return receives[i].posted.rank; }, receiveBegin);
    for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank) {
      std::uint32_t send = sendBegin[rank], receive = receiveBegin[rank];
      while (receive < receiveBegin[rank + 1]) {
        const std::uint32_t source = receives[wanted[receive]].source;
        const std::uint32_t firstReceive = receive;
        while (receive < receiveBegin[rank + 1] && receives[wanted[receive]].source == source)
          ++receive;
        while (send < sendBegin[rank + 1] && result.messages[sends[send]].send.rank < source)
          ++send;
        const std::uint32_t firstSend = send;
        while (send < sendBegin[rank + 1] && result.messages[sends[send]].send.rank == source)
          ++send;
        matchPair(sends.data() + firstSend, send - firstSend, wanted.data() + firstReceive,
                  receive - firstReceive);
      }
    }
  }

  static std::uint32_t sourceOf(const Receive &receive) {
    return receive.cancelled ? unknown : receive.source;
  }

  /// Matches the sends of one rank to another with the other's receives from it, both in order.
  void matchPair(const std::uint32_t *sends, std::size_t sendCount, const std::uint32_t *wanted,
                 std::size_t wantedCount) {
    // Chains of sends: with the same communicator and tag, and with the same communicator.
    struct Chain {
      std::uint32_t first = unknown, last = unknown;
    };
    std::unordered_map<std::uint64_t, Chain> ofTag, ofCommunicator;
    nextOfTag.assign(sendCount, unknown);
    nextOfCommunicator.assign(sendCount, unknown);
    auto append = [](Chain &chain, std::vector<std::uint32_t> &next, std::uint32_t i) {
      (chain.first == unknown ? chain.first : next[chain.last]) = i;
      chain.last = i;
    };
    auto tagKey = [](const Envelope &envelope) {
      return std::uint64_t{envelope.communicator} << 32 | static_cast<std::uint32_t>(envelope.tag);
    };
    for (std::uint32_t i = 0; i < sendCount; ++i) {
      const Envelope &envelope = sendEnvelopes[sends[i]];
      append(ofTag[tagKey(envelope)], nextOfTag, i);
      append(ofCommunicator[envelope.communicator], nextOfCommunicator, i);
    }
    for (std::size_t i = 0; i < wantedCount; ++i) {
      Receive &receive = receives[wanted[i]];
      const bool any = receive.envelope.tag == anyTag;
      Chain &chain =
          any ? ofCommunicator[receive.envelope.communicator] : ofTag[tagKey(receive.envelope)];
      // Skips, once, what the other kind of chain gave to a receive.
      while (chain.first != unknown &&
             result.messages[sends[chain.first]].receive.position != noPosition)
        chain.first = (any ? nextOfCommunicator : nextOfTag)[chain.first];
      if (chain.first == unknown)
        continue;
      MatchedMessage &message = result.messages[sends[chain.first]];
      message.receive = receive.posted;
      message.completion = receive.completion;
      receive.source = matched;
    }
  }

  /// Counts what is left over, and appends the receives without a send.
  void finish() {
    for (const MatchedMessage &message : result.messages)
      result.unmatchedSends += message.receive.position == noPosition;
    for (const Receive &receive : receives) {
      if (receive.source == matched || receive.cancelled)
        continue;
      MatchedMessage &message = result.messages.emplace_back();
      message.send.rank = receive.source;
      message.receive = receive.posted;
      message.completion = receive.completion;
      ++result.unmatchedReceives;
    }
    result.complete &= result.unmatchedSends == 0 && result.unmatchedReceives == 0;
  }

  static constexpr std::uint32_t matched = UINT32_MAX - 1; // in Receive::source once it is matched

  const Profile &profile;
  Matching result;
  std::vector<Envelope> sendEnvelopes;                      // one per message
  std::vector<Receive> receives;                            // by rank, in the order of posting
  std::vector<std::uint32_t> nextOfTag, nextOfCommunicator; // for matchPair
};

} // namespace

bool sendsMessage(const Event &event) {
  if (event.kind != EventKind::Call || event.peer < 0)
    return false;
  const MpiRole role = mpiFunction(event.function).role;
  return isSend(role) || role == MpiRole::SendReceive;
}

bool receivesMessage(const Event &event) {
  if (event.kind != EventKind::Call)
    return false;
  const MpiRole role = mpiFunction(event.function).role;
  const int source = role == MpiRole::SendReceive ? event.receivePeer : event.peer;
  return (isReceive(role) || role == MpiRole::SendReceive) && (source >= 0 || source == anySource);
}

std::uint64_t shareOfRank(const Profile &profile, std::uint64_t limit) {
  const bool fits = runCost(profile) <= std::min<std::uint64_t>(limit, noPosition - 1);
  return fits ? wholeRun : limit / profile.ranks.size();
}

Matching matchMessages(const Profile &profile, const MatchingLimits &limits) {
  return Matcher(profile).run(limits);
}

const MatchedMessage *Matching::sentAt(std::uint32_t rank, std::uint32_t position) const {
  if (rank + 1 >= sendsBegin.size())
    return nullptr;
  auto begin = messages.begin() + sendsBegin[rank], end = messages.begin() + sendsBegin[rank + 1];
  auto found = std::lower_bound(begin, end, position,
                                [](const MatchedMessage &message, std::uint32_t wanted) {
                                  return message.send.position < wanted;
                                });
  return found == end || found->send.position != position ? nullptr : &*found;
}

} // namespace sendwright
