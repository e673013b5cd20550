// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the messages finds what each candidate's calls sent and received; its instances say
// who takes part when; one walk over the ranks' events finds who else could meet its messages. Only
// the first condition that fails is kept.

#include "analysis/collectives/ConfirmedCollectives.h"

#include "analysis/run/MatchingConflicts.h"
#include "analysis/run/SharingWaits.h"
#include "analysis/trace/TraceLocation.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sendwright {

namespace {

/// A loop that is being judged.
struct CollectiveCandidate {
  CollectiveFinding finding;
  std::set<int> sends, receives; ///< sites of calls, in the profile
  bool rewritable = false;       ///< as far as the source shows
  bool own = false;              ///< each rank sends to itself, too
  MatchingChannels messages;
  const Communicator *lastSeen = nullptr; ///< the latest communicator that a rank used; equal to
                                          ///< that of `messages`
  std::set<std::uint32_t> roots;          ///< world ranks that execute the loop

  void refuse(CollectiveRefusal why) {
    if (!finding.refusal)
      finding.refusal = std::move(why);
  }
  bool isOpen() const { return !finding.refusal; }
  bool isOwn(const Event &event) const {
    return event.call != noSite && (sends.contains(event.call) || receives.contains(event.call));
  }
};

class CollectiveConfirmation {
public:
  CollectiveConfirmation(const Profile &profile, const Timeline &timeline, const SendLoops &loops)
      : profile(profile), timeline(timeline), loops(loops) {}

  std::vector<CollectiveFinding> run(const std::vector<CollectiveInSource> &inSource) {
    for (const CollectiveInSource &each : inSource)
      add(each);
    claimCalls();
    for (std::uint32_t index = 0; index < timeline.messages.size(); ++index)
      judgeMessage(timeline.messages[index]);
    findInstances();
    for (auto &[site, candidate] : candidates) {
      if (candidate.isOpen())
        judgeRanks(candidate);
      if (candidate.isOpen())
        judgeInstances(candidate);
      if (candidate.isOpen())
        judgeOtherCalls(candidate);
    }
    judgeWaits();
    std::vector<CollectiveFinding> findings;
    findings.reserve(candidates.size());
    for (auto &[site, candidate] : candidates)
      findings.push_back(std::move(candidate.finding));
    return findings;
  }

private:
  const Event &eventAt(EventPosition at) const { return timeline.ranks[at.rank].at(at.position); }
  std::string placeOf(EventPosition at) const {
    return callPlace(profile, profile.ranks[at.rank], eventAt(at));
  }

  /// Files that include the same header say the same about its loops. For loops in templates, each
  /// file describes its own instantiations.
  void add(const CollectiveInSource &inSource) {
    std::vector<int> sites;
    for (std::size_t site = 0; site < profile.sites.size(); ++site)
      if (profile.sites[site].sameLoopAs(inSource.loop))
        sites.push_back(static_cast<int>(site));
    for (const int site : sites) {
      const auto known = candidates.find(site);
      const bool inTemplate = !profile.sites[static_cast<std::size_t>(site)].instantiation.empty();
      if (known != candidates.end() &&
          (inTemplate ? inSource.problem.empty()
                      : known->second.isOpen() || !inSource.problem.empty()))
        continue;
      CollectiveCandidate &candidate = candidates[site];
      candidate = {};
      candidate.finding.site = site;
      candidate.finding.operation = inSource.operation;
      candidate.rewritable = inSource.problem.empty();
      if (!candidate.rewritable)
        candidate.refuse(
            {.obstacle = CollectiveObstacle::RefusedBySource, .problem = inSource.problem});
      candidate.own = inSource.own;
      if (sites.size() > 1)
        candidate.refuse({.obstacle = CollectiveObstacle::SeveralInstantiations});
      candidate.sends = callsOf(inSource.sends);
      candidate.receives = callsOf(inSource.receives);
      candidate.finding.exchanges =
          !candidate.sends.empty() && candidate.sends == candidate.receives;
      const int holder = loops.loops[static_cast<std::size_t>(site)].batchSite;
      if (holder >= 0 && holder != site)
        candidate.refuse({.obstacle = CollectiveObstacle::PartOfAnotherLoop,
                          .place = profile.sites[static_cast<std::size_t>(holder)].display()});
    }
  }

