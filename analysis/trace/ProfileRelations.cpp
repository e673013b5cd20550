// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/ProfileRelations.h"

#include "analysis/file/FormatError.h"

#include <algorithm>
#include <unordered_map>

namespace sendwright {

namespace {

/// What is to be known of a list of members. Ranks share lists, so each list is looked through
/// once.
struct MembersFacts {
  std::vector<int> sorted; ///< in ascending order, for look-ups; empty if the list is
  bool isWorld = true;     ///< member r is rank r
  bool hasTwice = false;   ///< a rank
};

class KnownMembers {
public:
  const MembersFacts &of(const RankList &members) {
    const auto [found, isNew] = known.try_emplace(&members.vector());
    if (isNew) {
      MembersFacts &facts = found->second;
      facts.sorted = members.vector();
      for (std::size_t member = 0; facts.isWorld && member < members.size(); ++member)
        facts.isWorld = members[member] == static_cast<int>(member);
      std::sort(facts.sorted.begin(), facts.sorted.end());
      facts.hasTwice =
          std::adjacent_find(facts.sorted.begin(), facts.sorted.end()) != facts.sorted.end();
    }
    return found->second;
  }

private:
  std::unordered_map<const std::vector<int> *, MembersFacts> known; // by the shared list
};

bool has(const std::vector<int> &members, int rank) {
  const auto place = static_cast<std::size_t>(rank);
  return (place < members.size() && members[place] == rank) || // communicators of all ranks
         std::binary_search(members.begin(), members.end(), rank);
}

class RankChecker {
public:
  RankChecker(const Profile &profile, std::size_t rank, const std::string &name,
              KnownMembers &lists)
      : profile(profile), own(profile.ranks[rank]), rank(rank), name(name) {
    for (const Communicator &communicator : own.communicators)
      known.push_back(&lists.of(communicator.members));
  }

  void run() {
    checkWorld();
    for (std::size_t index = 1; index < own.communicators.size(); ++index)
      checkCommunicator(index);
    for (number = 0; number < own.events.size(); ++number)
      checkEvent(own.events[number]);
    checkStatistics();
  }

private:
  [[noreturn]] void fail(const std::string &problem) const {
    throw FormatError(name + ": rank " + std::to_string(rank) + ": " + problem);
  }
  [[noreturn]] void failEvent(const std::string &problem) const {
    fail("event " + std::to_string(number) + ": " + problem);
  }

  void checkWorld() const {
    if (own.communicators.empty())
      fail("no communicators, expected MPI_COMM_WORLD as the first");
    const Communicator &world = own.communicators.front();
    if (world.members.size() != profile.ranks.size() || world.intercommunicator ||
        !known.front()->isWorld)
      fail("communicator 0 is not MPI_COMM_WORLD, expected all " +
           std::to_string(profile.ranks.size()) + " ranks in order");
  }

  void checkCommunicator(std::size_t index) const {
    if (known[index]->hasTwice)
      fail("communicator " + std::to_string(index) +
           " has a rank twice, expected each member once");
    if (!has(known[index]->sorted, static_cast<int>(rank)))
      fail("communicator " + std::to_string(index) +
           " does not have this rank, expected it among the members");
  }

  void checkEvent(const Event &event) const {
    if (event.kind == EventKind::Redistribution)
      return checkRedistribution(event);
    if (event.kind != EventKind::Call)
      return;
    const MpiRole role = mpiFunction(event.function).role;
    if ((isSend(role) || role == MpiRole::SendReceive) && event.peer < 0 && event.peer != nullRank)
      failEvent("a send without a destination, expected a rank or MPI_PROC_NULL");
    checkPeer(event, event.peer, "peer");
    checkPeer(event, event.receivePeer, "source");
    checkRequests(event, role);
    for (const MovedMessage &block : event.moved)
      checkPeer(event, block.peer, "peer");
    for (const WildcardMatch &match : event.matches) {
      if (match.request < 0)
        checkPeer(event, match.source, "source");
      else if (std::find(event.requests.begin(), event.requests.end(), match.request) ==
               event.requests.end())
        failEvent("a match of request " + std::to_string(match.request) +
                  ", expected one of the requests that the call completes");
    }
  }

  void checkPeer(const Event &event, int peer, const char *what) const {
    const auto communicator = static_cast<std::size_t>(event.communicator);
    if (peer < 0 || own.communicators[communicator].intercommunicator ||
        has(known[communicator]->sorted, peer))
      return;
    failEvent(std::string(what) + " " + std::to_string(peer) + " is not in communicator " +
              std::to_string(communicator) + ", expected one of its " +
              std::to_string(own.communicators[communicator].members.size()) + " members");
  }

  void checkRequests(const Event &event, MpiRole role) const {
    const std::size_t most = mpiFunction(event.function).request >= 0 ? 1 : 0;
    if (!endsRequests(role) && event.requests.size() > most)
      failEvent(std::to_string(event.requests.size()) + " requests of " +
                std::string(mpiFunction(event.function).name) + ", expected at most " +
                std::to_string(most));
  }

  void checkRedistribution(const Event &event) const {
    const auto communicator = static_cast<std::size_t>(event.communicator);
    if (own.communicators[communicator].intercommunicator)
      failEvent("a redistribution on an intercommunicator, expected one group of ranks");
    for (const MovedMessage &message : event.moved)
      checkPeer(event, message.peer, "peer");
  }

  void checkStatistics() const {
    if (own.statistics.empty())
      return;
    const std::vector<std::uint64_t> occurrences =
        own.sequence.occurrences(static_cast<std::uint32_t>(own.events.size()));
    for (std::size_t event = 0; event < own.events.size(); ++event) {
      const EventStatistics &statistics = own.statistics[event];
      if (occurrences[event] > statistics.count)
        fail("event " + std::to_string(event) + " occurs " + std::to_string(occurrences[event]) +
             " times, expected at most " + std::to_string(statistics.count) +
             " as its statistics count");
      if (statistics.beforeMinimum > statistics.beforeMaximum)
        fail("event " + std::to_string(event) +
             " has a shortest time above the longest, expected it below");
    }
  }

  const Profile &profile;
  const RankProfile &own;
  const std::size_t rank;
  const std::string &name;
  std::vector<const MembersFacts *> known; // by communicator
  std::size_t number = 0;                  // of the event
};

} // namespace

void checkRelations(const Profile &profile, const std::string &name) {
  KnownMembers lists;
  for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank)
    RankChecker(profile, rank, name, lists).run();
}

} // namespace sendwright
