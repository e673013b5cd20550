// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/SenderSharing.h"

#include <algorithm>
#include <utility>

namespace sendwright {

namespace {

/// A destination that two ranks have in common, with the indices of their messages for it.
struct CommonDestination {
  std::uint32_t first, second;
};

class CommonDestinationSharing {
public:
  explicit CommonDestinationSharing(const ExchangePattern &pattern)
      : pattern(pattern), begins(pattern.ranks + 1), sendersTo(pattern.ranks),
        singleton(pattern.ranks, true), counters(pattern.ranks), common(pattern.ranks) {
    for (const PatternMessage &message : pattern.messages) {
      ++begins[message.source + 1];
      ++counters[message.source];
      senders.push_back(message.source);
      sendersTo[message.destination].push_back(message.source);
    }
    for (std::int32_t rank = 0; rank < pattern.ranks; ++rank)
      begins[rank + 1] += begins[rank];
  }

  SenderSharing run() {
    while (pattern.ranks > 1) {
      const auto most = static_cast<std::int32_t>(
          std::max_element(counters.begin(), counters.end()) - counters.begin());
      const std::int64_t before = counters[most];
      shareBetween(most, partnerFor(most));
      if (counters[most] == before)
        break;
    }
    SenderSharing result;
    result.counters = std::move(counters);
    for (std::size_t index = 0; index < senders.size(); ++index) {
      const PatternMessage &message = pattern.messages[index];
      if (senders[index] == message.source)
        result.paths.push_back({message.source, message.destination});
      else
        result.paths.push_back({message.source, senders[index], message.destination});
    }
    return result;
  }

private:
  /// The rank with most destinations in common with `most`, by the messages of the original
  /// pattern.
  std::int32_t partnerFor(std::int32_t most) {
    std::fill(common.begin(), common.end(), 0);
    for (std::uint32_t index = begins[most]; index < begins[most + 1]; ++index)
      for (std::int32_t sender : sendersTo[pattern.messages[index].destination])
        ++common[sender];
    common[most] = -1;
    return static_cast<std::int32_t>(std::max_element(common.begin(), common.end()) -
                                     common.begin());
  }

  std::vector<CommonDestination> commonDestinations(std::int32_t first, std::int32_t second) const {
    std::vector<CommonDestination> result;
    std::uint32_t i = begins[first], j = begins[second];
    while (i < begins[first + 1] && j < begins[second + 1]) {
      const std::int32_t a = destinationOf(i), b = destinationOf(j);
      if (a == b)
        result.push_back({i, j});
      i += a <= b ? 1 : 0;
      j += b <= a ? 1 : 0;
    }
    return result;
  }

  /// All four cases: a partner that is not a singleton already shares messages with others; the
  /// other partner first gives what it can to those ranks.
  void shareBetween(std::int32_t most, std::int32_t partner) {
    const bool bothSingletons = singleton[most] && singleton[partner];
    std::vector<CommonDestination> destinations = commonDestinations(most, partner);
    if (!singleton[partner])
      for (const CommonDestination &destination : destinations)
        joinGroup(most, destination.first, partner, destination.second);
    if (!singleton[most])
      for (const CommonDestination &destination : destinations)
        joinGroup(partner, destination.second, most, destination.first);
    std::erase_if(destinations, [&](const CommonDestination &destination) {
      return senders[destination.first] != most || senders[destination.second] != partner;
    });
    divide(destinations, most, partner, !bothSingletons);
    singleton[most] = singleton[partner] = false;
  }

  /// `giver` still sends its message itself, while the message of `other` goes by a third rank: the
  /// giver's may go there, too.
  void joinGroup(std::int32_t giver, std::uint32_t given, std::int32_t other,
                 std::uint32_t followed) {
    const std::int32_t third = senders[followed];
    if (third == other || third == giver || senders[given] != giver ||
        third == destinationOf(given) || isPartner(giver, destinationOf(given)))
      return;
    give(giver, given, third);
  }

  /// Algorithm 2: `partner` sends both messages for the first alpha destinations, `most` for the
  /// others.
  void divide(const std::vector<CommonDestination> &destinations, std::int32_t most,
              std::int32_t partner, bool avoidPartners) {
    const auto size = static_cast<std::int64_t>(destinations.size());
    const std::int64_t alpha = counters[partner] + size <= counters[most]
                                   ? size
                                   : (size + counters[most] - counters[partner]) / 2;
    std::int64_t shared = 0;
    for (const CommonDestination &destination : destinations) {
      const bool fromMost = shared < alpha;
      const std::int32_t giver = fromMost ? most : partner;
      const std::uint32_t given = fromMost ? destination.first : destination.second;
      if (avoidPartners && isPartner(giver, destinationOf(given)))
        continue;
      give(giver, given, fromMost ? partner : most);
      ++shared;
    }
  }

  /// Algorithm 3: whether `rank` has given something to `other`, and so must send to it anyway.
  bool isPartner(std::int32_t rank, std::int32_t other) const {
    return std::find(senders.begin() + begins[rank], senders.begin() + begins[rank + 1], other) !=
           senders.begin() + begins[rank + 1];
  }

  void give(std::int32_t giver, std::uint32_t message, std::int32_t taker) {
    senders[message] = taker;
    --counters[giver];
  }

  std::int32_t destinationOf(std::uint32_t message) const {
    return pattern.messages[message].destination;
  }

  const ExchangePattern &pattern;
  std::vector<std::uint32_t> begins; ///< index of each rank's first message
  std::vector<std::vector<std::int32_t>> sendersTo;
  std::vector<std::int32_t> senders; ///< by message: the rank that sends it to its destination
  std::vector<bool> singleton;
  std::vector<std::int64_t> counters;
  std::vector<std::int32_t> common;
};

} // namespace

SenderSharing shareCommonDestinations(const ExchangePattern &pattern) {
  return CommonDestinationSharing(pattern).run();
}

} // namespace sendwright