  std::set<int> callsOf(const std::vector<SiteIdentity> &calls) const {
    std::set<int> numbers;
    for (const SiteIdentity &call : calls)
      for (std::size_t number = 0; number < profile.callSites.size(); ++number)
        if (profile.callSites[number].sameLoopAs(call))
          numbers.insert(static_cast<int>(number));
    return numbers;
  }

  /// Finds the candidate that each call belongs to.
  void claimCalls() {
    for (auto &[site, candidate] : candidates)
      for (const bool receives : {false, true})
        for (const int call : receives ? candidate.receives : candidate.sends)
          if (const auto [owner, isNew] = owners[receives].try_emplace(call, site); !isNew)
            candidate.refuse(
                {.obstacle = CollectiveObstacle::CallsOfAnotherLoop,
                 .place = profile.sites[static_cast<std::size_t>(owner->second)].display()});
  }

  CollectiveCandidate *ownerOf(EventPosition end, bool receives) {
    if (end.position == noPosition)
      return nullptr;
    const auto owner = owners[receives].find(eventAt(end).call);
    return owner == owners[receives].end() ? nullptr : &candidates.at(owner->second);
  }

  void judgeMessage(const MatchedMessage &message) {
    CollectiveCandidate *sender = ownerOf(message.send, false);
    CollectiveCandidate *receiver = ownerOf(message.receive, true);
    if (sender && message.receive.position == noPosition && !timeline.cut)
      sender->refuse({.obstacle = CollectiveObstacle::NotReceived, .rank = message.receive.rank});
    if (sender && message.receive.position != noPosition && sender != receiver)
      sender->refuse(
          {.obstacle = CollectiveObstacle::ReceivedElsewhere, .place = placeOf(message.receive)});
    if (receiver && message.send.position == noPosition && !timeline.cut)
      receiver->refuse({.obstacle = CollectiveObstacle::NotSent, .rank = message.receive.rank});
    if (receiver && message.send.position != noPosition && sender != receiver)
      receiver->refuse(
          {.obstacle = CollectiveObstacle::SentElsewhere, .place = placeOf(message.send)});
    if (sender && sender == receiver && sender->isOpen())
      judgeEnds(*sender, message);
  }

  /// A standard send, and a receive that names source and tag, one of them in the loop; or both
  /// halves of MPI_Sendrecv.
  void judgeEnds(CollectiveCandidate &candidate, const MatchedMessage &message) {
    const Event &send = eventAt(message.send), &receive = eventAt(message.receive);
    const MpiFunction &sent = mpiFunction(send.function), &taken = mpiFunction(receive.function);
    const bool exchanges = candidate.finding.exchanges;
    if (exchanges ? sent.id != MpiFunctionId::Sendrecv
                  : sent.role != MpiRole::Send && sent.role != MpiRole::NonblockingSend)
      candidate.refuse({.obstacle = CollectiveObstacle::OtherSendFunction, .function = sent.id});
    if (exchanges ? taken.id != MpiFunctionId::Sendrecv
                  : taken.role != MpiRole::Receive && taken.role != MpiRole::NonblockingReceive)
      candidate.refuse(
          {.obstacle = CollectiveObstacle::OtherReceiveFunction, .function = taken.id});
    const int source = exchanges ? receive.receivePeer : receive.peer;
    if (source < 0 || (exchanges ? receive.receiveTag : receive.tag) == anyTag)
      candidate.refuse({.obstacle = source < 0 ? CollectiveObstacle::ReceiveFromAnySource
                                               : CollectiveObstacle::ReceiveOfAnyTag,
                        .place = placeOf(message.receive)});
    const bool loopIsReceiver = loopReceives(candidate.finding.operation);
    if ((loopIsReceiver ? receive : send).site != candidate.finding.site)
      candidate.refuse({.obstacle = CollectiveObstacle::CallsOutsideLoop});
    candidate.roots.insert(loopIsReceiver ? message.receive.rank : message.send.rank);
    MatchingChannels &messages = candidate.messages;
    const Communicator *communicator = communicatorOf(send, profile.ranks[message.send.rank]);
    if (communicator != candidate.lastSeen) {
      if (!messages.communicator)
        messages.communicator = communicator;
      else if (!communicator || !(*messages.communicator == *communicator))
        candidate.refuse({.obstacle = CollectiveObstacle::SeveralCommunicators});
      candidate.lastSeen = communicator;
    }
    messages.add({static_cast<int>(message.send.rank), send.peer, send.tag});
  }

