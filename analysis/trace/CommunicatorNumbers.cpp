// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/CommunicatorNumbers.h"

#include <map>
#include <tuple>

namespace sendwright {

namespace {

struct ByMeaning {
  bool operator()(const Communicator &one, const Communicator &other) const {
    const std::vector<int> &left = one.members, &right = other.members;
    const auto kind = std::tie(one.instance, one.intercommunicator),
               otherKind = std::tie(other.instance, other.intercommunicator);
    return kind != otherKind ? kind < otherKind : &left != &right && left < right;
  }
};

std::vector<const std::vector<Communicator> *> communicatorsOfRanks(const Profile &profile) {
  std::vector<const std::vector<Communicator> *> result;
  result.reserve(profile.ranks.size());
  for (const RankProfile &rank : profile.ranks)
    result.push_back(&rank.communicators);
  return result;
}

} // namespace

CommunicatorNumbers::CommunicatorNumbers(const Profile &profile,
                                         IntercommunicatorNumbers intercommunicators)
    : CommunicatorNumbers(communicatorsOfRanks(profile), intercommunicators) {}

CommunicatorNumbers::CommunicatorNumbers(
    const std::vector<const std::vector<Communicator> *> &ofRanks,
    IntercommunicatorNumbers intercommunicators) {
  const bool oneForAll = intercommunicators == IntercommunicatorNumbers::OneForAll;
  const Communicator anyIntercommunicator{{}, 0, true};
  std::map<Communicator, std::uint32_t, ByMeaning> known;
  for (const std::vector<Communicator> *rank : ofRanks) {
    std::vector<std::uint32_t> &ofRank = numbers.emplace_back();
    for (const Communicator &communicator : *rank) {
      const bool shared = oneForAll && communicator.intercommunicator;
      const auto [found, isNew] =
          known.try_emplace(shared ? anyIntercommunicator : communicator,
                            static_cast<std::uint32_t>(communicators.size()));
      if (isNew)
        communicators.push_back(communicator);
      ofRank.push_back(found->second);
    }
  }
}

} // namespace sendwright