  void findInstances() {
    std::map<int, Collective> open;
    for (const auto &[site, candidate] : candidates)
      if (candidate.isOpen())
        open[site] = candidate.finding.operation;
    for (auto &[site, instances] : findLoopInstances(timeline, open))
      candidates.at(site).finding.instances = std::move(instances);
  }

  /// One communicator, tag and root, and equally many executions for all ranks.
  void judgeRanks(CollectiveCandidate &candidate) {
    CollectiveFinding &finding = candidate.finding;
    const MatchingChannels &messages = candidate.messages;
    if (finding.instances.empty() || !messages.communicator)
      return candidate.refuse({.obstacle = CollectiveObstacle::NoMessages});
    if (messages.communicator->intercommunicator)
      return candidate.refuse({.obstacle = CollectiveObstacle::OtherGroup});
    if (messages.tags.size() > 1 && !finding.exchanges)
      return candidate.refuse({.obstacle = CollectiveObstacle::SeveralTags,
                               .least = *messages.tags.begin(),
                               .most = *messages.tags.rbegin()});
    finding.communicator = *messages.communicator;
    const std::vector<int> &members = finding.communicator.members;
    if (hasRoot(finding.operation)) {
      if (candidate.roots.size() > 1)
        return candidate.refuse({.obstacle = CollectiveObstacle::SeveralRoots,
                                 .rank = *candidate.roots.begin(),
                                 .otherRank = *candidate.roots.rbegin()});
      const auto root =
          std::find(members.begin(), members.end(), static_cast<int>(*candidate.roots.begin()));
      finding.root = static_cast<std::uint32_t>(root - members.begin());
      if (root == members.end()) // damaged file
        return candidate.refuse(
            {.obstacle = CollectiveObstacle::RootOutside, .rank = *candidate.roots.begin()});
    }
    std::map<int, std::uint64_t> parts;
    for (const int rank : members)
      parts[rank] = partsOf(candidate, static_cast<std::size_t>(rank));
    const auto most =
        std::max_element(parts.begin(), parts.end(), [](const auto &left, const auto &right) {
          return left.second < right.second;
        });
    if (parts.size() != members.size() || parts.size() < 2) // damaged file
      return candidate.refuse({.obstacle = CollectiveObstacle::TooFewRanks});
    for (const auto &[rank, count] : parts)
      if (count != most->second)
        return candidate.refuse({.obstacle = CollectiveObstacle::UnequalExecutions,
                                 .rank = rank,
                                 .otherRank = most->first,
                                 .count = count,
                                 .otherCount = most->second});
  }

  /// In how many instances a rank takes part, including instances that are not unrolled: executions
  /// of the loop or, for ranks without the loop, sends to and receives from the root.
  std::uint64_t partsOf(const CollectiveCandidate &candidate, std::size_t rank) const {
    const bool inLoop = candidate.roots.contains(static_cast<std::uint32_t>(rank)) ||
                        !hasRoot(candidate.finding.operation);
    std::uint64_t parts = 0;
    const std::vector<Event> &events = profile.ranks[rank].events;
    for (std::size_t number = 0; number < events.size(); ++number) {
      const Event &event = events[number];
      if (inLoop ? event.kind == EventKind::SiteEnter && event.site == candidate.finding.site
                 : candidate.isOwn(event))
        parts += timeline.ranks[rank].count[number];
    }
    return parts;
  }

  /// Each instance must have all required messages, all of one size. In a run that was cut, only
  /// the first instances are judged.
  void judgeInstances(CollectiveCandidate &candidate) const {
    CollectiveFinding &finding = candidate.finding;
    const std::vector<std::pair<int, int>> expected = pairsOf(finding, candidate.own);
    for (std::size_t number = 0; number < finding.instances.size(); ++number) {
      const LoopInstance &instance = finding.instances[number];
      std::vector<std::pair<int, int>> pairs;
      std::uint64_t least = UINT64_MAX, most = 0;
      for (const std::uint32_t index : instance.messages) {
        const MatchedMessage &message = timeline.messages[index];
        if (!message.matched())
          continue;
        pairs.emplace_back(message.send.rank, message.receive.rank);
        least = std::min(least, eventAt(message.send).bytes);
        most = std::max(most, eventAt(message.send).bytes);
      }
      std::sort(pairs.begin(), pairs.end());
      if (pairs != expected) {
        if (number == 0 || !timeline.cut)
          return candidate.refuse(difference(pairs, expected));
        finding.instances.resize(number);
        return;
      }
      if (least != most)
        return candidate.refuse(
            {.obstacle = CollectiveObstacle::UnequalBlocks, .count = least, .otherCount = most});
      finding.bytes = std::max(finding.bytes, most);
      finding.leastBytes = number == 0 ? most : std::min(finding.leastBytes, most);
    }
  }

  /// Who must send to whom in each instance, sorted.
  static std::vector<std::pair<int, int>> pairsOf(const CollectiveFinding &finding, bool own) {
    const std::vector<int> &members = finding.communicator.members;
    const int root = members[finding.root];
    std::vector<std::pair<int, int>> pairs;
    for (const int source : members)
      for (const int destination : members) {
        const bool fits = !hasRoot(finding.operation) ||
                          (loopReceives(finding.operation) ? destination : source) == root;
        if (fits && (own || source != destination))
          pairs.emplace_back(source, destination);
      }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  static CollectiveRefusal difference(const std::vector<std::pair<int, int>> &pairs,
                                      const std::vector<std::pair<int, int>> &expected) {
    std::vector<std::pair<int, int>> missing, more;
    std::set_difference(expected.begin(), expected.end(), pairs.begin(), pairs.end(),
                        std::back_inserter(missing));
    std::set_difference(pairs.begin(), pairs.end(), expected.begin(), expected.end(),
                        std::back_inserter(more));
    const bool lacks = !missing.empty();
    const auto [source, destination] = (lacks ? missing : more).front();
    return {.obstacle = lacks                   ? CollectiveObstacle::MessageLacking
                        : source == destination ? CollectiveObstacle::MessageToItself
                                                : CollectiveObstacle::MessageRepeated,
            .rank = source,
            .otherRank = destination};
  }

  /// No other call meets the messages, and the loop holds no other call.
  void judgeOtherCalls(CollectiveCandidate &candidate) const {
    for (std::size_t rank = 0; rank < timeline.ranks.size() && candidate.isOpen(); ++rank)
      for (const Event &event : profile.ranks[rank].events) {
        if (event.kind != EventKind::Call || candidate.isOwn(event))
          continue;
        const MpiFunction &function = mpiFunction(event.function);
        if (event.site == candidate.finding.site && function.role != MpiRole::Completion)
          candidate.refuse({.obstacle = CollectiveObstacle::OtherCallInLoop,
                            .function = function.id,
                            .place = callPlace(profile, profile.ranks[rank], event)});
        if (!isOfAnother(event))
          refuseIf(candidate, conflictOfSend(profile, rank, event, candidate.messages));
        refuseIf(candidate, conflictOfReceive(profile, rank, event, candidate.messages));
      }
  }

  static void refuseIf(CollectiveCandidate &candidate,
                       const std::optional<MatchingConflict> &conflict) {
    if (conflict)
      candidate.refuse({.obstacle = CollectiveObstacle::MetByAnotherCall, .conflict = *conflict});
  }

  /// A send of another candidate whose receives the source names, too. Its messages come to those
  /// receives, or both loops were already refused because one takes messages of the other.
  bool isOfAnother(const Event &event) const {
    const auto owner = owners[false].find(event.call);
    return event.call != noSite && owner != owners[false].end() &&
           candidates.at(owner->second).rewritable;
  }

  void judgeWaits() {
    SharedMessages meetings;
    for (const auto &[site, candidate] : candidates)
      for (const LoopInstance &instance : candidate.finding.instances)
        if (candidate.isOpen())
          meetings.instances.push_back({site, instance.entries, true});
    if (meetings.instances.empty())
      return;
    meetings.instanceOf.resize(timeline.messages.size(), SharedMessages::none);
    for (const auto &[site, wait] : findCircularWaits(timeline, meetings))
      candidates.at(site).refuse({.obstacle = CollectiveObstacle::CircularWait, .wait = wait});
  }

  const Profile &profile;
  const Timeline &timeline;
  const SendLoops &loops;
  std::map<int, CollectiveCandidate> candidates; // by site
  std::map<int, int> owners[2];                  // of calls that send, and of calls that receive:
                                                 // sites
};

} // namespace

std::vector<CollectiveFinding>
confirmCollectives(const Profile &profile, const Timeline &timeline, const SendLoops &loops,
                   const std::vector<CollectiveInSource> &candidates) {
  return CollectiveConfirmation(profile, timeline, loops).run(candidates);
}

} // namespace sendwright
